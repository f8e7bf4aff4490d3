package dev.baton.bench.tokens;

import dev.baton.bench.load.LoadLines;
import dev.baton.wire.token.v1.TokenGeneratorGrpc;
import dev.baton.wire.token.v1.TokenRequest;
import dev.baton.wire.token.v1.TokenResponse;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Answers every request at once with numbers that mean nothing: what any service of this wire costs. {@code EchoServer
 * PORT}, until its input ends.
 */
public final class EchoServer {

    private static final int STREAMS_A_CONNECTION = 100;
    private static final int WINDOW_BYTES = 1 << 20;

    private EchoServer() {}

    public static void main(String[] arguments) throws Exception {
        Server server = start(Integer.parseInt(arguments[0]));
        System.out.println(LoadLines.READY);
        System.in.transferTo(OutputStream.nullOutputStream());
        server.shutdownNow();
    }

    /** Starts one as a process and waits until it listens; its port. */
    static int startProcess(Children children) throws IOException, InterruptedException {
        int port = children.freePort();
        Path log = children.folder("echo").resolve("log");
        Process process = children.start(
                log,
                JavaProgram.command(
                        List.of("-Xms256m", "-Xmx512m"), EchoServer.class.getName(), List.of(Integer.toString(port))),
                Map.of("CLASSPATH", JavaProgram.ownClassPath()));
        children.await("echo", process, log, () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            }
        });
        return port;
    }

    static Server start(int port) throws Exception {
        // As a node's listener for tokens has it: answers are made on the thread that read the request.
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .directExecutor()
                .maxConcurrentCallsPerConnection(STREAMS_A_CONNECTION)
                .flowControlWindow(WINDOW_BYTES)
                .addService(new Echo())
                .build()
                .start();
    }

    private static final class Echo extends TokenGeneratorGrpc.TokenGeneratorImplBase {
        @Override
        public void nextToken(TokenRequest request, StreamObserver<TokenResponse> answer) {
            answer.onNext(TokenResponse.newBuilder()
                    .setNamespace(request.getNamespace())
                    .setStartToken(1)
                    .setEndToken(1 + request.getCount())
                    .setRevision(1)
                    .setEpoch(1)
                    .setHeight(1)
                    .setStep(1)
                    .build());
            answer.onCompleted();
        }
    }
}
