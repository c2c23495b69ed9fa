package io.posbias.cli.common;

import io.posbias.base.process.Session;
import io.posbias.data.dataset.Language;
import io.posbias.data.named.Datasets;
import picocli.CommandLine.Option;

/** The language of the passages. */
public final class LanguageOption {
    @Heading("Benchmark:")
    @Option(
            names = "--language",
            paramLabel = "CODE",
            description =
                    "Language of the passages: an ISO 639-1 code, or its English name (default: as dataset.yaml says,"
                            + " else detected).")
    private String language = "";

    /** Returns the ISO 639-1 code; empty if none is given. */
    public String code() {
        return language.isEmpty() ? "" : Language.code(language);
    }

    public Datasets datasets(Session session) {
        return new Datasets(session, code());
    }
}
