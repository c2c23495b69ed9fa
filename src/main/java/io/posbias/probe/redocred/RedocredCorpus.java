package io.posbias.probe.redocred;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Files of Re-DocRED or DocRED whose articles ask nothing, but are searched: the training files of the paper's retrieval set,
 * {@code train_revised.json} and DocRED's {@code train_distant.json}.
 *
 * @param files may be large: they are read one article at a time
 * @param taken titles of the articles that ask; each title is taken once, so that titles tell articles apart
 */
record RedocredCorpus(List<Path> files, Set<String> taken) {
    /** No more articles. */
    static final RedocredCorpus NONE = new RedocredCorpus(List.of(), Set.of());

    /** The files beside articles that ask. */
    static RedocredCorpus of(List<Path> files, List<RedocredDocument> asking) {
        return new RedocredCorpus(
                files, asking.stream().map(RedocredDocument::title).collect(Collectors.toSet()));
    }

    /** The articles in file order, without those whose title came before: of the paper's 105,926 articles one. */
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
