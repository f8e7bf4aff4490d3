package dev.baton.cli.proxy;

import dev.baton.proxy.Upstream;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a node as people write it: {@code n1=10.0.0.5:7401,grpc=10.0.0.5:7400,tcp=10.0.0.5:5432}. */
final class UpstreamWords implements ITypeConverter<Upstream> {

    private static final String EXPECTED =
            " (expected: NAME=HOST:PORT[,http=HOST:PORT][,grpc=HOST:PORT][,tcp=HOST:PORT], first the node's own HTTP"
                    + " address)";
    private static final Set<String> KINDS = Set.of("http", "grpc", "tcp");

    @Override
    public Upstream convert(String text) {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        String name = "";
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new TypeConversionException(text + EXPECTED);
            }
            String key = part.substring(0, equals);
            InetSocketAddress address = address(part.substring(equals + 1), text);
            if (name.isEmpty()) {
                name = key;
                addresses.put("watch", address);
            } else if (KINDS.contains(key)) {
                addresses.put(key, address);
            } else {
                throw new TypeConversionException(text + EXPECTED);
            }
        }
        InetSocketAddress watch = addresses.get("watch");
        if (watch == null) {
            throw new TypeConversionException(text + EXPECTED);
        }
        return new Upstream(
                name,
                watch,
                Optional.of(addresses.getOrDefault("http", watch)),
                Optional.ofNullable(addresses.get("grpc")),
                Optional.ofNullable(addresses.get("tcp")));
    }

    private static InetSocketAddress address(String text, String whole) {
        try {
            return AddressWords.parseName(text);
        } catch (TypeConversionException e) {
            throw new TypeConversionException(whole + EXPECTED);
        }
    }
}
