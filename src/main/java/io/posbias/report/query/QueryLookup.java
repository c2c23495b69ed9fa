package io.posbias.report.query;

import io.posbias.Printable;
import io.posbias.Session;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.evaluate.LazyDataset;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Measure;
import io.posbias.measure.Placement;
import io.posbias.measure.Profile;
import io.posbias.measure.Truncation;
import io.posbias.position.Strata;
import io.posbias.result.FinishedCell;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.trec.RunReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds one query in finished cells: scores and place from queries.csv, the ranking from run.trec.gz, texts from the benchmark.
 *
 * @param id the query's identifier
 * @param k how many passages of a ranking are shown
 * @param benchmarks where texts are looked for
 * @param session told what is done
 */
public record QueryLookup(String id, int k, Benchmarks benchmarks, Session session) {
    /** The longest excerpt of a relevant passage, in UTF-16 units. */
    private static final int PASSAGE = 2_000;

    /** Of a passage in a ranking. */
    private static final int LINE = 100;

    /** A cell that has the query. */
    private record Holding(FinishedCell cell, FinishedCell.Queries queries, int place) {
        Query query() {
            return queries.scores().queries().get(place);
        }
    }

    /**
     * The query in each benchmark that has it.
     *
     * @throws UsageException if none has it, with the nearest that they have
     */
    public List<ShownQuery> find(List<FinishedCell> cells) {
        Set<String> others = new LinkedHashSet<>();
        Map<String, List<Holding>> found = new LinkedHashMap<>();
        session.step(
                        "read queries",
                        () -> cells.stream()
                                .map(cell -> Map.entry(cell, cell.queries()))
                                .toList())
                .forEach(read -> {
                    List<String> ids = read.getValue().scores().queries().stream()
                            .map(Query::id)
                            .toList();
                    others.addAll(ids);
                    int place = ids.indexOf(id);
                    if (place >= 0) {
                        found.computeIfAbsent(read.getKey().result().dataset(), name -> new ArrayList<>())
                                .add(new Holding(read.getKey(), read.getValue(), place));
                    }
                });
        if (found.isEmpty()) {
            throw new UsageException("no result has a query " + Printable.quoted(id)
                    + Suggestions.choice(Suggestions.near(id, others).stream()
                                    .map(Printable::cut)
                                    .toList())
                            .map(names -> "; did you mean " + names + "?")
                            .orElse(""));
        }
        return found.entrySet().stream()
                .map(each -> shown(each.getKey(), each.getValue()))
                .toList();
    }

    private ShownQuery shown(String name, List<Holding> holding) {
        Benchmarks.Found found =
                benchmarks.find(name, holding.stream().map(Holding::cell).toList());
        LazyDataset benchmark = found.benchmark();
        if (benchmark == null) {
            benchmarks.say("texts and rankings", name, found.missing());
            return shown(
                    name,
                    holding.getFirst(),
                    null,
                    List.of(),
                    holding.stream().map(one -> answer(one, null)).toList(),
                    found.missing());
        }
        Dataset dataset = benchmark.open();
        Query query = dataset.queries().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
        Map<FinishedCell, Ranking> rankings = new LinkedHashMap<>();
        found.cells().forEach(cell -> ranking(cell, dataset).ifPresent(ranking -> rankings.put(cell, ranking)));
        Texts texts = texts(dataset, query, rankings.values());
        return shown(
                name,
                holding.getFirst(),
                query.text(),
                texts.relevant(),
                holding.stream()
                        .map(one -> answer(
                                one,
                                Optional.ofNullable(rankings.get(one.cell()))
                                        .map(ranking -> new Read(texts, ranking))
                                        .orElse(null)))
                        .toList(),
                null);
    }

    private ShownQuery shown(
            String name,
            Holding one,
            @Nullable String text,
            List<ShownQuery.Text> relevant,
            List<ShownQuery.Answer> answers,
            @Nullable String missing) {
        Placement placement = one.queries().placement();
        Evidence evidence = one.query().evidence();
        Evidence placed = evidence != null && evidence.isPlaced() ? evidence : null;
        return new ShownQuery(
                name,
                id,
                text,
                Arrays.stream(placement.bucketsOf(one.place()))
                        .mapToObj(placement.bucketNames()::get)
                        .toList(),
                placement.bandOf(one.place()),
                placed == null ? null : (Integer) placed.start(),
                placed == null ? null : (Integer) placed.end(),
                placed == null ? null : (Integer) placed.textLength(),
                relevant,
                answers,
                missing);
    }

    /** The ranking of a cell whose run is there. */
    private Optional<Ranking> ranking(FinishedCell cell, Dataset dataset) {
        return cell.file(ResultFolder.RUN).map(file -> {
            Run run = session.step(
                    "read the run of " + cell.name(),
                    () -> RunReader.read(file, dataset).run().withoutExcluded(dataset));
            return run.of(id);
        });
    }

    /**
     * Texts that are shown.
     *
     * @param judgments of the query
     * @param passages by ordinal
     * @param holder the passage that holds the evidence; null where that is not known
     * @param evidence where it is in its passage; null where that is not known
     */
    private record Texts(
            Judgments judgments,
            Map<Integer, Passage> passages,
            @Nullable Passage holder,
            @Nullable Span evidence) {
        Excerpt excerpt(Passage passage, int limit) {
            return Excerpt.of(passage.text(), passage.equals(holder) ? evidence : null, limit);
        }

        /** The one that holds the evidence first. */
        List<ShownQuery.Text> relevant() {
            List<Passage> all = Arrays.stream(judgments.relevantPassages())
                    .mapToObj(ordinal -> Objects.requireNonNull(passages.get(ordinal)))
                    .toList();
            return Stream.concat(
                            all.stream().filter(passage -> passage.equals(holder)),
                            all.stream().filter(passage -> !passage.equals(holder)))
                    .map(passage -> new ShownQuery.Text(passage.id(), passage.title(), excerpt(passage, PASSAGE)))
                    .toList();
        }
    }

    private record Read(Texts texts, Ranking ranking) {}

    /** The corpus is read once. */
    private Texts texts(Dataset dataset, Query query, Iterable<Ranking> rankings) {
        Judgments judgments = Objects.requireNonNull(dataset.qrels().of(id), "scored queries are judged");
        Set<Integer> wanted =
                Arrays.stream(judgments.relevantPassages()).boxed().collect(Collectors.toSet());
        rankings.forEach(ranking ->
                IntStream.range(0, Math.min(k, ranking.size())).forEach(rank -> wanted.add(ranking.passage(rank))));
        Map<Integer, Passage> passages = new HashMap<>();
        dataset.passages().forEach((ordinal, passage) -> {
            if (wanted.contains(ordinal)) {
                passages.put(ordinal, passage);
            }
        });
        List<Passage> relevant = Arrays.stream(judgments.relevantPassages())
                .mapToObj(ordinal -> Objects.requireNonNull(passages.get(ordinal)))
                .toList();
        return new Texts(
                judgments,
                passages,
                Holder.of(query.evidence(), relevant),
                query.evidence() == null ? null : query.evidence().span());
    }

    private ShownQuery.Answer answer(Holding one, @Nullable Read read) {
        Map<String, Double> scores = new LinkedHashMap<>();
        for (Measure measure : one.queries().scores().measures()) {
            scores.put(measure.toString(), one.queries().scores().of(scores.size())[one.place()]);
        }
        Result result = one.queries().result();
        return new ShownQuery.Answer(
                result.model(),
                scores,
                read == null ? null : firstRelevant(read),
                read == null ? null : (Integer) read.ranking().size(),
                read == null
                        ? List.of()
                        : IntStream.range(0, Math.min(k, read.ranking().size()))
                                .mapToObj(rank -> hit(read, rank))
                                .toList(),
                unread(result, one));
    }

    private static @Nullable Integer firstRelevant(Read read) {
        for (int rank = 0; rank < read.ranking().size(); rank++) {
            if (read.texts().judgments().grade(read.ranking().passage(rank)) > 0) {
                return rank + 1;
            }
        }
        return null;
    }

    private static ShownQuery.Hit hit(Read read, int rank) {
        int ordinal = read.ranking().passage(rank);
        Passage passage = Objects.requireNonNull(read.texts().passages().get(ordinal));
        Judgments judgments = read.texts().judgments();
        boolean judged = Arrays.binarySearch(judgments.passages(), ordinal) >= 0;
        return new ShownQuery.Hit(
                rank + 1,
                passage.id(),
                read.ranking().score(rank),
                judged ? (Integer) judgments.grade(ordinal) : null,
                read.texts().excerpt(passage, LINE));
    }

    /** Results count what was not read by bucket, not by query. */
    private static List<String> unread(Result result, Holding one) {
        List<String> lines = new ArrayList<>();
        Placement placement = one.queries().placement();
        for (Truncation truncation : result.retrieval().truncations()) {
            if (!truncation.known() && truncation.isWorthTelling()) {
                lines.add(truncation.stage() + ": the service may have cut texts and does not say which");
            }
            for (int bucket : placement.bucketsOf(one.place())) {
                String name = placement.bucketNames().get(bucket);
                truncation.buckets().stream()
                        .filter(cut -> cut.bucket().equals(name) && cut.startsPast() > 0)
                        .forEach(cut -> lines.add(truncation.stage() + " reads " + truncation.maxTokens()
                                + " tokens: of " + queries(result, name) + " queries in " + name + ", "
                                + cut.startsPast() + " have their evidence past the cut"));
            }
        }
        return lines;
    }

    private static int queries(Result result, String bucket) {
        Profile all = Objects.requireNonNull(result.profile(result.measures().getFirst(), Strata.ALL));
        return all.buckets().stream()
                .filter(own -> own.bucket().equals(bucket))
                .mapToInt(BucketMean::queries)
                .sum();
    }
}
