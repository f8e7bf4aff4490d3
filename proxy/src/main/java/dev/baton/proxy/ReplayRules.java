package dev.baton.proxy;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Set;

/**
 * Which requests may be sent a second time when nobody knows whether the first one was done.
 *
 * @param httpPaths paths to which a POST is harmless to repeat: duplicates are recognised, or cost nothing but a gap
 * @param grpcMethods the same for gRPC, as {@code package.Service/Method}
 */
public record ReplayRules(Set<String> httpPaths, Set<String> grpcMethods) {

    /** What Baton's own duties recognise: transactions by their hash, tokens by their request id. */
    public static final ReplayRules STANDARD = new ReplayRules(
            Set.of("/submit", "/tokens/next"),
            Set.of(
                    "baton.sequencer.v1.SequencerService/Submit",
                    "baton.sequencer.v1.SequencerService/Block",
                    "baton.tokens.v1.TokenNamespaces/List",
                    "baton.tokens.v1.TokenNamespaces/History",
                    "grpc.health.v1.Health/Check",
                    "token.v1.TokenGenerator/NextToken"));

    private static final Set<HttpMethod> IDEMPOTENT =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.PUT, HttpMethod.DELETE, HttpMethod.OPTIONS);

    public ReplayRules {
        httpPaths = Set.copyOf(httpPaths);
        grpcMethods = Set.copyOf(grpcMethods);
    }

    boolean mayRepeat(HttpRequest request) {
        return IDEMPOTENT.contains(request.method())
                || request.headers().contains("Idempotency-Key")
                || httpPaths.contains(Paths.withoutQuery(request.uri()));
    }

    boolean mayRepeatCall(String grpcMethod) {
        return grpcMethods.contains(grpcMethod);
    }
}
