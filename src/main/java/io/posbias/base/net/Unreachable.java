package io.posbias.base.net;

import io.posbias.base.files.IoErrors;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Objects;

/** Why a server gave no answer at all, and what the user can do. */
public final class Unreachable {
    /** Advice for an unreachable network. */
    public static final String NO_NETWORK = "Is there a network, and does it let this machine out? Behind a proxy set"
            + " HTTPS_PROXY=http://HOST:PORT.";

    private static final String NO_TRUST =
            "If the server is your own, add its authority's certificate: keytool -importcert"
                    + " -alias own -file CA.pem -keystore own.p12 -storepass changeit, and set POSBIAS_JAVA_OPTS="
                    + "\"-Djavax.net.ssl.trustStore=own.p12 -Djavax.net.ssl.trustStorePassword=changeit\".";

    private Unreachable() {}

    private static boolean isUnknownHost(Throwable failure) {
        return IoErrors.causes(failure)
                .anyMatch(
                        cause -> cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException);
    }

    private static boolean isUntrusted(Throwable failure) {
        return IoErrors.causes(failure)
                .anyMatch(cause -> cause instanceof CertificateException || cause instanceof CertPathBuilderException);
    }

    private static boolean isNoConnection(Throwable failure) {
        return IoErrors.causes(failure).anyMatch(ConnectException.class::isInstance);
    }

    /**
     * Returns true for failures that another try would not change.
     *
     * @param reconnects as in {@link RetryPolicy}
     */
    static boolean isForGood(Throwable failure, URI address, boolean reconnects) {
        return isUnknownHost(failure)
                || isUntrusted(failure)
                || (isNoConnection(failure) && (!reconnects || Addresses.isThisMachine(address)));
    }

    /** The reason in a few words, which may quote the server: to be masked. */
    public static String reason(Throwable failure, URI address) {
        if (isUnknownHost(failure)) {
            return "its name cannot be resolved";
        }
        // Without words, and its cause is a closed channel, which does not say that there is no server.
        if (isNoConnection(failure)) {
            return Addresses.isThisMachine(address) ? "nothing listens there; start the server" : "no connection";
        }
        Throwable inner = IoErrors.causes(failure).reduce(failure, (outer, cause) -> cause);
        String words =
                Objects.requireNonNullElse(inner.getMessage(), inner.getClass().getSimpleName());
        return isUntrusted(failure) ? "its certificate is not trusted: " + words : words;
    }

    /** Advice, a line each; a server on this machine needs none. */
    public static List<String> steps(Throwable failure, URI address) {
        if (isUntrusted(failure)) {
            return List.of(NO_TRUST);
        }
        return isNoConnection(failure) && Addresses.isThisMachine(address) ? List.of() : List.of(NO_NETWORK);
    }
}
