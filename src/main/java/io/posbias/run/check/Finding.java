package io.posbias.run.check;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.FileNames;
import io.posbias.base.process.Session;
import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Cell;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Language;
import io.posbias.data.position.Strata;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.mitigate.Mitigation;
import io.posbias.report.page.Drilldowns;
import io.posbias.report.page.ResultPage;
import io.posbias.report.profile.BlindRow;
import io.posbias.report.profile.ProfileValues;
import io.posbias.report.profile.Strip;
import io.posbias.report.query.Benchmarks;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.LossParts;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Answer;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import io.posbias.score.result.Study;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answer to whether a model loses answers because of where they stand.
 *
 * @param found the verdicts in words, beside BM25's
 * @param blind BM25 on the same questions; null beside itself
 * @param repair what windows do; null if they were not tried
 * @param stability of the verdict over samples; null if unknown
 * @param folder of the cell
 */
public record Finding(
        Sample sample,
        Result result,
        Answer found,
        @Nullable BlindRow blind,
        @Nullable Repair repair,
        @Nullable Stability stability,
        Path folder) {
    private static final int BAR = 20;

    /** Single queries on the page. */
    private static final int QUERIES = 20;

    private static final String UNTESTED =
            "too few questions for a conclusion: fewer than three, or all on one passage or with the answer at one place";

    /**
     * Words of the next command.
     *
     * @param dataset as {@code --dataset} takes it, with the options that are about it
     * @param check this command, as it was given
     */
    public record Named(String model, String dataset, String check) {}

    /** A position bucket of the answers. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Place(
            @Meaning("position bucket of the answers") String bucket,

            @Meaning("questions with an answer in the bucket")
            int questions,

            @Meaning("share of them whose answer the model reads; empty if unknown") @Nullable
            Double read,

            @Meaning("share of their passages among the first ten; empty without questions") @Nullable
            Double found,

            @Meaning(value = "mean nDCG@10; empty without questions", unit = "fraction") @Nullable
            Double mean,

            @Meaning(value = "mean nDCG@10 of BM25; empty for BM25 itself", unit = "fraction") @Nullable
            Double bm25) {}

    /** Loss at the back with the same evidence and its parts, as shares of the front. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Losses(
            @Meaning("loss at the back with the same evidence; empty if it was not moved") @Nullable
            Estimate loss,

            @Meaning("part of it by position; empty if all is read, or if the parts are not known") @Nullable
            Estimate positionLoss,

            @Meaning("part of it by not reading; empty likewise") @Nullable
            Estimate notReadingLoss,

            @Meaning("part of it at places that too few passages are read at; empty without such places") @Nullable
            Estimate remainderLoss) {
        static Losses of(@Nullable ContentFixed moved) {
            LossParts parts = moved == null ? null : moved.parts();
            return new Losses(
                    moved == null ? null : moved.lossShare(),
                    parts == null || parts.position() == null
                            ? null
                            : parts.share(parts.position().points()),
                    parts == null || parts.notReading() == null
                            ? null
                            : parts.share(parts.notReading().points()),
                    parts == null || parts.remainder() == null ? null : parts.share(parts.remainder()));
        }
    }

    /** A line of the CSV. */
    private record Line(
            @JsonUnwrapped Place place,

            @Meaning("the verdict, one word or `unread, position`, the same on all lines")
            String verdict,

            @JsonUnwrapped Losses losses) {}

    private static final RecordCsv<Line> LINES = new RecordCsv<>(Line.class);

    private Profile profile() {
        return result.profiles().getFirst();
    }

    private static List<BucketMean> buckets(Result of, String measure) {
        return Objects.requireNonNull(of.profile(measure, Strata.ALL)).buckets();
    }

    private List<Place> places() {
        List<BucketMean> found =
                buckets(result, PositionCheck.found(sample.benchmark().card()));
        List<Strip.Cell> cells = Strip.ofBuckets(result, profile()).cells();
        return IntStream.range(0, found.size())
                .mapToObj(i -> {
                    Double unread = cells.get(i).unread();
                    return new Place(
                            found.get(i).bucket(),
                            found.get(i).queries(),
                            unread == null ? null : (Double) (1 - unread),
                            found.get(i).mean(),
                            cells.get(i).mean(),
                            blind == null
                                    ? null
                                    : buckets(blind.result(), profile().measure())
                                            .get(i)
                                            .mean());
                })
                .toList();
    }

    /** The verdicts, the first decides; too few if nothing could be tested, for want of questions or of places. */
    public List<Verdict> verdicts() {
        return found.verdicts().isEmpty() ? List.of(Verdict.TOO_FEW) : found.verdicts();
    }

    /** The answer, in sentences. */
    public List<String> answer() {
        List<String> sentences = new ArrayList<>();
        String words = found.words();
        sentences.add(sentence(words.isEmpty() ? UNTESTED : words));
        boolean mayBeCut = result.retrieval().truncations().stream().anyMatch(text -> !text.known());
        if (mayBeCut && !verdicts().getFirst().isSound()) {
            sentences.add(
                    "The model may have cut texts and does not say which, so that not reading is a possible cause.");
        }
        if (repair != null) {
            sentences.add(repaired(repair));
        }
        if (stability != null && !verdicts().getFirst().isUnsure()) {
            sentences.add("In " + stability.same() + " of " + stability.samples() + " samples of "
                    + Plural.of(stability.questions(), "question") + " with moved evidence the verdict is the same.");
        }
        return sentences;
    }

    private static String sentence(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
    }

    private static String repaired(Repair tried) {
        Estimate less = tried.relief().less();
        Estimate loss = tried.loss();
        Estimate cost = tried.cost();
        boolean isMore = less.value() < 0;
        Estimate size = isMore ? less.times(-1) : less;
        String number = (loss == null
                        ? NumberFormat.POINTS.print(size.value()) + " points"
                        : NumberFormat.PERCENT.print(size.value()))
                + " " + NumberFormat.POINTS.print(size.interval());
        String does = loss != null
                ? "with them the same evidence " + loses(loss.value()) + " at the back, " + number
                        + (isMore ? " more" : " less")
                : "answers that are not read score " + number + (isMore ? " less" : " more") + " with them"
                        + (cost == null
                                ? ", beyond the others"
                                : ", of " + NumberFormat.POINTS.print(cost.value()) + " that not reading costs each");
        return (tried.relief().repairs()
                        ? "Windows repair it: "
                        : tried.relief().helps() ? "Windows help: " : "Windows were tried: ")
                + does
                + (tried.relief().helps() ? "" : ", within noise")
                + "; " + Plural.of(Math.round(tried.vectors()), "vector") + " a passage.";
    }

    private static String loses(double loss) {
        return (loss < 0 ? "gains " : "loses ") + NumberFormat.PERCENT.print(Math.abs(loss));
    }

    public String next(Named named) {
        String model = " --model " + named.model();
        String dataset = " --dataset " + named.dataset();
        String plan = Answer.plan(FileNames.quoted(folder));
        String full = named.check() + " --full";
        return switch (verdicts().getFirst()) {
            case TOO_FEW -> found.verdicts().isEmpty() ? page() : plan;
            case OPEN -> !sample.isWhole() ? full : isMoved() ? plan : page();
            case TOO_EASY, TOO_HARD -> sample.isWhole() ? "posbias data list" : full;
            case UNREAD, POSITION ->
                repair != null && repair.relief().repairs()
                        ? "posbias eval" + model + "+" + repair.strategy() + dataset
                        : "posbias mitigate" + model + dataset;
            case CONTENT, EVEN -> page();
        };
    }

    private boolean isMoved() {
        return profile().contentFixed() != null;
    }

    private String page() {
        return "posbias report page " + FileNames.quoted(folder) + " --output page.html";
    }

    /** Names the model and the benchmark with its size. */
    private String title() {
        String language = sample.benchmark().card().language();
        Sample.Size whole = sample.whole();
        List<String> drawn = Stream.of(
                        part(sample.size().questions(), whole.questions(), "question"),
                        part(sample.size().passages(), whole.passages(), "passage"))
                .filter(part -> !part.isEmpty())
                .toList();
        String size =
                Plural.grouped(whole.questions(), "question") + ", " + Plural.grouped(whole.passages(), "passage");
        String asked = sample.isWhole() ? "" : "; a sample of " + String.join(" and ", drawn);
        String lacking = result.lackingQueries();
        return result.model() + (lacking.isEmpty() ? "" : ", which " + lacking + ",") + " on " + sample.name() + " ("
                + size + asked
                + (language.isEmpty() ? "" : "; " + Language.name(language)) + ")";
    }

    private static String part(int some, int all, String noun) {
        return some == all ? "" : Plural.grouped(some, noun);
    }

    public Table table() {
        List<String> notes = new ArrayList<>();
        if (sample.size().passages() < sample.whole().passages()) {
            notes.add("a passage is found more easily among fewer: --full asks all questions of all passages");
        }
        if (sample.isOneOfTwoLooks()) {
            notes.add(NumberFormat.percent(result.settings().confidence())
                    + " intervals: the sample and --full are two looks");
        }
        Profile profile = profile();
        ContentFixed moved = profile.contentFixed();
        if (sample.isOneOfTwoLooks() && moved != null) {
            boolean isEnough = !sample.draw().isFull() && moved.isKnown();
            String known =
                    String.format(Locale.ROOT, ": the loss is known to %.0f points", 100 * ContentFixedFit.KNOWN);
            notes.add("the evidence of " + Plural.grouped(moved.queries(), "question") + " was moved"
                    + (isEnough ? known : ""));
        }
        ProfileValues.thinMeansNote(
                        List.of(profile), "fewer than " + result.settings().thinBelow())
                .ifPresent(notes::add);
        boolean isReadKnown = places().stream().anyMatch(place -> place.read() != null);
        return new Columns<Place>()
                .label("answer in", Place::bucket)
                .text("questions", Place::questions)
                .when(
                        isReadKnown,
                        columns -> columns.text(
                                "read",
                                place -> place.read() == null
                                        ? null
                                        : String.format(Locale.ROOT, "%.0f%%", 100 * place.read())))
                .text("found in top 10", place -> bar(place.found()))
                .text(Measures.DEFAULT, place -> Cell.points(ProfileValues.mean(profile, place.bucket()), false, 1))
                .when(blind != null, columns -> columns.number("bm25", NumberFormat.POINTS, Place::bm25))
                .table(title(), places(), notes);
    }

    private static @Nullable Object bar(@Nullable Double share) {
        return share == null
                ? null
                : Cell.word(String.format(
                        Locale.ROOT, "%-" + BAR + "s %3.0f", "#".repeat((int) Math.round(BAR * share)), 100 * share));
    }

    /** The page of the model, alone and with windows. */
    public String page(Session session) {
        List<StoredCell> cells = Stream.of(folder, repair == null ? null : folder.resolveSibling(repair.model()))
                .filter(Objects::nonNull)
                .map(StoredCell::read)
                .toList();
        String measure = result.settings().measure().toString();
        return ResultPage.render(
                cells.stream().map(StoredCell::result).toList(),
                measure,
                new ResultPage.Sections(
                        new Drilldowns(new Benchmarks(List.of(), session), measure, QUERIES, session).of(cells),
                        Mitigation.among(cells, measure),
                        new PairwiseTests(cells, PairwiseTests.Shown.NOTHING, 1),
                        null,
                        String.join(" ", answer())));
    }

    /** The places in one line; of the same evidence at each, if it was moved. */
    public String strip() {
        String line = Strip.of(result, profile()).line();
        return line
                + (isMoved()
                        ? "  the same evidence, from the front to the back"
                        : "  answers, from the front to the back");
    }

    /** A line for each position bucket. */
    public Table raw() {
        Losses losses = Losses.of(profile().contentFixed());
        return LINES.table(places().stream()
                .map(place -> new Line(place, Verdict.words(verdicts()), losses))
                .toList());
    }

    /** Describes what is written. */
    public static Study study() {
        return new Study("check-2", CheckFile.class, new Study.Csv("A line for each position bucket.", LINES), null);
    }

    /** JSON document. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CheckFile(
            String schema,
            String model,
            String dataset,
            Counts counts,
            List<Verdict> verdicts,
            String answer,
            String next,
            List<Place> places,
            @Nullable Moved moved,
            @Nullable Windows windows,
            @Nullable Stability stability) {
        /** Numbers of questions and passages that were asked, and of the whole. */
        public record Counts(int questions, int passages, int allQuestions, int allPassages) {}

        /** Mean nDCG@10 with the same evidence at each place, and the loss at the back. */
        public record Moved(
                String method,
                int questions,
                List<Double> means,
                @JsonUnwrapped Losses losses) {}

        /**
         * The effect of windows.
         *
         * @param less what is lost less with them: as a share of the front, or in points if the evidence was not moved
         */
        public record Windows(String model, double vectorsPerPassage, Estimate less, boolean helps, boolean repairs) {}
    }

    public CheckFile document(Named named) {
        ContentFixed moved = profile().contentFixed();
        return new CheckFile(
                "posbias/check/2",
                result.model(),
                result.dataset(),
                new CheckFile.Counts(
                        sample.size().questions(),
                        sample.size().passages(),
                        sample.whole().questions(),
                        sample.whole().passages()),
                verdicts(),
                String.join(" ", answer()),
                next(named),
                places(),
                moved == null
                        ? null
                        : new CheckFile.Moved(
                                moved.method(),
                                moved.queries(),
                                moved.places().stream()
                                        .map(ContentFixed.Place::mean)
                                        .toList(),
                                Losses.of(moved)),
                repair == null
                        ? null
                        : new CheckFile.Windows(
                                repair.model(),
                                repair.vectors(),
                                repair.relief().less(),
                                repair.relief().helps(),
                                repair.relief().repairs()),
                stability);
    }
}
