package dev.baton.examples;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program beside a node: it asks the node over HTTP whether it leads, and carries the epoch along with each act.
 *
 * <p>It uses nothing but HTTP, so the same works in any language.
 */
public final class Sidecar {

    private static final Pattern EPOCH = Pattern.compile("\"epoch\"\\s*:\\s*(\\d+)");

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private final URI leader;

    public Sidecar(URI node) {
        this.leader = node.resolve("/leader");
    }

    /** The epoch under which the node beside us leads now; nothing if it does not, or does not answer. */
    public OptionalLong epochIfLeading() throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(leader).timeout(Duration.ofSeconds(1)).build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            Matcher epoch = EPOCH.matcher(answer.body());
            return answer.statusCode() == 200 && epoch.find()
                    ? OptionalLong.of(Long.parseLong(epoch.group(1)))
                    : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty(); // whoever cannot ask does not act
        }
    }

    public static void main(String[] args) throws Exception {
        Sidecar sidecar = new Sidecar(URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:7401"));
        OptionalLong epoch = sidecar.epochIfLeading();
        System.out.println(
                epoch.isPresent() ? "acting under epoch " + epoch.getAsLong() : "not leading, so not acting");
    }
}
