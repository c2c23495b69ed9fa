package io.posbias.dataset;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.Location;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A corpus: its identifiers are in memory, its texts come from disk each time they are needed, or from memory too. */
public final class Passages {
    /** Gives all passages one after another, in the same order each time. */
    private final Consumer<Consumer<Passage>> source;

    private final PassageIds ids;

    private Passages(Consumer<Consumer<Passage>> source, PassageIds ids) {
        this.source = source;
        this.ids = ids;
    }

    /**
     * Opens a file of passages, such as a benchmark's corpus, by its name as {@link RowFile#open}; it is read once for the
     * identifiers.
     *
     * @throws PosbiasException with one line for a row that is no passage, an identifier that occurs twice, or no passage
     */
    public static Passages open(Path path) {
        RowFile file = RowFile.open(path);
        Set<String> ids = new HashSet<>();
        file.forEach(row -> addId(ids, row, read(row)));
        if (ids.isEmpty()) {
            throw new BadInputException(Location.of(path), "holds no passage", "there must be at least one");
        }
        return in(file, new PassageIds(ids));
    }

    /** Notes an identifier, which no earlier passage may have. */
    static void addId(Set<String> ids, Fields row, Passage passage) {
        if (!ids.add(passage.id())) {
            throw row.bad(
                    "_id",
                    "is " + Printable.quoted(passage.id()) + ", which an earlier passage has too",
                    "identifiers are unique");
        }
    }

    /** The passages in the rows of a file. */
    static Passages in(RowFile file, PassageIds ids) {
        return new Passages(
                visitor -> file.forEach(row -> {
                    Passage passage = read(row);
                    if (ids.ordinal(passage.id()) < 0) {
                        throw new PosbiasException(row.where() + ": the corpus changed while it was read; run again");
                    }
                    visitor.accept(passage);
                }),
                ids);
    }

    /**
     * Passages that come from elsewhere each time they are needed.
     *
     * @param source gives all passages one after another, in the same order each time
     * @param ids their identifiers
     */
    public static Passages streamed(Consumer<Consumer<Passage>> source, PassageIds ids) {
        return new Passages(source, ids);
    }

    /** Passages in memory, in their order; their identifiers differ. */
    public static Passages of(List<Passage> passages) {
        List<Passage> own = List.copyOf(passages);
        return new Passages(
                own::forEach, new PassageIds(own.stream().map(Passage::id).toList()));
    }

    /**
     * Several corpora, one after another.
     *
     * @param corpora by what is put before the identifiers of each
     */
    static Passages joined(Map<String, Passages> corpora) {
        List<String> ids = new ArrayList<>();
        corpora.forEach((prefix, passages) -> {
            for (int ordinal = 0; ordinal < passages.size(); ordinal++) {
                ids.add(prefix + passages.ids().id(ordinal));
            }
        });
        return new Passages(
                visitor -> corpora.forEach((prefix, passages) -> passages.source.accept(passage ->
                        visitor.accept(new Passage(prefix + passage.id(), passage.title(), passage.text())))),
                new PassageIds(ids));
    }

    /**
     * The same passages, changed each time they are read.
     *
     * @param change keeps the identifier
     */
    public Passages map(UnaryOperator<Passage> change) {
        return new Passages(visitor -> source.accept(passage -> visitor.accept(change.apply(passage))), ids);
    }

    /** The identifiers. */
    public PassageIds ids() {
        return ids;
    }

    /** How many passages there are. */
    public int size() {
        return ids.size();
    }

    /**
     * Reads all passages in file order.
     *
     * @param visitor takes one passage after another, with its ordinal in {@link #ids}
     */
    public void forEach(BiConsumer<Integer, Passage> visitor) {
        source.accept(passage -> visitor.accept(ids.ordinal(passage.id()), passage));
    }

    /** The passage in a row of a corpus. */
    public static Passage read(Fields row) {
        return new Passage(row.trecId("_id"), row.text("title", ""), row.text("text"));
    }
}
