package io.posbias.data.dataset;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.text.Printable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

    static final String QUERY = "query_id";
    static final String SECOND = "second";

    private static final int SHOWN = 12;

    /** @throws BadInputException for a malformed or empty list */
    public static SingleEvidence of(Path list) {
        byte[] content = Json.toLine(new TreeMap<>(read(list)));
        return new SingleEvidence(list.toAbsolutePath().normalize(), Checksums.sha256(content));
    }

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
        return list == null ? "answer" : sha256 + " " + list;
    }

    /** Names the way for settings, without folders: {@code answer}, or file and digest of a list. */
    String name() {
        return list == null ? text() : list.getFileName() + " " + sha256.substring(0, SHOWN);
    }

    /** Returns true by identifier for queries that the list leaves out, false for those that it keeps; empty without a list. */
    Map<String, Boolean> listed() {
        return list == null ? Map.of() : read(list);
    }

    private static Map<String, Boolean> read(Path list) {
        Map<String, Boolean> listed = new HashMap<>();
        RowFile.open(list).forEach(row -> {
            String side = row.oneOf(SECOND, "", SecondEvidence.Side.WORDS);
            if (listed.put(row.id(QUERY), !side.equals(SecondEvidence.Side.NONE.toString())) != null) {
                throw row.bad(QUERY, "is " + Printable.quoted(row.id(QUERY)) + " once more", "one row for each query");
            }
        });
        if (listed.isEmpty()) {
            throw new BadInputException(
                    Location.of(list), "has no rows", "posbias diagnose second-evidence --out FILE writes them");
        }
        return listed;
    }
}
