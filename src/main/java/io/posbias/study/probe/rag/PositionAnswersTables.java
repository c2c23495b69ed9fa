package io.posbias.study.probe.rag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.PlaceMeans;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.result.Study;
import io.posbias.study.probe.rag.PositionAnswers.PositionAnswer;
import io.posbias.study.probe.rag.PositionAnswers.Right;
import io.posbias.study.probe.rag.PositionResult.JudgeAgreement;
import io.posbias.study.probe.rag.PositionResult.PositionCurve;
import io.posbias.study.probe.rag.PositionResult.Quantity;
import io.posbias.study.probe.rag.PositionStudy.Found;
import io.posbias.study.probe.rag.RagTables.RagModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers by the place of the evidence, as tables, JSON and CSV.
 *
 * @param readers the reader, then the judges
 * @param sampling sampling settings of all language models
 * @param settings confidence, equivalence and cluster
 */
public record PositionAnswersTables(
        PositionAnswers method,
        List<Found> all,
        List<LanguageModel> readers,
        String sampling,
        AnswersSettings settings) {
    public record LanguageModel(String model, String address) {}

    /**
     * Settings of a study.
     *
     * @param k passages of a prompt
     * @param promptPlace of the evidence's passage in the prompt
     * @param questions asked, each at all places
     * @param candidates questions of the benchmark
     * @param places of the evidence in its passage
     * @param seed of the draw of questions and of the prompts' places
     */
    public record AnswersSettings(
            int k,
            String promptPlace,
            Right right,
            int questions,
            int candidates,
            int places,
            int seed,
            double confidence,
            double equivalence,
            String cluster) {
        public static AnswersSettings of(PositionAnswers method, int seed, Settings statistics) {
            return new AnswersSettings(
                    method.k(),
                    method.place().toString(),
                    method.right(),
                    method.questions().all().size(),
                    method.questions().candidates(),
                    method.questions().places(),
                    seed,
                    statistics.confidence(),
                    statistics.equivalence(),
                    method.questions().clusters().by().toString());
        }
    }

    /** The content of result.json. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PositionFile(
            String schema,
            String model,
            String recipeSha256,
            String dataset,
            Map<String, String> datasetSha256,
            RagModel reader,
            List<RagModel> judges,
            String sampling,
            String promptsSha256,
            @JsonUnwrapped AnswersSettings settings,
            List<PositionCurve> curves,
            @Nullable JudgeAgreement judgeAgreement) {}

    public PositionFile document(Found found) {
        return new PositionFile(
                "posbias/rag-position/1",
                found.model().name(),
                found.model().sha256(),
                method.questions().dataset().name(),
                method.questions().dataset().checksums(),
                model(0, found.reader()),
                IntStream.range(0, found.judges().size())
                        .mapToObj(judge -> model(judge + 1, found.judges().get(judge)))
                        .toList(),
                sampling,
                method.prompts().sha256(),
                settings,
                found.result().curves(),
                found.result().agreement());
    }

    private RagModel model(int number, RagResult.RagEffort effort) {
        return new RagModel(readers.get(number).model(), readers.get(number).address(), effort);
    }

    private record PositionNumber(
            String model,

            @Meaning(
                    "`retrieved`, `right_if_retrieved`, `right`, `read` (right with the evidence's passage in every prompt), `f1`,"
                            + " `read_f1` or `read_in_prompt` (by the place of the passage in the prompt); with `_loss` its loss at the"
                            + " back, with `_middle_minus_ends` the mean of the places between minus that of both ends; `kappa` of two"
                            + " judges")
            String number,

            @Meaning("place, from 1; empty for other numbers") @Nullable
            Integer place,

            @Meaning("replies behind the number") int n,

            @Meaning("the number; empty if it is undefined") @Nullable
            Double value,

            @Meaning("both ends of its interval") @Nullable Interval interval,

            @Meaning("t test over clusters that a loss or difference is 0") @Nullable
            Double pValue,

            @Meaning("of a loss: `primacy`, `recency`, `even`, `open` or `too few`") @Nullable
            TestOutcome outcome) {}

    private static final RecordCsv<PositionNumber> NUMBERS = new RecordCsv<>(PositionNumber.class);
    private static final RecordCsv<PositionAnswer> ANSWERS = new RecordCsv<>(PositionAnswer.class);

    public static Study study() {
        return new Study(
                "rag-position-1",
                PositionFile.class,
                new Study.Csv("A line for each number of each retriever.", NUMBERS),
                new Study.Csv("A line for each question and each place of its evidence.", ANSWERS));
    }

    public Table answers(Found found) {
        return ANSWERS.table(found.answers());
    }

    /** All numbers; shares are fractions. */
    public Table raw() {
        List<PositionNumber> numbers = new ArrayList<>();
        for (Found found : all) {
            found.result()
                    .curves()
                    .forEach(curve -> addTo(numbers, found.model().name(), curve));
            JudgeAgreement agreement = found.result().agreement();
            if (agreement != null) {
                numbers.add(new PositionNumber(
                        found.model().name(),
                        "kappa",
                        null,
                        agreement.n(),
                        agreement.kappa(),
                        agreement.interval(),
                        null,
                        null));
            }
        }
        return NUMBERS.table(numbers);
    }

    private static void addTo(List<PositionNumber> numbers, String model, PositionCurve curve) {
        PlaceMeans means = curve.means();
        String name = curve.quantity().toString();
        means.places()
                .forEach(place -> numbers.add(new PositionNumber(
                        model, name, place.place(), place.n(), place.mean(), place.interval(), null, null)));
        int n = means.places().stream().mapToInt(PlaceMeans.PlaceMean::n).sum();
        numbers.add(estimate(model, name + "_loss", n, loss(means), means.outcome()));
        numbers.add(estimate(model, name + "_middle_minus_ends", n, means.middleMinusEnds(), null));
    }

    private static PositionNumber estimate(
            String model, String number, int n, @Nullable Estimate estimate, @Nullable TestOutcome outcome) {
        return new PositionNumber(
                model,
                number,
                null,
                n,
                estimate == null ? null : (Double) estimate.value(),
                estimate == null ? null : estimate.interval(),
                estimate == null ? null : (Double) estimate.pValue(),
                outcome);
    }

    private static @Nullable Estimate loss(PlaceMeans means) {
        PositionLoss.EndLoss ends = means.loss();
        return ends == null ? null : ends.loss();
    }

    /** A place of a retriever, or a curve of it. */
    private record Line(Found found, int place, @Nullable Quantity quantity) {
        PlaceMeans.PlaceMean mean(Quantity wanted) {
            return found.result().curve(wanted).means().places().get(place);
        }

        PlaceMeans means() {
            return found.result().curve(Objects.requireNonNull(quantity)).means();
        }
    }

    private static Function<Line, @Nullable Double> mean(Quantity quantity) {
        return line -> line.mean(quantity).mean();
    }

    private List<Line> lines(int places) {
        return all.stream()
                .flatMap(found -> IntStream.range(0, places).mapToObj(place -> new Line(found, place, null)))
                .toList();
    }

    /** A table by place, one of the losses, and one by place in the prompt. */
    public List<Table> tables(int digits) {
        String confidence = NumberFormat.percent(settings.confidence());
        String title = method.questions().dataset().name() + ": answers of "
                + readers.getFirst().model() + " from the top " + method.k() + ", by the place of the evidence";
        Table places = new Columns<Line>(digits)
                .label("model", line -> line.found().model().name())
                .label("place", line -> line.place() + 1)
                .text("n", line -> line.mean(Quantity.RETRIEVED).n())
                .number("retrieved", NumberFormat.PERCENT, mean(Quantity.RETRIEVED))
                .number("if retr.", NumberFormat.PERCENT, mean(Quantity.RIGHT_IF_RETRIEVED))
                .number("right", NumberFormat.PERCENT, mean(Quantity.RIGHT))
                .number("F1", NumberFormat.POINTS, mean(Quantity.F1))
                .number("reading", NumberFormat.PERCENT, mean(Quantity.READ))
                .number("its F1", NumberFormat.POINTS, mean(Quantity.READ_F1))
                .table(title, lines(settings.places()), notes());
        List<Line> losses = all.stream()
                .flatMap(found -> Stream.of(
                                Quantity.RETRIEVED,
                                Quantity.READ,
                                Quantity.RIGHT,
                                Quantity.RIGHT_IF_RETRIEVED,
                                Quantity.READ_IN_PROMPT)
                        .map(quantity -> new Line(found, 0, quantity)))
                .toList();
        Table ends = new Columns<Line>(digits)
                .label("model", line -> line.found().model().name())
                .label("of", line -> Objects.requireNonNull(line.quantity()).label())
                .part(
                        line -> line.means().loss(),
                        new Columns<PositionLoss.EndLoss>()
                                .number("front", NumberFormat.PERCENT, PositionLoss.EndLoss::front)
                                .number("back", NumberFormat.PERCENT, PositionLoss.EndLoss::back))
                .part(
                        line -> loss(line.means()),
                        new Columns<Estimate>()
                                .number("loss", NumberFormat.PERCENT, Estimate::value)
                                .interval(NumberFormat.POINTS, Estimate::interval)
                                .number("p", NumberFormat.P, Estimate::pValue))
                .joined("outcome", line -> line.means().outcome())
                .table("Loss at the back: 1 - back / front", losses, lossNotes(confidence));
        Table prompt = new Columns<Line>(digits)
                .label("model", line -> line.found().model().name())
                .label("in prompt", line -> line.place() + 1)
                .text("n", line -> line.mean(Quantity.READ_IN_PROMPT).n())
                .number("reading", NumberFormat.PERCENT, mean(Quantity.READ_IN_PROMPT))
                .interval(
                        NumberFormat.POINTS,
                        line -> line.mean(Quantity.READ_IN_PROMPT).interval())
                .table("Reading by the place of the passage in the prompt", lines(method.k()), promptNotes(digits));
        return List.of(places, ends, prompt);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(settings.questions() + " of " + Plural.of(settings.candidates(), "question")
                + ", each with its evidence at " + settings.places() + " places; " + rightness());
        notes.add(
                "retrieved: the evidence's passage is among the top " + method.k()
                        + "; if retr.: right replies among these queries alone, which may be easier at one place than at another");
        notes.add("reading: right with the evidence's passage in every prompt, so that retrieval counts for nothing");
        String language = method.questions().language();
        if (!language.isEmpty() && !language.equals(AnswerMatch.ENGLISH)) {
            notes.add("SQuAD's rules are for English: in language " + language
                    + " articles count as words, and a Chinese or Japanese character is a word");
        }
        for (Found found : all) {
            JudgeAgreement agreement = found.result().agreement();
            if (agreement != null) {
                notes.add(found.model().name() + ": the judges agree on " + agreement.same() + " of "
                        + Plural.of(agreement.n(), "reply") + ", Cohen's kappa "
                        + NumberFormat.FRACTION.print(agreement.kappa()) + " "
                        + NumberFormat.FRACTION.print(agreement.interval()));
            }
        }
        return notes;
    }

    private String rightness() {
        return switch (method.right()) {
            case EXACT -> "right: equals the answer by SQuAD's rules";
            case CONTAINS -> "right: contains the words of the answer";
            case JUDGE -> "right: accepted by " + readers.get(1).model();
        };
    }

    private List<String> lossNotes(String confidence) {
        PlaceMeans first = all.getFirst().result().curve(Quantity.RIGHT).means();
        return List.of(
                "retrieval: retrieved; both: right; front and back: the first and the last "
                        + Plural.of(ContentFixed.ends(settings.places()), "place")
                        + "; in prompt: reading, by the passage's place there",
                "intervals " + confidence + ", " + Plural.of(first.clusters(), "cluster") + " (G* "
                        + NumberFormat.LENGTH.print(first.effectiveClusters()) + "); even: within "
                        + NumberFormat.PERCENT.print(settings.equivalence()) + " of 0");
    }

    private List<String> promptNotes(int digits) {
        List<String> notes = new ArrayList<>();
        notes.add("places in the prompt: " + settings.promptPlace());
        for (Found found : all) {
            Estimate middle =
                    found.result().curve(Quantity.READ_IN_PROMPT).means().middleMinusEnds();
            if (middle != null) {
                notes.add(found.model().name() + ": middle - ends "
                        + NumberFormat.SIGNED_POINTS.print(middle.value(), digits) + " points "
                        + NumberFormat.SIGNED_POINTS.print(middle.interval(), digits));
            }
        }
        return notes;
    }
}
