package io.posbias.data.dataset;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A corpus: identifiers in memory, texts streamed on each visit. */
public final class Passages {
    /** Field of a row whose fields are not indexed, as in BEIR. */
    static final String METADATA = "metadata";

    static final String ARTICLE = "article";

    private static final List<String> FIELDS = List.of("_id", "id", "title", "text", METADATA);

    private final Consumer<Consumer<Passage>> source;

    private final PassageIds ids;

    private Passages(Consumer<Consumer<Passage>> source, PassageIds ids) {
        this.source = source;
        this.ids = ids;
    }

    /**
     * Opens a file of passages and reads its identifiers.
     *
     * @throws PosbiasException with one line for an invalid row, a duplicate identifier or an empty file
     */
    public static Passages open(RowFile file) {
        Set<String> ids = new HashSet<>();
        file.forEach(row -> addId(ids, file, row, read(row)));
        if (ids.isEmpty()) {
            throw new BadInputException(Location.of(file.path()), "holds no passage", "there must be at least one");
        }
        return in(file, new PassageIds(ids));
    }

    /** @throws BadInputException if an earlier passage of the file has the identifier, naming both places */
    static void addId(Set<String> ids, RowFile file, Fields row, Passage passage) {
        if (!ids.add(passage.id())) {
            file.forEach(other -> {
                if (id(other).equals(passage.id())) {
                    throw repeated(row, passage.id(), other.where());
                }
            });
        }
    }

    static BadInputException repeated(Fields row, String id, Location first) {
        return row.bad(
                row.named("_id", "id"),
                "is " + Printable.quoted(id) + ", which " + first.inFolder() + " has too",
                "identifiers are unique");
    }

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
     * Streams passages from a source.
     *
     * @param source visits all passages in a stable order
     */
    public static Passages streamed(Consumer<Consumer<Passage>> source, PassageIds ids) {
        return new Passages(source, ids);
    }

    public static Passages of(List<Passage> passages) {
        List<Passage> own = List.copyOf(passages);
        return new Passages(
                own::forEach, new PassageIds(own.stream().map(Passage::id).toList()));
    }

    /**
     * Joins corpora.
     *
     * @param corpora by prefix of identifiers
     */
    static Passages joined(Map<String, Passages> corpora) {
        List<String> ids = new ArrayList<>();
        corpora.forEach((prefix, passages) -> {
            for (int ordinal = 0; ordinal < passages.size(); ordinal++) {
                ids.add(prefix + passages.ids().id(ordinal));
            }
        });
        return new Passages(
                visitor -> corpora.forEach((prefix, passages) ->
                        passages.source.accept(passage -> visitor.accept(passage.withId(prefix + passage.id())))),
                new PassageIds(ids));
    }

    /** Applies a change to each passage on each visit; identifiers must stay. */
    public Passages map(UnaryOperator<Passage> change) {
        return new Passages(visitor -> source.accept(passage -> visitor.accept(change.apply(passage))), ids);
    }

    public PassageIds ids() {
        return ids;
    }

    public int size() {
        return ids.size();
    }

    /** Visits all passages by ascending ordinal, so that the place in a list is the ordinal; reads all texts into memory. */
    public void forEach(BiConsumer<Integer, Passage> visitor) {
        Passage[] all = new Passage[size()];
        inFileOrder((ordinal, passage) -> all[ordinal] = passage);
        for (int ordinal = 0; ordinal < all.length; ordinal++) {
            visitor.accept(ordinal, all[ordinal]);
        }
    }

    /** Visits all passages in the order of the file, which is not that of their ordinals; keeps none. */
    public void inFileOrder(BiConsumer<Integer, Passage> visitor) {
        source.accept(passage -> visitor.accept(ids.ordinal(passage.id()), passage));
    }

    public static Passage read(Fields row) {
        row.refuseMisspelt(FIELDS);
        String title = row.text("title", "");
        return new Passage(id(row), title, row.text("text"), article(row, title));
    }

    /** Returns the name of a passage's article, or its number; the title without one. */
    private static String article(Fields row, String title) {
        if (!(row.raw(METADATA) instanceof Map<?, ?>)) {
            return title;
        }
        Fields metadata = row.record(METADATA);
        metadata.refuseMisspelt(List.of(ARTICLE));
        return !metadata.has(ARTICLE)
                ? title
                : metadata.raw(ARTICLE) instanceof Number ? metadata.id(ARTICLE) : metadata.text(ARTICLE);
    }

    /** Returns the identifier of a row, {@code _id} or MTEB's {@code id}. */
    static String id(Fields row) {
        return row.trecId(row.named("_id", "id"));
    }
}
