package io.posbias.data.convert;

import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Query;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Copies a benchmark with a subset of its queries.
 *
 * @param draw selects queries in file order
 */
public record SubsetConverter(Dataset dataset, Function<List<Query>, List<Query>> draw, DatasetCard card)
        implements Converter {
    @Override
    public DatasetCard convert(DatasetWriter out) {
        List<Query> drawn = draw.apply(dataset.queries());
        if (drawn.isEmpty()) {
            throw new PosbiasException("nothing was drawn from " + dataset.name() + ": no query fits");
        }
        dataset.passages().inFileOrder((ordinal, passage) -> out.passage(passage));
        drawn.forEach(query -> writeQuery(dataset, query, out));
        return card;
    }

    /**
     * Copies a sample: queries, all passages that are judged for them, and others up to a number of passages.
     *
     * @param passages reached unless more are judged
     */
    public static Converter sample(Dataset dataset, List<Query> drawn, int passages, DatasetCard card) {
        return out -> {
            PassageIds ids = dataset.passages().ids();
            BitSet kept = new BitSet();
            for (Query query : drawn) {
                Judgments judgments = dataset.qrels().of(query.id());
                IntStream.of(judgments == null ? new int[0] : judgments.passages())
                        .forEach(kept::set);
                query.excluded().stream()
                        .map(ids::ordinal)
                        .filter(own -> own >= 0)
                        .forEach(kept::set);
            }
            Random random = new Random(Sampler.PAPER_SEED);
            while (kept.cardinality() < Math.min(passages, ids.size())) {
                kept.set(random.nextInt(ids.size()));
            }
            dataset.passages().inFileOrder((ordinal, passage) -> {
                if (kept.get(ordinal)) {
                    out.passage(passage);
                }
            });
            drawn.forEach(query -> writeQuery(dataset, query, out));
            return card;
        };
    }

    /** Takes back what the card's {@code exclude_self} adds; the copy has the field too. */
    private static Query asInFile(Dataset dataset, Query query) {
        return dataset.card().excludesSelf()
                ? query.excluding(query.excluded().stream()
                        .filter(id -> !id.equals(query.id()))
                        .toList())
                : query;
    }

    static void writeQuery(Dataset dataset, Query query, DatasetWriter out) {
        Judgments judgments = dataset.qrels().of(query.id());
        out.query(asInFile(dataset, query), judgments != null && judgments.passages().length == 0);
        if (judgments == null) {
            return;
        }
        for (int passage : judgments.passages()) {
            out.judgment(query.id(), dataset.passages().ids().id(passage), judgments.grade(passage));
        }
    }
}
