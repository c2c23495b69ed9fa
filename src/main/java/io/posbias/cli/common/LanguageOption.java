package io.posbias.cli.common;

import io.posbias.base.process.Session;
import io.posbias.data.convert.Reading;
import io.posbias.data.dataset.Language;
import io.posbias.data.named.Datasets;
import picocli.CommandLine.Option;

/** The language of the passages, and the columns of own rows. */
public final class LanguageOption {
    @Heading("Benchmark:")
    @Option(
            names = "--language",
            paramLabel = "CODE",
            description =
                    "Language of the passages: an ISO 639-1 code, or its English name (default: as dataset.yaml says,"
                            + " else detected).")
    private String language = "";

    @Heading("Benchmark:")
    @Option(
            names = "--text-field",
            paramLabel = "NAME",
            description =
                    "Column of rows with the documents, or with the texts of questions (default: text or context).")
    private String text = "";

    @Heading("Benchmark:")
    @Option(
            names = "--question-field",
            paramLabel = "NAME",
            description = "Column of rows with the questions (default: question or query).")
    private String question = "";

    @Heading("Benchmark:")
    @Option(
            names = "--answer-field",
            paramLabel = "NAME",
            description = "Column of rows with the answers (default: answer or answers).")
    private String answer = "";

    /** Returns the ISO 639-1 code; empty if none is given. */
    public String code() {
        return language.isEmpty() ? "" : Language.code(language);
    }

    /** Returns what is said about own data. */
    public Reading reading() {
        return new Reading(code(), text, question, answer);
    }

    public Datasets datasets(Session session) {
        return new Datasets(session, reading());
    }
}
