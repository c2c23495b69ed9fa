package io.posbias.hub;

import io.posbias.PosbiasException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A file of a data set on the Hub.
 *
 * @param repository owner and name, for example {@code rajpurkar/squad_v2}
 * @param revision branch, tag or commit
 * @param path inside the repository, with forward slashes
 */
public record HubFile(String repository, String revision, String path) {
    /** Refuses paths that could leave a folder. */
    public HubFile {
        boolean climbs = Arrays.stream(path.split("/", -1))
                .anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals("..") || part.contains("\\"));
        if (climbs || !repository.matches("[\\w.-]+/[\\w.-]+") || repository.contains("..")) {
            throw new PosbiasException("\"" + repository + "/" + path + "\" cannot be a file on the Hub");
        }
    }

    /** Its address. */
    URI address(URI endpoint) {
        return URI.create(endpoint + "/datasets/" + repository + "/resolve/" + escape(revision) + "/" + escapedPath());
    }

    /** The page where a person sees it, accepts its conditions or downloads it. */
    String page(URI endpoint) {
        return endpoint + "/datasets/" + repository;
    }

    /** The name of the repository's folder in caches, the Hub's and ours. */
    String folder() {
        return "datasets--" + repository.replace("/", "--");
    }

    private String escapedPath() {
        return Arrays.stream(path.split("/")).map(HubFile::escape).collect(Collectors.joining("/"));
    }

    /** Escapes everything, a branch's slashes included. */
    static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return repository + "/" + path;
    }
}
