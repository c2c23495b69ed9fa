package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.ExitCode;
import io.posbias.base.process.Sessions;
import io.posbias.data.convert.Reading;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Clustering;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.study.build.OwnBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's files in place of a benchmark. */
class OwnDataTest {
    private static final List<String> PLACES = List.of(
            "Arlen", "Borveld", "Cormund", "Dalmere", "Eastwick", "Fenholm", "Garrow", "Hexley", "Ivorton", "Kelby");

    private static final List<String> SENTENCES = List.of(
            "The Xwood of the valley was sold to an old Xsmith who lived near the Xhill before the summer began.",
            "Every morning the keeper of the Xgate opened the heavy Xdoor for the children of the Xfield.",
            "During the war the Xbridge was destroyed, and the people built a new Xroad along the Xriver.",
            "The museum shows a small Xship that was found by a farmer in the mud of the Xlake and the Xmarsh.",
            "Visitors who come by train should not miss the Xtower, the Xgarden and the market in the Xstreet.",
            "A letter from the mayor to the Xguild says that the Xmill had lost its wheel in the great Xflood.",
            "When the queen visited the town she was given a Xcloth, two Xcups and a song about the Xforest.",
            "The school of the village was moved to the Xhouse after the roof of the Xbarn fell on the Xyard.",
            "In autumn the fair brings Xhorses, cheese and the famous Xbread to the square before the Xchurch.");

    @TempDir
    Path temp;

    private Posbias posbias = new Posbias(Path.of(""), Map.of());

    @BeforeEach
    void start() {
        posbias = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
    }

    private static String context(String place) {
        return "The town of " + place
                + " lies between two rivers and has been known for its markets since the middle ages. "
                + "Every spring the people of " + place + " repair the wooden bridge that leads to the mills. "
                + "The oldest mill of the town was built by the brothers Marten and still grinds oats today.";
    }

    /** @param shift of all starts, in code points */
    private Path squad(String name, int shift) throws IOException {
        String paragraphs = PLACES.stream()
                .map(place -> {
                    String context = context(place);
                    String questions = Stream.of("two rivers", "wooden bridge", "brothers Marten")
                            .map(answer -> """
                                    {"id": "%s-%s", "question": "What of %s is %s?",
                                     "answers": [{"text": "%s", "answer_start": %d}]}""".formatted(
                                    place, answer.charAt(0), place, answer, answer, context.indexOf(answer) + shift))
                            .collect(Collectors.joining(","));
                    return "{\"context\": \"" + context + "\", \"qas\": [" + questions + "]}";
                })
                .collect(Collectors.joining(","));
        return Files.writeString(
                temp.resolve(name), "{\"data\": [{\"title\": \"Towns\", \"paragraphs\": [" + paragraphs + "]}]}");
    }

    private Cli.Ended eval(Object data, String out, Object... more) {
        return posbias.run(
                "eval --model bm25 --dataset", data, "--draws 0 --blind none --out", temp.resolve(out), more);
    }

    private List<Integer> counts(String out) {
        Result result =
                ResultFile.read(temp.resolve(out).resolve("result.json")).getFirst();
        return result.profiles().getFirst().buckets().stream()
                .map(BucketMean::queries)
                .toList();
    }

    private List<Path> made() throws IOException {
        try (Stream<Path> folders = Files.list(posbias.home().resolve("own"))) {
            return folders.filter(folder -> !folder.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void squadsJsonIsConvertedOnce() throws IOException {
        Path file = squad("towns.json", 0);
        Cli.Ended first = eval(file, "a").ok();
        assertThat(first.err()).contains("note: towns: the language is English (en)");
        assertThat(counts("a")).containsExactly(10, 0, 10, 0, 10);
        Path folder = made().getFirst();
        DatasetCard card = DatasetCard.read(folder);
        assertThat(card.name()).isEqualTo("towns");
        assertThat(card.language()).isEqualTo("en");
        assertThat(card.source()).isEqualTo("towns.json");
        assertThat(card.citation()).isEmpty();
        FileTime written = Files.getLastModifiedTime(folder.resolve("dataset.yaml"));
        Cli.Ended again = eval(file, "a").ok();
        assertThat(again.out()).isEqualTo(first.out());
        assertThat(made()).hasSize(1);
        assertThat(Files.getLastModifiedTime(folder.resolve("dataset.yaml"))).isEqualTo(written);
    }

    @Test
    void answersThatAreAllOffAreMovedAndCounted() throws IOException {
        eval(squad("towns.json", 0), "a").ok();
        Cli.Ended off = eval(squad("off.json", 40), "b").ok();
        assertThat(off.err())
                .contains("30 answers not at answer_start (first: question Arlen-t, ", "by -40 code points");
        assertThat(Files.readString(temp.resolve("b/result.json")))
                .contains("\"dataset_notes\"", "30 answers not at answer_start", "the language is English (en)")
                .doesNotContain(temp.toString());
        assertThat(counts("b")).isEqualTo(counts("a"));
        // The published file is corrected alike, with the facts of this one.
        Path built = temp.resolve("built");
        posbias.run("data build squad-posq --buckets relative:5 --input", temp.resolve("off.json"), "--out", built)
                .ok();
        assertThat(built.resolve("queries.jsonl"))
                .hasSameBinaryContentAs(made().getFirst().resolve("queries.jsonl"));
        assertThat(DatasetCard.read(built).source()).isEqualTo("off.json");
        assertThat(DatasetCard.read(built).citation()).isEmpty();
    }

    @Test
    void anAnswerThatIsNotThereIsNamedAndItsQuestionLeftOut() throws IOException {
        Path file = squad("towns.json", 0);
        Files.writeString(
                file, Files.readString(file).replaceFirst("\"text\": \"two rivers\"", "\"text\": \"seven seas\""));
        Cli.Ended ended = eval(file, "a").ok();
        assertThat(ended.err()).contains("1 question left out", "(first: question Arlen-t, towns.json:1)");
        assertThat(counts("a")).containsExactly(9, 0, 10, 0, 10);
    }

    @Test
    void rowsOfQuestionsAndGivenLanguages() throws IOException {
        Path rows = Files.writeString(
                temp.resolve("rows.jsonl"),
                PLACES.stream()
                        .map(place -> """
                                {"id": "%s", "question": "Which bridge has %s?", "context": "%s", "answers": {"text": ["wooden bridge"]}}
                                """.formatted(place, place, context(place)))
                        .collect(Collectors.joining()));
        Cli.Ended ended = eval(rows, "a", "--language German").ok();
        assertThat(ended.err()).doesNotContain("the language is");
        assertThat(DatasetCard.read(made().getFirst()).language()).isEqualTo("de");
        assertThat(counts("a")).containsExactly(0, 0, 10, 0, 0);
    }

    /** Places in both texts, from and to the same letters. */
    @Test
    void rowsThatDifferInWhiteSpaceAloneAreOnePassage() throws IOException {
        String context = context("Arlen");
        String wrapped = context.replace(". ", ".\n  ");
        Path rows = Files.writeString(
                temp.resolve("rows.jsonl"),
                row(context, "two rivers") + row(wrapped, "wooden bridge") + row(wrapped, "brothers Marten"));
        assertThat(eval(rows, "a").ok().err()).contains("1 passage merged").doesNotContain("answer_start");
        Dataset dataset = DatasetReader.open(made().getFirst());
        dataset.passages()
                .inFileOrder((ordinal, passage) -> assertThat(dataset.queries())
                        .hasSize(3)
                        .allSatisfy(query -> {
                            Evidence evidence = Objects.requireNonNull(query.evidence());
                            assertThat(Objects.requireNonNull(evidence.span()).of(passage.text()))
                                    .isEqualTo(query.id().replace('_', ' '));
                        }));
    }

    private static String row(String context, String answer) {
        return """
                {"id": "%s", "question": "What?", "context": "%s", "answers": {"text": ["%s"], "answer_start": [%d]}}
                """.formatted(answer.replace(' ', '_'), context.replace("\n", "\\n"), answer, context.indexOf(answer));
    }

    @Test
    void anAnswerOffItsOffsetInSeveralPlacesIsLeftOut() throws IOException {
        Path file = squad("towns.json", 0);
        Files.writeString(file, Files.readString(file).replaceFirst("\"text\": \"two rivers\"", "\"text\": \"mill\""));
        assertThat(eval(file, "a").ok().err()).contains("1 question left out: the answer stands in several places");
        assertThat(counts("a")).containsExactly(9, 0, 10, 0, 10);
    }

    @Test
    void aFolderInBeirsLayoutNeedsNoCard() throws IOException {
        Path folder = temp.resolve("beir");
        Files.createDirectories(folder.resolve("qrels"));
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder();
        for (String place : PLACES) {
            corpus.append("{\"_id\": \"%s\", \"text\": \"%s\"}\n".formatted(place, context(place)));
            queries.append(
                    "{\"_id\": \"q%s\", \"text\": \"Who built the mill of %s?\", \"answer\": \"brothers marten\"}\n"
                            .formatted(place, place));
            qrels.append("q" + place + "\t" + place + "\t1\n");
        }
        Files.writeString(folder.resolve("corpus.jsonl"), corpus);
        Files.writeString(folder.resolve("queries.jsonl"), queries);
        Files.writeString(folder.resolve("qrels/test.tsv"), qrels);
        Cli.Ended ended = eval(folder, "a").ok();
        assertThat(ended.err()).contains("the language is English (en)", "10 queries without a span");
        assertThat(counts("a")).containsExactly(0, 0, 0, 0, 10);
        assertThat(folder.resolve("dataset.yaml")).doesNotExist();
    }

    @Test
    void documentsWithoutQuestionsGetTheCommandThatMakesThem() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("my docs"));
        Files.writeString(folder.resolve("a.txt"), context("Arlen"));
        eval(folder, "a")
                .fails(
                        ExitCode.USAGE,
                        "posbias construct own-posq --input '" + folder + "' --out my_docs-posq",
                        "my_docs-posq/benchmark");
        Path rows = Files.writeString(temp.resolve("docs.jsonl"), "{\"id\": 1, \"text\": \"A text.\"}\n");
        eval(rows, "a", "--language de").fails(ExitCode.USAGE, "construct own-posq", "--language de");
        Path other = Files.writeString(temp.resolve("other.jsonl"), "{\"id\": 1, \"body\": \"A text.\"}\n");
        eval(other, "a").fails(ExitCode.USAGE, "id, body", "--text-field");
    }

    /** Sentences with words that no other document has. */
    private static String article(int number) {
        String own =
                PLACES.get(number % PLACES.size()).toLowerCase(Locale.ROOT) + "aeiou".charAt(number / PLACES.size());
        return IntStream.range(0, 9)
                .mapToObj(i -> SENTENCES
                        .get((number + i) % SENTENCES.size())
                        .replace(".", " by the Xoak and the Xpond.")
                        .replace("X", own + "bdfgklmnp".charAt(i)))
                .collect(Collectors.joining(" "));
    }

    /** Chunks of which each has the last two sentences of the one before, as a splitter with an overlap makes them. */
    private Path chunks(String field) throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            String[] sentences = article(i).split("(?<=\\.) ");
            for (int first = 0; first + 5 <= sentences.length; first += 2) {
                String text = String.join(" ", List.of(sentences).subList(first, first + 5));
                rows.append("{\"%s\": \"a%d-%d\", \"text\": \"%s\"}\n".formatted(field, i, first, text));
            }
        }
        return Files.writeString(temp.resolve(field + ".jsonl"), rows);
    }

    @Tag("slow")
    @Test
    void ownChunksStayChunksAndAllWithTheEvidenceAreRight() throws IOException {
        var session = Sessions.in(temp.resolve("home"));
        Engine engine = Engine.quiet(2, session);
        Dataset whole = DatasetReader.open(new OwnBenchmark(chunks("id").toString(), Reading.of(""), null, session)
                .ready(engine)
                .source()
                .folder()
                .get());
        assertThat(whole.passages().size()).isEqualTo(60);
        assertThat(whole.passages().ids().all()).contains("a0-0", "a19-4");
        assertThat(whole.card().relevant()).contains("any-with-evidence");
        assertThat(whole.card().clustersByArticle()).isTrue();
        // A sentence that two chunks share is evidence in both, which are of one article.
        assertThat(whole.judgedQueries()).anySatisfy(query -> {
            int[] relevant =
                    Objects.requireNonNull(whole.qrels().of(query.id())).relevantPassages();
            assertThat(relevant).hasSizeGreaterThan(1);
            assertThat(query.passage()).isNotNull();
        });
        assertThat(Clustering.of(whole, whole.judgedQueries(), Clustering.By.ARTICLE).articles().stream()
                        .distinct())
                .allMatch(article -> article.endsWith("-0"));
        assertThat(whole.notes()).anyMatch(note -> note.contains("in several passages, of which each is right"));
        // Without identifiers, or if asked for, documents are cut, which the card says.
        Dataset cut = DatasetReader.open(new OwnBenchmark(chunks("number").toString(), Reading.of(""), null, session)
                .ready(engine)
                .source()
                .folder()
                .get());
        assertThat(cut.card().notes()).matches("60 of 60 documents used, cut into \\d+ passages of about \\d+ words.*");
    }

    @Tag("slow")
    @Test
    void questionsAreMadeOfDocumentsOnce() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("articles"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(folder.resolve("a" + i + ".txt"), article(i));
        }
        List<String> said = new ArrayList<>();
        var session = Sessions.in(temp.resolve("home"), Map.of(), said::add);
        OwnBenchmark own = new OwnBenchmark(folder.toString(), Reading.of(""), null, session);
        Datasets.Source source = own.ready(Engine.quiet(2, session)).source();
        assertThat(said).isNotEmpty();
        said.clear();
        var dataset = DatasetReader.open(source.folder().get());
        assertThat(dataset.name()).isEqualTo("articles");
        assertThat(dataset.card().language()).isEqualTo("en");
        assertThat(dataset.queries())
                .hasSizeGreaterThan(10)
                .allSatisfy(query -> assertThat(
                                Objects.requireNonNull(query.evidence()).start())
                        .isNotEqualTo(Evidence.UNKNOWN));
        assertThat(own.ready(Engine.quiet(2, session)).source().folder().get())
                .isEqualTo(source.folder().get());
        // Nothing but that passages were cut.
        assertThat(said).singleElement().asString().contains("--passages whole");
    }
}
