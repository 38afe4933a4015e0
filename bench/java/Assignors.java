import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;

/**
 * Times one of Apache Kafka's assignors: STRATEGY MEMBERS TOPICS PARTITIONS PERCENT SECONDS, the group being that of bench/assignors.py.
 * Prints a line for each phase: its name, the first call and the median of the later half of all calls, in processor milliseconds
 * of the calling thread, as JSON.
 */
public class Assignors {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    public static void main(String[] arguments) {
        String strategy = arguments[0];
        int members = Integer.parseInt(arguments[1]);
        int topics = Integer.parseInt(arguments[2]);
        Cluster cluster = cluster(topics, Integer.parseInt(arguments[3]));
        Map<String, Subscription> group = group(members, topics, Integer.parseInt(arguments[4]));
        double seconds = Double.parseDouble(arguments[5]);
        Map<String, Assignment> assigned = time("fresh", strategy, cluster, group, seconds);
        if (strategy.contains("sticky")) {
            Map<String, Subscription> rest = claiming(strategy, group, assigned);
            rest.remove("member-0000");
            time("one left", strategy, cluster, rest, seconds);
        }
    }

    private static Map<String, Assignment> time(
            String phase, String strategy, Cluster cluster, Map<String, Subscription> group, double seconds) {
        List<Double> millis = new ArrayList<>();
        Map<String, Assignment> assigned = null;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (millis.size() < 3 || System.nanoTime() < end) {
            ConsumerPartitionAssignor assignor = assignor(strategy);
            for (Subscription each : group.values())
                if (each.userData() != null) each.userData().rewind(); // the call before has read it to its end
            long start = THREADS.getCurrentThreadCpuTime();
            assigned = assignor.assign(cluster, new GroupSubscription(group)).groupAssignment();
            millis.add((THREADS.getCurrentThreadCpuTime() - start) / 1e6);
        }
        double first = millis.get(0);
        List<Double> warm = new ArrayList<>(millis.subList(millis.size() / 2, millis.size()));
        warm.sort(null);
        System.out.printf("[\"%s\", %.4f, %.4f]%n", phase, first, warm.get(warm.size() / 2));
        return assigned;
    }

    private static ConsumerPartitionAssignor assignor(String strategy) {
        switch (strategy) {
            case "range": return new RangeAssignor();
            case "roundrobin": return new RoundRobinAssignor();
            case "sticky": return new StickyAssignor();
            case "cooperative-sticky": return new CooperativeStickyAssignor();
            default: throw new IllegalArgumentException(strategy);
        }
    }

    private static Cluster cluster(int topics, int partitions) {
        Node node = new Node(0, "localhost", 9092);
        Node[] replicas = {node};
        List<PartitionInfo> all = new ArrayList<>();
        for (int topic = 0; topic < topics; topic++)
            for (int partition = 0; partition < partitions; partition++)
                all.add(new PartitionInfo(topicName(topic), partition, node, replicas, replicas));
        return new Cluster("bench", List.of(node), all, Set.of(), Set.of());
    }

    private static Map<String, Subscription> group(int members, int topics, int percent) {
        Map<String, Subscription> group = new HashMap<>();
        for (int member = 0; member < members; member++) {
            List<String> subscribed = new ArrayList<>();
            for (int topic = 0; topic < topics; topic++)
                if ((member * 7919L + topic * 104729L) % 100 < percent) subscribed.add(topicName(topic));
            group.put(String.format("member-%04d", member), new Subscription(subscribed));
        }
        return group;
    }

    /** The group when its members have got that: sticky ones say so in user data, cooperative ones in the subscription. */
    private static Map<String, Subscription> claiming(
            String strategy, Map<String, Subscription> group, Map<String, Assignment> assigned) {
        Map<String, Subscription> claiming = new HashMap<>();
        group.forEach((member, subscription) -> {
            ConsumerPartitionAssignor assignor = assignor(strategy);
            assignor.onAssignment(assigned.get(member), new ConsumerGroupMetadata("bench", 1, member, Optional.empty()));
            claiming.put(member, new Subscription(
                subscription.topics(),
                assignor.subscriptionUserData(new HashSet<>(subscription.topics())),
                strategy.equals("sticky") ? List.of() : assigned.get(member).partitions(),
                1,
                Optional.empty()));
        });
        return claiming;
    }

    private static String topicName(int topic) {
        return String.format("topic-%04d", topic);
    }
}
