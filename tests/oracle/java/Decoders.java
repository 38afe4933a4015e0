import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * What Kafka's own classes make of bytes. Each line of the input is the name of a message, a version and bytes in hex; the
 * answer to it is `refused`, or where the message ended and what Kafka writes for it (`-` if it cannot write what it read).
 */
public class Decoders {
    private static final String[] PACKAGES = {
        "org.apache.kafka.common.message.",
        "org.apache.kafka.common.metadata.",
        "org.apache.kafka.coordinator.group.generated.",
        "org.apache.kafka.coordinator.share.generated.",
        "org.apache.kafka.coordinator.transaction.generated.",
        "org.apache.kafka.raft.generated.",
        "org.apache.kafka.server.log.remote.metadata.storage.generated.",
        "org.apache.kafka.storage.internals.log.generated.",
    };
    private static final Map<String, Class<?>> CLASSES = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder output = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            output.append(verdict(words[0], Short.parseShort(words[1]), HexFormat.of().parseHex(words[2]))).append('\n');
        }
        System.out.print(output);
    }

    private static String verdict(String name, short version, byte[] data) throws Exception {
        Message message = (Message) CLASSES.computeIfAbsent(name, Decoders::find).getDeclaredConstructor().newInstance();
        ByteBuffer buffer = ByteBuffer.wrap(data);
        try {
            message.read(new ByteBufferAccessor(buffer), version);
        } catch (RuntimeException | OutOfMemoryError refusal) {
            return "refused";
        }
        return buffer.position() + " " + written(message, version);
    }

    private static String written(Message message, short version) {
        try {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
            message.write(new ByteBufferAccessor(buffer), cache, version);
            return HexFormat.of().formatHex(buffer.array());
        } catch (RuntimeException tagsOutOfOrder) {
            return "-";
        }
    }

    private static Class<?> find(String name) {
        for (String folder : PACKAGES) {
            for (String suffix : new String[] {"Data", ""}) {
                try {
                    Class<?> found = Class.forName(folder + name + suffix);
                    if (Message.class.isAssignableFrom(found)) {
                        return found;
                    }
                } catch (ClassNotFoundException elsewhere) {
                    continue;
                }
            }
        }
        throw new IllegalArgumentException("Kafka has no class for " + name);
    }
}
