package io.posbias.base.net;

import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Proxies by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in small or capital letters, as curl reads them. This machine is
 * reached without a proxy.
 */
final class Proxies extends ProxySelector {
    private final Map<String, String> environment;

    private Proxies(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Returns the proxies of an environment; Java's own if a system property names them, or no variable does. */
    static ProxySelector of(Map<String, String> environment) {
        Proxies own = new Proxies(environment);
        boolean byJava =
                Stream.of("https.proxyHost", "http.proxyHost").anyMatch(name -> System.getProperty(name) != null);
        boolean byVariable = Stream.of("https_proxy", "http_proxy", "all_proxy")
                .anyMatch(name -> own.variable(name).isPresent());
        return byVariable && !byJava
                ? own
                : Optional.ofNullable(ProxySelector.getDefault()).orElse(own);
    }

    private Optional<String> variable(String name) {
        return Stream.of(name, name.toUpperCase(Locale.ROOT))
                .map(environment::get)
                .filter(value -> value != null && !value.isBlank())
                .map(String::strip)
                .findFirst();
    }

    /** @throws UsageException if a variable holds no address of a proxy that can be used */
    @Override
    public List<Proxy> select(URI address) {
        String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
        Optional<String> named = variable(scheme + "_proxy").or(() -> variable("all_proxy"));
        if (named.isEmpty() || Addresses.isLoopback(address) || isExcluded(address)) {
            return List.of(Proxy.NO_PROXY);
        }
        // The address is not repeated: it may hold a password.
        String variable = scheme.toUpperCase(Locale.ROOT) + "_PROXY";
        URI proxy;
        try {
            proxy = Addresses.parse(named.get().contains("://") ? named.get() : "http://" + named.get());
        } catch (IllegalArgumentException refused) {
            throw new UsageException(variable + " " + refused.getMessage()
                    + "; it must be one like http://HOST:PORT, without a password");
        }
        if (!"http".equalsIgnoreCase(proxy.getScheme())) {
            throw new UsageException(variable + " is an https address; it must be one like http://HOST:PORT");
        }
        return List.of(new Proxy(
                Proxy.Type.HTTP, new InetSocketAddress(proxy.getHost(), proxy.getPort() < 0 ? 80 : proxy.getPort())));
    }

    /** NO_PROXY: hosts and domains with commas between them, each with its subdomains; a star is every host. */
    private boolean isExcluded(URI address) {
        String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        return Arrays.stream(
                        variable("no_proxy").orElse("").toLowerCase(Locale.ROOT).split("[,\\s]+"))
                .filter(name -> !name.isEmpty())
                .map(name -> name.replaceFirst("^\\*?\\.", "").replaceFirst(":" + address.getPort() + "$", ""))
                .anyMatch(name -> name.equals("*") || host.equals(name) || host.endsWith("." + name));
    }

    @Override
    public void connectFailed(URI address, SocketAddress proxy, IOException failure) {
        // The request fails with it.
    }
}
