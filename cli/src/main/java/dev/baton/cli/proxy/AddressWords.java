package dev.baton.cli.proxy;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code host:port}. */
final class AddressWords implements ITypeConverter<InetSocketAddress> {

    @Override
    public InetSocketAddress convert(String text) {
        return parse(text);
    }

    static InetSocketAddress parse(String text) {
        InetSocketAddress named = parseName(text);
        return new InetSocketAddress(named.getHostString(), named.getPort());
    }

    /** Leaves a host name as it is: whoever connects looks it up each time. */
    static InetSocketAddress parseName(String text) {
        int colon = text.lastIndexOf(':');
        try {
            if (colon > 0) {
                return InetSocketAddress.createUnresolved(
                        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
            }
        } catch (IllegalArgumentException e) {
            // told below
        }
        throw new TypeConversionException(text + " (expected: HOST:PORT such as 127.0.0.1:8080)");
    }
}
