package io.posbias.data.dataset;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a benchmark in BEIR's layout and checks it. The corpus is read once for identifiers and spans; texts stay on
 * disk.
 *
 * <p>Evidence fields of a query are PosIR's: {@code pos_char_span} [start, end) and {@code pos_char_length} in code
 * points, {@code pos_token_length} in tokens, {@code span_class} for labels. With several relevant passages {@code
 * pos_corpus_id} names the one with the span. {@code excluded_ids} names passages to exclude from rankings; {@code
 * variant_of}, {@code variant_place} and {@code variant_document} describe a {@link Query.Variant}.
 *
 * <p>The texts of {@link Answers} give the spans of queries without one, and correct spans: {@link AnswerSearch}.
 *
 * <p>Judgements of absent passages and queries are refused, or left out by {@code missing_judged: drop}. A query that loses
 * all relevant passages stays and scores 0, as in BEIR.
 */
public final class DatasetReader {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetReader.class);

    private final DatasetFiles files;
    private final DatasetCard card;
    private final Map<String, QueryRow> queries = new LinkedHashMap<>();
    private final Map<String, Map<String, JudgedRow>> judged = new LinkedHashMap<>();
    private final Map<String, List<QueryRow>> evidenceByPassage = new HashMap<>();
    private final AnswerSearch search;

    private final Language.Letters letters = new Language.Letters();
    private final Map<String, String> sums;
    private @Nullable Absent absentQuery;

    /** Error about evidence in one of several passages, which absent ones may cause. */
    private @Nullable BadInputException ambiguous;

    private int absentQueries;
    private int absentPassages;
    private int repeated;

    /** Null if all queries are read. */
    private final @Nullable SecondQueries second;

    private int secondEvidence;

    /** Queries whose evidence stands in several passages. */
    private final Set<String> held = new HashSet<>();

    private final CopiedPassages copies = new CopiedPassages();

    /** Articles of relevant passages; none where the card has the cluster. */
    private final Set<String> articles = new HashSet<>();

    /** Relevant passages of an article. */
    private int titled;

    private DatasetReader(DatasetFiles files, Map<String, String> sums) {
        this.files = files;
        this.card = files.card();
        this.sums = sums;
        this.search = new AnswerSearch(card.name());
        this.second = SingleEvidence.of(card)
                .map(how -> new SecondQueries(how, card.name()))
                .orElse(null);
    }

    private static final class QueryRow {
        final Fields row;
        final @Nullable String evidencePassage;
        final List<String> answers;
        Query query;

        QueryRow(Fields row, Query query) {
            this.row = row;
            this.evidencePassage = query.passage();
            this.answers = Answers.read(row);
            this.query = query.withAnswers(answers);
        }

        boolean hasSpan() {
            Evidence evidence = query.evidence();
            return evidence != null && evidence.start() != Evidence.UNKNOWN;
        }
    }

    private record JudgedRow(int grade, Location where) {}

    /** A judgement's identifier that another file lacks. */
    private record Absent(Location where, String field, String id) {}

    /** @throws PosbiasException with one line for any error in the files */
    public static Dataset open(Path folder) {
        DatasetFiles files = DatasetFiles.find(folder);
        return open(files, files.checksums());
    }

    /**
     * @param sums current result of {@link DatasetFiles#checksums}
     * @throws PosbiasException with one line for any error in the files
     */
    public static Dataset open(DatasetFiles files, Map<String, String> sums) {
        return new DatasetReader(files, sums).read();
    }

    private Dataset read() {
        checkSums();
        RowFile.open(files.queries()).forEach(this::addQuery);
        files.qrels().forEach(file -> new JudgementFile(file).forEach(this::addJudgment));
        refuseEmpty(queries.keySet(), files.queries().getFirst(), "query");
        if (absentQuery == null) {
            refuseEmpty(judged.keySet(), files.qrels().getFirst(), "judgement");
        }
        if (card.dropsMissing()) {
            // Evidence is planned for passages that the corpus has, which takes a pass of its own.
            leaveOutAbsent(Passages.open(RowFile.open(files.corpus())).ids());
        }
        queries.values().forEach(this::planEvidence);
        RowFile corpus = RowFile.open(files.corpus());
        PassageIds ids = readCorpus(corpus);
        refuseAbsent(ids);
        if (ambiguous != null) {
            throw ambiguous;
        }
        checkEvidenceFound(ids);
        queries.values().forEach(this::locate);
        queries.values().forEach(query -> checkExcluded(query, ids));
        if (card.excludesSelf()) {
            queries.values().forEach(query -> excludeSelf(query, ids));
        }
        if (card.relevant().isPresent()) {
            judgeHolders(corpus);
        }
        if (!card.contentFixed().isEmpty()) {
            checkVariants();
        }
        if (second != null) {
            leaveOut(second);
        }
        Qrels qrels = resolve(ids);
        LOG.debug(
                "{}: {} passages, {} queries, {} of them judged, evidence in {} passages",
                files.folder(),
                ids.size(),
                queries.size(),
                judged.size(),
                evidenceByPassage.size());
        List<Query> ready = queries.values().stream().map(row -> row.query).toList();
        return new Dataset(card, sums, Passages.in(corpus, ids), ready, qrels, List.of(), notes());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        letters.problem(card.language(), "dataset.yaml needs language:")
                .or(this::languageNote)
                .ifPresent(problem -> notes.add(card.name() + ": " + problem));
        if (!card.notes().isEmpty()) {
            notes.add(card.name() + ": " + card.notes());
        }
        notes.addAll(search.notes());
        if (second != null) {
            notes.addAll(second.notes());
        }
        List<QueryRow> blank = queries.values().stream()
                .filter(row -> row.query.text().isBlank())
                .toList();
        if (!blank.isEmpty()) {
            notes.add(card.name() + ": " + Plural.of(blank.size(), "query") + " without a text (first: "
                    + blank.getFirst().row.where().inFolder() + ")");
        }
        List<QueryRow> without = queries.values().stream()
                .filter(row -> !Dataset.isLocated(row.query.evidence())
                        && row.answers.isEmpty()
                        && !judged.getOrDefault(row.query.id(), Map.of()).isEmpty())
                .toList();
        if (!without.isEmpty()) {
            Fields first = without.getFirst().row;
            notes.add(card.name() + ": " + without.size() + " of " + judged.size()
                    + " queries do not say where their evidence is (first: "
                    + first.where().inFolder() + "); "
                    + EvidenceFields.expected(first));
        }
        if (!held.isEmpty()) {
            notes.add(card.name() + ": " + held.size() + " of " + judged.size()
                    + " queries have their evidence in several passages, of which each is right ("
                    + DatasetCard.ANY_WITH_EVIDENCE + ")");
        }
        copies.note().ifPresent(note -> notes.add(card.name() + ": " + note));
        if (articles.size() < titled) {
            notes.add(card.name() + ": " + titled + " relevant passages are of " + Plural.of(articles.size(), "article")
                    + ", whose queries depend on each other: count them as one with --cluster article, or cluster: article in "
                    + DatasetFiles.CARD + " (cluster: passage leaves out this note)");
        }
        return notes;
    }

    /** Describes a language that was not given; empty if it was, or with too few letters to guess it. */
    private Optional<String> languageNote() {
        if (!files.written().language().isEmpty()) {
            return Optional.empty();
        }
        LanguageGuess guess = files.language();
        return guess.code().isEmpty() ? Optional.empty() : Optional.of(guess.note());
    }

    private static void refuseEmpty(Set<String> ids, Path file, String what) {
        if (ids.isEmpty()) {
            throw new BadInputException(Location.of(file), "holds no " + what, "there must be at least one");
        }
    }

    private void checkSums() {
        card.sha256().forEach((file, expected) -> {
            String found = sums.get(file);
            if (found == null) {
                throw new BadInputException(
                        Location.of(files.folder().resolve(DatasetFiles.CARD)),
                        "field \"sha256\" names " + Printable.quoted(file) + ", which is none of "
                                + String.join(", ", sums.keySet()),
                        "correct the name or remove the line");
            }
            if (!found.equals(expected)) {
                throw new BadInputException(
                        Location.of(files.folder().resolve(file)),
                        "has SHA-256 " + found.substring(0, 12) + "…, dataset.yaml says "
                                + expected.substring(0, Math.min(12, expected.length())) + "…",
                        "the file changed since it was recorded: build or pull the benchmark again, or accept the change"
                                + " with 'posbias data verify --write " + files.folder() + "'");
            }
        });
    }

    private void addQuery(Fields row) {
        Query query = new Query(
                Passages.id(row),
                row.text("text"),
                EvidenceFields.read(row),
                row.has(EvidenceFields.PASSAGE) ? row.id(EvidenceFields.PASSAGE) : null,
                row.texts(EvidenceFields.EXCLUDED),
                EvidenceFields.readVariant(row));
        QueryRow earlier = queries.put(query.id(), new QueryRow(row, query));
        if (earlier != null) {
            throw Passages.repeated(row, query.id(), earlier.row.where());
        }
        if (row.flag(EvidenceFields.UNANSWERABLE)) {
            judged.put(query.id(), new LinkedHashMap<>());
        }
    }

    private void addJudgment(Fields row) {
        String query = row.id(JudgementFile.QUERY);
        String passage = row.id(JudgementFile.PASSAGE);
        JudgedRow judgment = new JudgedRow(grade(row), row.where());
        if (!queries.containsKey(query)) {
            absentQueries++;
            absentQuery = absentQuery == null ? new Absent(row.where(), JudgementFile.QUERY, query) : absentQuery;
            return;
        }
        JudgedRow earlier =
                judged.computeIfAbsent(query, id -> new LinkedHashMap<>()).putIfAbsent(passage, judgment);
        if (earlier != null && earlier.grade() != judgment.grade()) {
            throw row.bad(
                    JudgementFile.GRADE,
                    "is " + judgment.grade() + " for query " + Printable.quoted(query) + " and passage "
                            + Printable.quoted(passage) + ", and " + earlier.grade() + " at " + earlier.where(),
                    "keep one judgement for each pair");
        }
        repeated += earlier == null ? 0 : 1;
    }

    /** A whole number in any spelling: 1, "1" or 1.0. */
    private static int grade(Fields row) {
        String grade = String.valueOf(row.plain(JudgementFile.GRADE)).strip();
        try {
            return new BigDecimal(grade).intValueExact();
        } catch (NumberFormatException notNumber) {
            return row.parsedInteger(JudgementFile.GRADE);
        } catch (ArithmeticException notWhole) {
            if (new BigDecimal(grade).stripTrailingZeros().scale() <= 0) {
                return row.parsedInteger(JudgementFile.GRADE);
            }
            throw row.bad(
                    JudgementFile.GRADE,
                    "is " + Printable.quoted(grade),
                    "grades are whole numbers, as in trec_eval: multiply all of them, or round them by your own rule");
        }
    }

    private void leaveOutAbsent(PassageIds ids) {
        judged.forEach((id, rows) -> {
            boolean answerable = hasRelevant(rows);
            int all = rows.size();
            rows.keySet().removeIf(passage -> ids.ordinal(passage) < 0);
            absentPassages += all - rows.size();
            boolean lost = answerable && !hasRelevant(rows);
            QueryRow row = Objects.requireNonNull(queries.get(id));
            String holder = row.evidencePassage;
            if (lost || (holder != null && ids.ordinal(holder) < 0)) {
                row.query = row.query.at(null, null);
            }
        });
        if (judged.values().stream().noneMatch(DatasetReader::hasRelevant)) {
            throw new BadInputException(
                    Location.of(files.qrels().getFirst()),
                    "has no relevant passage of this corpus and these queries",
                    "the judgements belong to another benchmark");
        }
    }

    private static boolean hasRelevant(Map<String, JudgedRow> rows) {
        return rows.values().stream().anyMatch(row -> row.grade() > 0);
    }

    /** Refuses judgements of absent passages and queries, unless they are left out. */
    private void refuseAbsent(PassageIds ids) {
        if (card.dropsMissing()) {
            return;
        }
        List<Absent> passages = judged.values().stream()
                .flatMap(rows -> rows.entrySet().stream())
                .filter(row -> ids.ordinal(row.getKey()) < 0)
                .map(row -> new Absent(row.getValue().where(), JudgementFile.PASSAGE, row.getKey()))
                .toList();
        Absent first = passages.isEmpty() ? absentQuery : passages.getFirst();
        if (first != null) {
            boolean isQuery = first.equals(absentQuery);
            Path other = (isQuery ? files.queries() : files.corpus()).getFirst();
            throw new BadInputException(
                    first.where(),
                    "field \"" + first.field() + "\" is " + Printable.quoted(first.id()) + ", which "
                            + other.getFileName() + " does not hold; in all "
                            + Plural.of(passages.size(), "judgement") + " of absent passages and " + absentQueries
                            + " of absent queries",
                    IdHint.of(
                            first.id(),
                            isQuery ? queries.keySet() : ids.all(),
                            "the files are incomplete or belong to another benchmark; --missing-judged drop, or"
                                    + " missing_judged: drop in dataset.yaml, leaves these judgements out"));
        }
    }

    /** Adds the passage of the query's own identifier to those that its ranking leaves out. */
    private void excludeSelf(QueryRow row, PassageIds ids) {
        Query query = row.query;
        if (ids.ordinal(query.id()) < 0 || query.excluded().contains(query.id())) {
            return;
        }
        JudgedRow own = judged.getOrDefault(query.id(), Map.of()).get(query.id());
        if (own != null && own.grade() > 0) {
            throw row.row.bad(
                    "_id",
                    "is " + Printable.quoted(query.id()) + ", also the identifier of a passage that is relevant for it",
                    "queries and passages have their identifiers apart here: --exclude-self and exclude_self have no"
                            + " meaning");
        }
        List<String> excluded = new ArrayList<>(query.excluded());
        excluded.add(query.id());
        row.query = query.excluding(excluded);
    }

    private void planEvidence(QueryRow queryRow) {
        if ((!queryRow.hasSpan() && queryRow.answers.isEmpty()) || card.isOfOriginal()) {
            return;
        }
        List<String> relevant = relevant(queryRow);
        String passage = queryRow.evidencePassage;
        if (passage == null && !queryRow.hasSpan()) {
            relevant.forEach(id -> evidenceByPassage
                    .computeIfAbsent(id, first -> new ArrayList<>())
                    .add(queryRow));
            return;
        }
        if (passage == null && relevant.size() > 1) {
            BadInputException error = queryRow.row.bad(
                    "pos_char_span",
                    "could lie in any of " + relevant.size() + " relevant passages",
                    "name the one it lies in with pos_corpus_id");
            ambiguous = ambiguous == null ? error : ambiguous;
            return;
        }
        if (passage != null || !relevant.isEmpty()) {
            String holder = passage == null ? relevant.getFirst() : passage;
            evidenceByPassage.computeIfAbsent(holder, id -> new ArrayList<>()).add(queryRow);
        }
    }

    private List<String> relevant(QueryRow row) {
        return judged.getOrDefault(row.query.id(), Map.of()).entrySet().stream()
                .filter(entry -> entry.getValue().grade() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Gives a query without a span the place of its answer, after the corpus was read. */
    private void locate(QueryRow row) {
        List<String> relevant = relevant(row);
        if (!row.hasSpan() && !row.answers.isEmpty() && !relevant.isEmpty() && !card.isOfOriginal()) {
            row.query = search.located(row.row, row.query, relevant.size() > 1);
        }
    }

    /** Leaves out queries with a second evidence; of variants, all of the query. */
    private void leaveOut(SecondQueries second) {
        second.checkList(
                judged.keySet(),
                queries.values().stream()
                        .filter(QueryRow::hasSpan)
                        .map(row -> row.query.id())
                        .toList());
        Predicate<Query> out =
                second.leftOut(queries.values().stream().map(row -> row.query).toList());
        int before = judged.size();
        queries.values().removeIf(row -> out.test(row.query));
        judged.keySet().retainAll(queries.keySet());
        secondEvidence = before - judged.size();
        if (judged.isEmpty()) {
            throw new BadInputException(
                    Location.of(files.queries().getFirst()),
                    "has a second evidence for each of its " + Plural.of(before, "judged query"),
                    "evaluate it with all of them");
        }
    }

    private PassageIds readCorpus(RowFile corpus) {
        Set<String> relevant = queries.values().stream()
                .flatMap(query -> relevant(query).stream())
                .collect(Collectors.toSet());
        boolean isClustered = !card.text(DatasetCard.Field.CLUSTER).isEmpty();
        Set<String> ids = new HashSet<>();
        corpus.forEach(row -> {
            Passage passage = Passages.read(row);
            Passages.addId(ids, corpus, row, passage);
            letters.add(passage.text());
            copies.add(passage, relevant.contains(passage.id()));
            if (!isClustered && !passage.article().isEmpty() && relevant.contains(passage.id())) {
                titled++;
                articles.add(passage.article());
            }
            List<QueryRow> here = evidenceByPassage.get(passage.id());
            if (here != null) {
                int length = CodePoints.count(passage.text());
                here.forEach(query -> {
                    if (!query.hasSpan()) {
                        search.look(query.query, query.answers, passage);
                    } else if (search.stands(query.row, query.query, query.answers, passage)) {
                        query.query = placed(query, query.query.evidence(), passage, length);
                    }
                });
                if (second != null && second.isByText()) {
                    second.look(
                            here.stream()
                                    .filter(asked -> relevant(asked).size() == 1)
                                    .map(asked -> asked.query)
                                    .toList(),
                            Sentences.of(passage.text(), card.language()));
                }
            }
        });
        refuseEmpty(ids, files.corpus().getFirst(), "passage");
        if (search.isOff()) {
            corpus.forEach(row -> settle(Passages.read(row)));
        }
        return new PassageIds(ids);
    }

    /** Makes all passages relevant that hold a query's evidence, unless the query excludes them or the file judges them. */
    private void judgeHolders(RowFile corpus) {
        for (QueryRow row : queries.values()) {
            List<String> relevant = relevant(row);
            if (row.hasSpan() && row.query.passage() == null && relevant.size() == 1) {
                row.query = row.query.at(row.query.evidence(), relevant.getFirst());
            }
        }
        List<Query> all = queries.values().stream().map(row -> row.query).toList();
        EvidenceHolders.of(all, corpus, card.language()).forEach(corpus, this::judgeHolder);
    }

    private void judgeHolder(Query query, String passage) {
        Map<String, JudgedRow> rows = judged.getOrDefault(query.id(), Map.of());
        JudgedRow own = rows.get(query.passage());
        boolean isRelevant = own != null && own.grade() > 0;
        if (isRelevant && !query.excluded().contains(passage) && !passage.equals(query.passage())) {
            JudgedRow there = rows.putIfAbsent(passage, own);
            if (there == null || there.grade() > 0) {
                held.add(query.id());
            }
        }
    }

    /** Places evidence whose spans are off, after all spans were compared with their answers. */
    private void settle(Passage passage) {
        for (QueryRow row : evidenceByPassage.getOrDefault(passage.id(), List.of())) {
            search.settled(row.row, row.query, passage).ifPresent(evidence -> {
                row.query = evidence.start() == Evidence.UNKNOWN
                        ? row.query.with(evidence)
                        : placed(row, evidence, passage, CodePoints.count(passage.text()));
            });
        }
    }

    private static Query placed(QueryRow row, @Nullable Evidence evidence, Passage passage, int length) {
        Query query = row.query;
        if (evidence == null) {
            return query;
        }
        if (evidence.textLength() != Evidence.UNKNOWN && evidence.textLength() != length) {
            throw row.row.bad(
                    "pos_char_length",
                    "is " + evidence.textLength() + ", but passage " + Printable.quoted(passage.id()) + " has " + length
                            + " code points",
                    "if the span was measured in the original of a translation, say evidence_text: original in"
                            + " dataset.yaml");
        }
        if (evidence.end() > length) {
            throw row.row.bad(
                    "pos_char_span",
                    "is [" + evidence.start() + ", " + evidence.end() + "], outside passage "
                            + Printable.quoted(passage.id()) + " of " + length + " code points",
                    "spans are [start, end) in code points of the passage's text");
        }
        Span span = CodePoints.toUtf16(passage.text(), evidence.start(), evidence.end());
        return query.with(evidence.resolved(length, span));
    }

    private void checkEvidenceFound(PassageIds ids) {
        evidenceByPassage.forEach((passage, rows) -> {
            QueryRow first = rows.getFirst();
            if (ids.ordinal(passage) < 0 && first.evidencePassage != null) {
                String found = "is " + Printable.quoted(passage) + ", which the corpus does not hold";
                throw first.row.bad("pos_corpus_id", found, "correct the id");
            }
        });
    }

    private void checkExcluded(QueryRow row, PassageIds ids) {
        Map<String, JudgedRow> judgments = judged.getOrDefault(row.query.id(), Map.of());
        for (String passage : row.query.excluded()) {
            JudgedRow judgment = judgments.get(passage);
            if (ids.ordinal(passage) < 0) {
                throw row.row.bad(
                        EvidenceFields.EXCLUDED,
                        "names " + Printable.quoted(passage) + ", which the corpus does not hold",
                        "correct the id");
            }
            if (judgment != null && judgment.grade() > 0) {
                throw row.row.bad(
                        EvidenceFields.EXCLUDED,
                        "names " + Printable.quoted(passage) + ", which is judged relevant",
                        "a passage is relevant or left out");
            }
        }
    }

    private void checkVariants() {
        Map<String, Set<Integer>> places = new LinkedHashMap<>();
        for (QueryRow row : queries.values()) {
            Query.Variant variant = row.query.variant();
            if (variant == null) {
                throw row.row.bad(
                        EvidenceFields.VARIANT_OF,
                        "is missing",
                        "dataset.yaml says content_fixed: all queries are variants");
            }
            if (!places.computeIfAbsent(variant.of(), of -> new HashSet<>()).add(variant.place())) {
                throw row.row.bad(
                        EvidenceFields.VARIANT_PLACE,
                        "is " + variant.place() + ", as in an earlier variant of " + Printable.quoted(variant.of()),
                        "each variant needs another place");
            }
        }
        queries.values().stream()
                .filter(row -> !judged.containsKey(row.query.id()))
                .findFirst()
                .ifPresent(row -> {
                    throw row.row.bad(
                            "_id",
                            "is " + Printable.quoted(row.query.id()) + ", which has no judgement",
                            "dataset.yaml says content_fixed: every question is asked at all places");
                });
        int most = places.values().stream()
                .flatMap(Set::stream)
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        places.forEach((of, own) -> {
            if (own.size() < most) {
                throw new BadInputException(
                        Location.of(files.queries().getFirst()),
                        "has " + own.size() + " of the " + most + " variants of " + Printable.quoted(of),
                        "dataset.yaml says content_fixed: every question is asked at all places");
            }
        });
    }

    private Qrels resolve(PassageIds ids) {
        Map<String, Judgments> byQuery = new LinkedHashMap<>();
        judged.forEach((query, rows) -> {
            Map<Integer, Integer> grades = HashMap.newHashMap(rows.size());
            rows.forEach((passage, row) -> grades.put(ids.ordinal(passage), row.grade()));
            byQuery.put(query, Judgments.of(grades));
        });
        return new Qrels(
                byQuery,
                new Qrels.Counts(
                        absentPassages,
                        card.dropsMissing() ? absentQueries : 0,
                        (int) judged.values().stream()
                                .filter(rows -> !hasRelevant(rows))
                                .count(),
                        repeated,
                        secondEvidence == 0 ? null : (Integer) secondEvidence));
    }
}
