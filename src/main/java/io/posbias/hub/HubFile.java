package io.posbias.hub;

import io.posbias.PosbiasException;
import java.net.URI;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A file of a repository on the Hub.
 *
 * @param path inside the repository, with forward slashes
 */
public record HubFile(HubRepository repository, String path) {
    /** Refuses paths that could leave a folder. */
    public HubFile {
        boolean climbs = Arrays.stream(path.split("/", -1))
                .anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals("..") || part.contains("\\"));
        if (climbs) {
            throw new PosbiasException("\"" + repository + "/" + path + "\" cannot be a file on the Hub");
        }
    }

    URI address(URI endpoint) {
        String escaped =
                Arrays.stream(path.split("/")).map(HubRepository::escape).collect(Collectors.joining("/"));
        return URI.create(
                repository.page(endpoint) + "/resolve/" + HubRepository.escape(repository.revision()) + "/" + escaped);
    }

    @Override
    public String toString() {
        return repository + "/" + path;
    }
}
