package dev.baton.control.rpc;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Lets the handshake end whatever certificate a client shows; {@link dev.baton.control.access.Doorkeeper} judges it at
 * each call.
 *
 * <p>So a refusal is an answer with the published status, stands in the audit, and follows a change of the trusted
 * authorities at once, on open connections, too. The handshake still proves that the client has the certificate's key.
 * Servers are never judged by this: it is for a listener alone.
 */
final class AnyCertificate extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
        throw new CertificateException("not for judging servers");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
        throw new CertificateException("not for judging servers");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        throw new CertificateException("not for judging servers");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0]; // any: the client need not choose
    }
}
