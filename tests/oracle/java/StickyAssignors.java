import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * What Apache Kafka's sticky assignors make of groups: one a line of standard input, in the form of the golden files and with its
 * "strategy". Each is assigned as often as the argument says, every time but the first with other names in the same order, since what Kafka
 * makes of some groups hangs on the hashes of names. A line of output has all outcomes under the original names: member to list of
 * [topic, partition], or "exception".
 */
public class StickyAssignors {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Node LEADER = new Node(1_000_000, "localhost", 9092);

    private final JsonNode group;
    private final Map<String, String> topicNames;
    private final Map<String, String> memberIds;

    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            JsonNode group = JSON.readTree(line);
            ArrayNode outcomes = JSON.createArrayNode();
            for (int run = 0; run < Integer.parseInt(arguments[0]); run++)
                outcomes.add(new StickyAssignors(group, run).outcome());
            System.out.println(JSON.writeValueAsString(outcomes));
        }
    }

    private StickyAssignors(JsonNode group, int run) {
        this.group = group;
        Set<String> topics = new TreeSet<>();
        Set<String> members = new TreeSet<>();
        group.get("topics").fieldNames().forEachRemaining(topics::add);
        for (JsonNode member : group.get("members")) {
            members.add(member.get("id").asText());
            member.get("topics").forEach(topic -> topics.add(topic.asText()));
        }
        this.topicNames = renamed(topics, run);
        this.memberIds = renamed(members, run);
    }

    private static Map<String, String> renamed(Set<String> sorted, int run) {
        Random random = new Random(run);
        Map<String, String> names = new HashMap<>();
        for (String name : sorted)
            names.put(name, run == 0 ? name : String.format("%05d-%08x", names.size(), random.nextInt()));
        return names;
    }

    private JsonNode outcome() {
        ConsumerPartitionAssignor assignor = isSticky() ? new StickyAssignor() : new CooperativeStickyAssignor();
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (JsonNode member : group.get("members"))
            subscriptions.put(memberIds.get(member.get("id").asText()), subscription(member));
        ObjectNode outcome = JSON.createObjectNode();
        try {
            Map<String, Assignment> assigned = assignor.assign(cluster(), new GroupSubscription(subscriptions)).groupAssignment();
            Map<String, String> topics = inverse(topicNames);
            inverse(memberIds).forEach((renamed, original) -> {
                ArrayNode mine = outcome.putArray(original);
                for (TopicPartition each : assigned.get(renamed).partitions())
                    mine.addArray().add(topics.get(each.topic())).add(each.partition());
            });
        } catch (RuntimeException thrown) {
            return JSON.createObjectNode().put("exception", thrown.toString());
        }
        return outcome;
    }

    private boolean isSticky() {
        return group.get("strategy").asText().equals("sticky");
    }

    private static Map<String, String> inverse(Map<String, String> names) {
        Map<String, String> inverse = new HashMap<>();
        names.forEach((name, renamed) -> inverse.put(renamed, name));
        return inverse;
    }

    private Cluster cluster() {
        List<PartitionInfo> partitions = new ArrayList<>();
        group.get("topics").fields().forEachRemaining(topic -> {
            for (int number = 0; number < topic.getValue().asInt(); number++) {
                Node[] replicas = replicas(group.path("racks").path(topic.getKey()).path(number), partitions.size() * 100);
                partitions.add(new PartitionInfo(topicNames.get(topic.getKey()), number, LEADER, replicas, replicas));
            }
        });
        return new Cluster("oracle", List.of(LEADER), partitions, Set.of(), Set.of());
    }

    private static Node[] replicas(JsonNode racks, int firstId) {
        Node[] replicas = new Node[racks.size()];
        for (int index = 0; index < replicas.length; index++)
            replicas[index] = new Node(firstId + index, "localhost", 9092, racks.get(index).textValue());
        return replicas;
    }

    private Subscription subscription(JsonNode member) {
        List<String> topics = new ArrayList<>();
        member.get("topics").forEach(topic -> topics.add(topicNames.get(topic.asText())));
        List<TopicPartition> owned = new ArrayList<>();
        member.path("owned").fields().forEachRemaining(topic ->
            topic.getValue().forEach(number -> owned.add(new TopicPartition(topicNames.get(topic.getKey()), number.asInt()))));
        return new Subscription(topics, userData(member.path("user_data")), owned,
            member.path("generation").asInt(-1), Optional.ofNullable(member.path("rack").textValue()));
    }

    private ByteBuffer userData(JsonNode data) {
        if (data.isMissingNode()) return null;
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        if (isSticky()) {
            buffer.putInt(data.path("owned").size());
            data.path("owned").fields().forEachRemaining(topic -> {
                byte[] name = topicNames.get(topic.getKey()).getBytes(StandardCharsets.UTF_8);
                buffer.putShort((short) name.length).put(name).putInt(topic.getValue().size());
                topic.getValue().forEach(number -> buffer.putInt(number.asInt()));
            });
        }
        if (data.has("generation")) buffer.putInt(data.get("generation").asInt());
        return buffer.flip();
    }
}
