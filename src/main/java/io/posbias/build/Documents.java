package io.posbias.build;

import io.posbias.FileParts;
import io.posbias.IoErrors;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.LineReader;
import io.posbias.dataset.Passage;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Qrels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The documents of a pipeline, as its first stage wrote them: identifiers in memory, texts on disk and in any order. Safe for
 * several threads.
 */
public final class Documents implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final Map<String, Place> places = new LinkedHashMap<>();
    private PassageIds ids;

    /** A document's line in the file. */
    private record Place(long offset, int length) {}

    /**
     * Reads where the documents are that a stage kept.
     *
     * @param file of that stage, each line of which ends with one {@code \n}
     * @param language of translations, as an ISO 639-1 code; empty for documents that are none
     */
    Documents(Path file, String language) {
        this.file = file;
        try (InputStream in = Files.newInputStream(file)) {
            LineReader lines = new LineReader(in);
            long offset = 0;
            while (lines.next()) {
                byte[] line = Arrays.copyOfRange(lines.bytes(), lines.start(), lines.start() + lines.length());
                Candidate candidate = Candidate.read(Json.parse(file, line));
                if (isDocument(candidate) && candidate.language().equals(language)) {
                    places.put(candidate.document(), new Place(offset, line.length));
                }
                offset += line.length + 1L;
            }
            channel = FileChannel.open(file);
        } catch (IOException unreadable) {
            throw new PosbiasException(IoErrors.describe("read", file, unreadable), unreadable);
        }
        ids = new PassageIds(places.keySet());
    }

    private static boolean isDocument(Candidate candidate) {
        return candidate.dropped().isEmpty() && candidate.has(Candidate.TEXT) && !candidate.has(Candidate.QUESTION);
    }

    /** Whether there is such a document. */
    public boolean has(String id) {
        return places.containsKey(id);
    }

    /** How many there are. */
    public int size() {
        return places.size();
    }

    /** The text of a document. */
    public String text(String id) {
        return line(id).text(Candidate.TEXT);
    }

    /** Leaves documents out from now on. */
    void remove(Collection<String> some) {
        places.keySet().removeAll(some);
        ids = new PassageIds(places.keySet());
    }

    /** All documents as a benchmark without questions, for retrievers. */
    Dataset dataset(String language) {
        DatasetCard card = DatasetCard.named("documents").with(DatasetCard.Field.LANGUAGE, language);
        return new Dataset(card, Map.of(), passages(), List.of(), new Qrels(Map.of()));
    }

    /** All documents in the order of the first stage, as a corpus. */
    public Passages passages() {
        return passages(places.keySet(), ids);
    }

    /** Some of the documents, in the same order. */
    Passages passages(Predicate<String> wanted) {
        List<String> some = places.keySet().stream().filter(wanted).toList();
        return passages(some, new PassageIds(some));
    }

    private Passages passages(Collection<String> some, PassageIds their) {
        return Passages.streamed(visitor -> some.forEach(id -> visitor.accept(new Passage(id, "", text(id)))), their);
    }

    /** All documents in the order of the first stage, with all that it says of them. */
    void forEach(Consumer<Candidate> visitor) {
        places.keySet().forEach(id -> visitor.accept(line(id)));
    }

    private Candidate line(String id) {
        Place place = places.get(id);
        if (place == null) {
            throw new IllegalArgumentException("no document " + id);
        }
        byte[] line = IoErrors.call("read", file, () -> FileParts.read(channel, place.offset, place.length));
        return Candidate.read(Json.parse(file, line));
    }

    @Override
    public void close() {
        IoErrors.run("close", file, channel::close);
    }
}
