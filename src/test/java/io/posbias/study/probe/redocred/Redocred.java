package io.posbias.study.probe.redocred;

import io.posbias.SharedData;
import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Re-DocRED itself, read once; tests that ask for it are skipped where it is not there. */
final class Redocred {
    private static @Nullable List<RedocredDocument> documents;

    private Redocred() {}

    private static synchronized List<RedocredDocument> documents() {
        List<RedocredDocument> read = documents;
        if (read == null) {
            read = RedocredInput.read(Stream.of("dev", "test")
                            .map(split -> SharedData.file("redocred/" + split + "_revised.json"))
                            .toList())
                    .stream()
                    .flatMap(input -> input.documents().stream())
                    .toList();
            documents = read;
        }
        return read;
    }

    /** The pool that the design's counts call A. */
    static QueryPool withDuplicates(QuestionTemplates templates) {
        return QueryPool.of(documents(), templates, true, RedocredCorpus.NONE);
    }

    /** The pool that the design's counts call B. */
    static QueryPool withoutDuplicates(QuestionTemplates templates) {
        return QueryPool.of(documents(), templates, false, RedocredCorpus.NONE);
    }
}
