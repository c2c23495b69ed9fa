package io.posbias.study.build;

import io.posbias.base.files.FileParts;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Passages;
import io.posbias.data.input.LineReader;
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
 * The documents that a pipeline's first stage kept: identifiers in memory, texts on disk. Safe for several threads.
 */
public final class SourceDocuments implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final Map<String, Place> places = new LinkedHashMap<>();
    private PassageIds ids;
    private boolean overlap;

    private record Place(long offset, int length) {}

    /**
     * Indexes the documents in a stage's file.
     *
     * @param file each line must end with one {@code \n}
     * @param language ISO 639-1 code of translations; empty for originals
     */
    SourceDocuments(Path file, String language) {
        this.file = file;
        try (InputStream in = Files.newInputStream(file)) {
            LineReader lines = new LineReader(in);
            long offset = 0;
            while (lines.next()) {
                byte[] line = Arrays.copyOfRange(lines.bytes(), lines.start(), lines.start() + lines.length());
                Candidate candidate = new Candidate(Json.parse(file, line));
                if (isDocument(candidate) && candidate.language().equals(language)) {
                    overlap |= candidate.has(Candidate.ARTICLE);
                    if (places.put(candidate.document(), new Place(offset, line.length)) != null) {
                        throw new PosbiasException(file + ": two passages have the identifier "
                                + Printable.quoted(candidate.document())
                                + ": that of a document ends like the number of another one's passage; rename it");
                    }
                }
                offset += line.length + 1L;
            }
            channel = FileChannel.open(file);
        } catch (IOException unreadable) {
            throw IoErrors.refused("read", file, unreadable);
        }
        ids = new PassageIds(places.keySet());
    }

    private static boolean isDocument(Candidate candidate) {
        return candidate.dropped().isEmpty() && candidate.has(Candidate.TEXT) && !candidate.has(Candidate.QUESTION);
    }

    public boolean has(String id) {
        return places.containsKey(id);
    }

    public int size() {
        return places.size();
    }

    public String text(String id) {
        return line(id).text(Candidate.TEXT);
    }

    void remove(Collection<String> some) {
        places.keySet().removeAll(some);
        ids = new PassageIds(places.keySet());
    }

    /** Returns the documents as a corpus, in the order of the first stage. */
    public Passages passages() {
        return passages(places.keySet(), ids);
    }

    Passages passages(Predicate<String> wanted) {
        List<String> some = places.keySet().stream().filter(wanted).toList();
        return passages(some, new PassageIds(some));
    }

    private Passages passages(Collection<String> some, PassageIds their) {
        return Passages.streamed(visitor -> some.forEach(id -> visitor.accept(passage(id))), their);
    }

    private Passage passage(String id) {
        Candidate line = line(id);
        return new Passage(id, "", line.text(Candidate.TEXT), line.fields().text(Candidate.ARTICLE, ""));
    }

    /** Returns true if documents overlap, so that an evidence stands in several. */
    boolean overlap() {
        return overlap;
    }

    void forEach(Consumer<Candidate> visitor) {
        places.keySet().forEach(id -> visitor.accept(line(id)));
    }

    private Candidate line(String id) {
        Place place = places.get(id);
        if (place == null) {
            throw new IllegalArgumentException("no document " + id);
        }
        byte[] line = IoErrors.call("read", file, () -> FileParts.read(channel, place.offset, place.length));
        return new Candidate(Json.parse(file, line));
    }

    @Override
    public void close() {
        IoErrors.run("close", file, channel::close);
    }
}
