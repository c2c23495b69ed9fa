package io.posbias.data.dataset;

import io.posbias.base.files.FileNames;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recognises queries that another sentence of their passage answers, too; a benchmark is read without them:
 * {@link DatasetCard.Field#SINGLE_EVIDENCE}.
 *
 * @param list rows of {@code diagnose second-evidence}; null for the text of the evidence
 * @param sha256 of the list's identifiers and of those that it leaves out; empty without
 */
public record SingleEvidence(@Nullable Path list, String sha256) {
    /** Recognises queries by the text of their evidence. */
    public static final SingleEvidence ANSWER = new SingleEvidence(null, "");

    static final String BY_ANSWER = "answer";
    private static final int SHOWN = 12;

    /** Reads the field of a card; empty if it has none. */
    static Optional<SingleEvidence> of(DatasetCard card) {
        String text = card.text(DatasetCard.Field.SINGLE_EVIDENCE);
        int space = text.indexOf(' ');
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        space < 0
                                ? ANSWER
                                : new SingleEvidence(
                                        FileNames.path(text.substring(space + 1)), text.substring(0, space)));
    }

    /** Returns the text of the card's field. */
    public String text() {
        return list == null ? BY_ANSWER : sha256 + " " + list;
    }

    /** Names the way for settings, without folders: {@code answer}, or file and digest of a list. */
    String name() {
        return list == null ? text() : list.getFileName() + " " + sha256.substring(0, SHOWN);
    }
}
