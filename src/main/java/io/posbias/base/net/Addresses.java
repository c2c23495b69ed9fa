package io.posbias.base.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;

/** Addresses of servers as people and servers give them. */
public final class Addresses {
    private Addresses() {}

    /**
     * Reads the address of a service, which may have a query.
     *
     * @return an absolute http or https address with a host
     * @throws IllegalArgumentException if it is none; the message is the predicate of a sentence and does not repeat the
     *     text, which may hold a password or be a key
     */
    public static URI parse(String text) {
        URI address = ofServer(read(text));
        if (address.getRawUserInfo() != null) {
            throw new IllegalArgumentException("holds a user or password");
        }
        return address;
    }

    /**
     * Reads an address that paths are put behind.
     *
     * @return an address without a query and without slashes at its end
     * @throws IllegalArgumentException as {@link #parse}
     */
    public static URI base(String text) {
        URI address = parse(text.replaceFirst("(?<!/)/+$", ""));
        if (address.getRawQuery() != null || address.getRawFragment() != null) {
            throw new IllegalArgumentException("holds a query (? or #)");
        }
        return address;
    }

    /**
     * Resolves a redirect or the address of a next page.
     *
     * @param from address of the request
     * @param link absolute or relative
     * @throws IllegalArgumentException if it is not an address, or leads from an encrypted connection to an open one
     */
    public static URI follow(URI from, String link) {
        URI to = ofServer(from.resolve(read(link)));
        if ("https".equalsIgnoreCase(from.getScheme()) && !"https".equalsIgnoreCase(to.getScheme())) {
            throw new IllegalArgumentException("leads from https to http");
        }
        return to;
    }

    private static URI read(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException notUri) {
            throw new IllegalArgumentException("is not an address", null);
        }
    }

    private static URI ofServer(URI address) {
        boolean web = "https".equalsIgnoreCase(address.getScheme()) || "http".equalsIgnoreCase(address.getScheme());
        if (!web || address.getHost() == null) {
            throw new IllegalArgumentException("is not the address of a server");
        }
        return address;
    }

    /** Returns true for this machine by one of its usual names, which is not looked up. */
    public static boolean isLoopback(URI address) {
        return String.valueOf(address.getHost())
                .matches("(?i)localhost|127(\\.[0-9]{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");
    }

    /** Returns true if a host, which is looked up, is this machine by any of its names and addresses. */
    public static boolean isThisMachine(URI address) {
        try {
            for (InetAddress own : InetAddress.getAllByName(address.getHost())) {
                if (own.isLoopbackAddress()
                        || own.isAnyLocalAddress()
                        || NetworkInterface.getByInetAddress(own) != null) {
                    return true;
                }
            }
            return false;
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Returns true for two addresses of one server. */
    public static boolean isSame(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && one.getPort() == other.getPort();
    }

    /** The host and, where it is unusual, the port: what messages call a server. */
    public static String host(URI address) {
        return address.getHost() + (address.getPort() < 0 ? "" : ":" + address.getPort());
    }
}
