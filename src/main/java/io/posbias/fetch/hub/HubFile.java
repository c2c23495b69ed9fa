package io.posbias.fetch.hub;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
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
        if (!FileNames.staysInside(path)) {
            throw new PosbiasException(Printable.quoted(repository + "/" + path) + " cannot be a file on the Hub");
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
