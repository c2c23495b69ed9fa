package io.posbias.study.diagnose;

import io.posbias.base.plot.Figure;
import io.posbias.base.plot.HeatMaps;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Similarity of domains within each language: the cosine of the mean passage vectors, as in Figure 6 of PosIR (arXiv:2601.08363).
 * Benchmarks of one domain and language are pooled.
 *
 * @param pairs all ordered pairs of different domains
 */
public record DomainSimilarity(String model, List<Pair> pairs) {
    private static final int BATCH = 4096;

    public record Pair(
            @Meaning("language of the passages") String language,
            @Meaning("domain") String domain,
            @Meaning("another domain of the language") String other,

            @Meaning(value = "cosine of the mean passage vectors", unit = "cosine")
            double cosine) {}

    public static final RecordCsv<Pair> PAIRS = new RecordCsv<>(Pair.class);

    private record Domain(String language, String name) {}

    /** Sum of the vectors of a domain's passages. */
    private static final class Sum {
        private double[] values = new double[0];

        void add(float[] vector) {
            if (values.length == 0) {
                values = new double[vector.length];
            }
            for (int i = 0; i < vector.length; i++) {
                values[i] += vector[i];
            }
        }
    }

    private record Neighbours(String language, String domain, Pair nearest, Pair farthest, double mean) {}

    private static final Columns<Neighbours> NEIGHBOURS = new Columns<Neighbours>()
            .label("language", Neighbours::language)
            .label("domain", Neighbours::domain)
            .number("mean", NumberFormat.FRACTION, Neighbours::mean)
            .text("nearest", row -> row.nearest().other())
            .number("cosine", NumberFormat.FRACTION, row -> row.nearest().cosine())
            .text("farthest", row -> row.farthest().other())
            .number("cosine", NumberFormat.FRACTION, row -> row.farthest().cosine());

    /**
     * Encodes passages and compares domains.
     *
     * @param n passages to draw per benchmark; null: all
     * @throws UsageException if no language has two domains
     */
    public static DomainSimilarity of(
            String model, List<Dataset> datasets, VectorSource encoder, @Nullable Integer n, int seed) {
        SequencedMap<Domain, Sum> sums = new LinkedHashMap<>();
        for (Dataset dataset : datasets) {
            Domain domain = new Domain(dataset.card().language(), CollectionLengths.domain(dataset.name()));
            add(dataset, encoder, n, seed, sums.computeIfAbsent(domain, none -> new Sum()));
        }
        List<Pair> pairs = new ArrayList<>();
        sums.forEach((one, mean) -> sums.forEach((other, its) -> {
            if (one.language().equals(other.language()) && !one.equals(other)) {
                pairs.add(new Pair(one.language(), one.name(), other.name(), cosine(mean.values, its.values)));
            }
        }));
        if (pairs.isEmpty()) {
            throw new UsageException("--domains needs two domains of a language, for example posir/eng-Latn");
        }
        return new DomainSimilarity(model, pairs);
    }

    private static void add(Dataset dataset, VectorSource encoder, @Nullable Integer n, int seed, Sum sum) {
        BitSet drawn = new BitSet();
        List<Integer> all =
                IntStream.range(0, dataset.passages().size()).boxed().toList();
        (n == null ? all : Sampler.draw(all, n, seed)).forEach(drawn::set);
        List<String> batch = new ArrayList<>();
        dataset.passages().inFileOrder((ordinal, passage) -> {
            if (drawn.get(ordinal)) {
                batch.add(passage.content());
            }
            if (batch.size() == BATCH) {
                encode(dataset, encoder, batch, sum);
            }
        });
        encode(dataset, encoder, batch, sum);
    }

    private static void encode(Dataset dataset, VectorSource encoder, List<String> batch, Sum sum) {
        if (!batch.isEmpty()) {
            Vectors vectors = encoder.encode(List.copyOf(batch), Role.PASSAGE, "encode " + dataset.name());
            IntStream.range(0, batch.size()).forEach(i -> sum.add(vectors.read(i)));
            batch.clear();
        }
    }

    private static double cosine(double[] one, double[] other) {
        double product = 0;
        double squares = 0;
        double others = 0;
        for (int i = 0; i < one.length; i++) {
            product += one[i] * other[i];
            squares += one[i] * one[i];
            others += other[i] * other[i];
        }
        return product / Math.sqrt(squares * others);
    }

    /** Returns the nearest and farthest domain of each domain. */
    public Table table() {
        List<Neighbours> rows = new ArrayList<>();
        Comparator<Pair> order = Comparator.comparingDouble(Pair::cosine);
        Map<Domain, List<Pair>> domains = pairs.stream()
                .collect(Collectors.groupingBy(
                        pair -> new Domain(pair.language(), pair.domain()), LinkedHashMap::new, Collectors.toList()));
        for (List<Pair> own : domains.values()) {
            rows.add(new Neighbours(
                    own.getFirst().language(),
                    own.getFirst().domain(),
                    own.stream().max(order).orElseThrow(),
                    own.stream().min(order).orElseThrow(),
                    own.stream().mapToDouble(Pair::cosine).average().orElseThrow()));
        }
        return NEIGHBOURS.table("Similarity of domains (PosIR's Figure 6), " + model, rows, List.of());
    }

    public Table raw() {
        return PAIRS.table(pairs);
    }

    public Map<String, Figure> figures() {
        Map<String, Figure> figures = new LinkedHashMap<>();
        pairs.stream().map(Pair::language).distinct().forEach(language -> {
            List<Pair> own = pairs.stream()
                    .filter(pair -> pair.language().equals(language))
                    .toList();
            List<String> names = own.stream().map(Pair::domain).distinct().toList();
            List<HeatMaps.Line> lines = new ArrayList<>();
            for (String row : names) {
                List<@Nullable Double> numbers = new ArrayList<>();
                for (String column : names) {
                    numbers.add(own.stream()
                            .filter(pair ->
                                    pair.domain().equals(row) && pair.other().equals(column))
                            .map(Pair::cosine)
                            .findFirst()
                            .orElse(null));
                }
                lines.add(HeatMaps.Line.of("", "", row, numbers, names.size() > 8 ? "" : "%.2f"));
            }
            String name = "domains-" + (language.isEmpty() ? "unknown" : language);
            figures.put(
                    name,
                    HeatMaps.figure(
                            name,
                            "Similarity of domains: " + language,
                            lines,
                            names,
                            0.1,
                            "",
                            "",
                            "cosine of mean vectors, " + model));
        });
        return figures;
    }
}
