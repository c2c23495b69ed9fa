package io.posbias.fetch.hub;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A repository of the Hub at a revision.
 *
 * @param name owner and name, for example {@code rajpurkar/squad_v2}
 * @param revision branch, tag or commit
 */
public record HubRepository(RepositoryType type, String name, String revision) {
    public static final String MAIN = "main";

    /** Refuses names that could leave a folder. */
    public HubRepository {
        if (!name.matches("[\\w.-]+/[\\w.-]+") || name.contains("..")) {
            throw new PosbiasException(Printable.quoted(name) + " cannot be a " + type.words + " on the Hub");
        }
    }

    /** Returns true if a revision is a commit, whose files never change; a branch or a tag may move. */
    public static boolean isCommit(String revision) {
        return revision.matches("[0-9a-f]{40}");
    }

    HubFile file(String path) {
        return new HubFile(this, path);
    }

    HubRepository at(String other) {
        return new HubRepository(type, name, other);
    }

    /** The page where a person sees it and accepts its conditions. */
    String page(URI endpoint) {
        return endpoint + "/" + type.prefix + name;
    }

    /** The page where a person sees its files at this revision. */
    public String filesPage(URI endpoint) {
        return page(endpoint) + "/tree/" + revision;
    }

    URI list(URI endpoint) {
        return URI.create(
                endpoint + "/api/" + type.plural + "/" + name + "/tree/" + escape(revision) + "?recursive=true");
    }

    /** The name of its folder in the cache of the Hub's own library. */
    String folder() {
        return type.plural + "--" + name.replace("/", "--");
    }

    /** Escapes everything, a branch's slashes included. */
    static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return name;
    }
}
