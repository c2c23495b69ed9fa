package io.posbias.probe.redocred;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Articles without queries: the training files of the paper's retrieval set, {@code train_revised.json} and DocRED's {@code
 * train_distant.json}.
 *
 * @param files read one article at a time
 * @param taken titles of articles with queries; each title counts once
 */
record RedocredCorpus(List<Path> files, Set<String> taken) {
    /** No articles. */
    static final RedocredCorpus NONE = new RedocredCorpus(List.of(), Set.of());

    static RedocredCorpus of(List<Path> files, List<RedocredDocument> asking) {
        return new RedocredCorpus(
                files, asking.stream().map(RedocredDocument::title).collect(Collectors.toSet()));
    }

    /** The articles in file order, without repeated titles (one in the paper's 105,926). */
    void forEach(Consumer<RedocredDocument> articles) {
        Set<String> seen = new HashSet<>(taken);
        for (Path file : files) {
            RedocredReader.forEach(file, RedocredInput.split(file), article -> {
                if (seen.add(article.title())) {
                    articles.accept(article);
                }
            });
        }
    }
}
