package dev.baton.fence.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import dev.baton.fence.testing.Orders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Appends lines to a file: {@code append x}, {@code many x n}, {@code try x} without much patience; or {@code hold}s the
 * lock until it ends; or opens the file as a {@code store}.
 */
final class FileHolder {

    private FileHolder() {}

    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        Fence fence = Fence.parse(args[1]);
        FencedFile file = FencedFile.at(path, Duration.ofSeconds(60));
        Orders.follow(order -> {
            String[] words = order.split(" ", -1);
            return switch (words[0]) {
                case "append" -> told(file.append(fence, line(words[1])));
                case "try" ->
                    tried(() -> told(FencedFile.at(path, Duration.ofMillis(200)).append(fence, line(words[1]))));
                case "store" ->
                    tried(() -> {
                        FileFenceStore.open(path).close();
                        return "opened";
                    });
                case "replace" -> told(file.replace(fence, line(words[1])));
                case "many" -> {
                    int admitted = 0;
                    for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                        admitted += file.append(fence, line(words[1] + i)).isAdmitted() ? 1 : 0;
                    }
                    yield "admitted " + admitted;
                }
                default -> {
                    new LockFile(path.resolveSibling(path.getFileName() + ".lock")).take(Duration.ofSeconds(60));
                    yield "holds";
                }
            };
        });
    }

    private static ByteBuffer line(String text) {
        return ByteBuffer.wrap((text + "\n").getBytes(UTF_8));
    }

    private static String tried(Callable<String> attempt) throws Exception {
        try {
            return attempt.call();
        } catch (IOException e) {
            return "failed: " + e.getMessage();
        }
    }

    private static String told(Admission admission) {
        return switch (admission) {
            case Admission.Admitted admitted -> "wrote";
            case Admission.Refused refused -> "refused: " + refused.reason();
        };
    }
}
