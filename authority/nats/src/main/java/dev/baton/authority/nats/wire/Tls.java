package dev.baton.authority.nats.wire;

import dev.baton.authority.nats.TlsFiles;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Makes the JDK's TLS out of PEM files, and sees to it that a server's certificate names the server. */
final class Tls {

    private Tls() {}

    static SSLContext context(TlsFiles files) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .trustManager(new NamedServers(trusted(files.trust())));
            files.client()
                    .ifPresent(own -> builder.keyManager(
                            own.certificate().toFile(), own.key().toFile()));
            return ((JdkSslContext) builder.build()).context();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("the TLS files cannot be used: " + e.getMessage(), e);
        }
    }

    private static X509ExtendedTrustManager trusted(Path pem) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(pem)) {
            int number = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("trusted-" + number++, certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("the JDK has no X.509 trust manager");
    }

    /** jnats does not compare the host's name with the certificate's; the JDK does if the socket asks for it. */
    private static final class NamedServers extends X509ExtendedTrustManager {

        private final X509ExtendedTrustManager trusted;

        NamedServers(X509ExtendedTrustManager trusted) {
            this.trusted = trusted;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            if (socket instanceof SSLSocket secure) {
                SSLParameters parameters = secure.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                secure.setSSLParameters(parameters);
            }
            trusted.checkServerTrusted(chain, kind, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            trusted.checkServerTrusted(chain, kind, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            throw new CertificateException("nobody can say which server showed it");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            trusted.checkClientTrusted(chain, kind);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            trusted.checkClientTrusted(chain, kind, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            trusted.checkClientTrusted(chain, kind, engine);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trusted.getAcceptedIssuers();
        }
    }
}
