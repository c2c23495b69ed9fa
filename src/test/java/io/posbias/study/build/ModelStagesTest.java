package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.process.Progress;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Span;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.chat.FakeChat;
import io.posbias.model.chat.Sampling;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.model.encode.api.TokenPrice;
import io.posbias.study.build.llm.Prompt;
import io.posbias.study.build.text.Margins;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelStagesTest {
    private static final String DOCUMENT = "One fox. \nTwo cats. Three dogs";

    @TempDir
    Path folder;

    private record Outcome(List<Candidate> lines, PipelineRecord.Counts counts, List<String> asked) {
        List<String> kept(String field) {
            return lines.stream()
                    .filter(line -> line.dropped().isEmpty())
                    .map(line -> String.valueOf(line.toMap().get(field)))
                    .toList();
        }
    }

    private static String line(Map<String, ?> fields) {
        return new String(Json.toLine(fields), StandardCharsets.UTF_8);
    }

    private Construction construction(String stage, Map<String, ChatSettings> chats) {
        Path input = Pipelines.write(folder.resolve("in.jsonl"), line(Map.of("id", "d", "text", DOCUMENT)));
        Construction plain = Pipelines.construction(folder, List.of(input), "en", "- sample: {}\n");
        assertThat(stage).isNotEmpty();
        return new Construction(
                plain.pipeline(), plain.inputs(), plain.textField(), plain.out(), plain.engine(), chats, 4);
    }

    private Outcome run(String stage, UnaryOperator<String> model, List<Map<String, ?>> candidates) {
        Path documents = Pipelines.write(
                folder.resolve("first.jsonl"), line(Map.of("id", "d", "document", "d", "text", DOCUMENT)));
        StringBuilder lines = new StringBuilder();
        candidates.forEach(candidate -> lines.append(line(candidate)));
        Path before = Pipelines.write(folder.resolve("before.jsonl"), lines.toString());
        try (FakeApi server = FakeChat.serve(model);
                StageContext context = new StageContext(construction(stage, Map.of("w", role(server.address()))))) {
            context.open(documents, Map.of());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Candidates.Sink sink = new Candidates.Sink(out, Progress.NONE.start("", -1));
            Pipelines.stage(stage).run(new Candidates(Optional.of(before)), sink, context);
            Path after = Pipelines.write(folder.resolve("after.jsonl"), out.toString(StandardCharsets.UTF_8));
            List<Candidate> made = new ArrayList<>();
            new Candidates(Optional.of(after)).forEachLine(made::add);
            assertThat(sink.counts().notes()).as("as read from a file").isEqualTo(written(sink.counts()));
            return new Outcome(
                    made,
                    sink.counts(),
                    server.seen().stream().map(FakeChat::question).toList());
        }
    }

    private static Map<String, ?> written(PipelineRecord.Counts counts) {
        byte[] yaml = Json.toYaml(counts).getBytes(StandardCharsets.UTF_8);
        return Json.parseYaml(Path.of("pipeline.yaml"), yaml).record("notes").toMap();
    }

    private static ChatSettings role(String address) {
        return ChatSettings.of("--llm", address + "/v1", "judge", Optional.empty(), Sampling.GREEDY)
                .at(new TokenPrice(1, 10));
    }

    private static Map<String, Object> part(int start, int end) {
        return Map.of("id", "d/p" + start, "document", "d", "part", List.of(start, end), "summary", "S.");
    }

    private static Map<String, Object> asked(String id, String question, Map<String, ?> more) {
        Map<String, Object> fields =
                new java.util.LinkedHashMap<>(Map.of("id", id, "document", "d", "question", question));
        fields.putAll(more);
        return fields;
    }

    @Test
    void summariesThatAreTooLongAreAskedForOnceMoreThenDropped() {
        List<Map<String, ?>> documents = List.of(Map.of("id", "d", "document", "d", "text", DOCUMENT));
        Outcome good = run(
                "summarise: {model: w, most-words: 3}",
                prompt -> prompt.contains("An earlier reply") ? " A fox, cats. \n" : "A fox and cats",
                documents);
        assertThat(good.kept("summary")).containsExactly("A fox, cats.");
        assertThat(good.kept("text")).as("texts are in the first stage").containsExactly("null");
        assertThat(good.asked()).hasSize(2);
        assertThat(good.asked().getFirst()).contains("more than 3 words", DOCUMENT);
        assertThat(good.asked().getLast())
                .contains("An earlier reply to this could not be used: the summary has more than 3 words.");
    }

    @Test
    void aDocumentWithoutASummaryIsDroppedWithTheBeginningOfTheReply() {
        Outcome bad = run(
                "summarise: {model: w, most-words: 3}",
                prompt -> "one two three four",
                List.of(Map.of("id", "d", "document", "d", "text", DOCUMENT)));
        assertThat(bad.counts().dropped()).containsExactly(Map.entry("the summary has more than 3 words", 1L));
        assertThat(bad.lines().getFirst().text(Candidate.DETAIL)).isEqualTo("one two three four");
    }

    @Test
    void questionsOnAPartAreItsChildren() {
        String reply = "[{\"question\": \"Which?\", \"answer\": \"Cats\", \"type\": \"simple\"}, {\"question\": \"\","
                + " \"answer\": \"x\"}, {\"question\": \"Why?\", \"answer\": \"Dogs\"}, {\"question\": \"More?\","
                + " \"answer\": \"No\"}]";
        Outcome out = run("ask: {model: w, most: 3}", prompt -> reply, List.of(part(10, 20)));
        assertThat(out.asked()).hasSize(1);
        assertThat(out.asked().getFirst()).endsWith("Part:\nTwo cats. \n").contains("Summary of the passage:\nS.\n");
        assertThat(out.kept("id")).containsExactly("d/p10/q1", "d/p10/q3");
        assertThat(out.kept("question")).containsExactly("Which?", "Why?");
        assertThat(out.kept("answer")).containsExactly("Cats", "Dogs");
        assertThat(out.kept("type")).containsExactly("simple", "");
        assertThat(out.kept("part")).containsExactly("[10, 20]", "[10, 20]");
        assertThat(out.counts().dropped())
                .isEqualTo(Map.of("question or answer is empty", 1L, "more questions than wanted", 1L));
    }

    @Test
    void partsWithoutQuestionsAreCountedByWhy() {
        Outcome out = run(
                "ask: {model: w}",
                prompt ->
                        prompt.contains("Part:\nOne") ? "I'm sorry, no." : prompt.contains("Part:\nTwo") ? "[{]" : "[]",
                List.of(part(0, 10), part(10, 20), part(20, 30)));
        assertThat(out.counts().dropped())
                .isEqualTo(Map.of(
                        "the model refused", 1L,
                        "the reply is not a JSON list of records", 1L,
                        "the model has no question", 1L));
        assertThat(out.asked()).as("the empty list is a reply").hasSize(5);
    }

    @Test
    void aDocumentIsAskedAboutTheThirdThatWasDrawnOrGiven() {
        String reply = "[{\"question\": \"Which?\", \"answer\": \"Cats\"}]";
        List<Map<String, ?>> documents = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            documents.add(Map.of("id", "d" + i, "document", "d"));
        }
        Outcome out = run("ask: {model: w, of: document}", prompt -> reply, documents);
        for (String target : Candidate.POSITIONS) {
            assertThat(out.kept("target").stream().filter(target::equals)).hasSizeBetween(70, 130);
        }
        assertThat(out.asked()).as("one document, three prompts").hasSize(3);
        assertThat(run("ask: {model: w, of: document}", prompt -> reply, documents)
                        .kept("target"))
                .isEqualTo(out.kept("target"));
        Outcome given = run(
                "ask: {model: w, of: document, seed: 7}",
                prompt -> prompt.contains("in the final third of the document") ? reply : "[]",
                List.of(Map.of("id", "d", "document", "d", "target", "end")));
        assertThat(given.kept("target")).containsExactly("end");
    }

    /**
     * Of four questions labelled as the middle, the segments that answer are: none but the own; own and first; first; all. So
     * the own says yes for 3 of 4; the others say no for 2 + 1 + 1 + 0 of 8; both holds for 1 of 4.
     */
    @Test
    void anAuditCountsPerStratumAndDropsNothing() {
        List<Map<String, ?>> candidates = new ArrayList<>();
        for (String id : List.of("own", "two", "first", "all")) {
            candidates.add(asked(id, id, Map.of("position", "middle", "margin", 0.25)));
        }
        candidates.add(asked("gone", "own", Map.of("position", "middle", "margin", -1, "dropped", "margin")));
        candidates.add(asked("prose", "prose", Map.of("position", "end", "margin", 0.3)));
        Outcome out = run("audit: {model: w}", ModelStagesTest::answers, candidates);
        assertThat(out.kept("id")).containsExactly("own", "two", "first", "all", "prose");
        assertThat(out.lines()).hasSize(5);
        assertThat(strata(out)).containsExactly("1 1 1.0 1.0 1.0", "0 0", "0 0", "4 4 0.75 0.5 0.25", "1 0");
        assertThat(out.counts().notes()).containsEntry("questions left out, with a reply that cannot be read", 1);
        Outcome fewer = run("audit: {model: w, n: 2}", ModelStagesTest::answers, candidates);
        assertThat(strata(fewer).get(3)).startsWith("4 2 ");
    }

    private static List<String> strata(Outcome out) {
        Fields notes =
                new Fields(Location.of(Path.of("x")), Map.copyOf(out.counts().notes()));
        return notes.records(AuditStage.NOTE).stream()
                .map(found -> Json.bind(found, AuditStage.Stratum.class))
                .map(one -> Stream.of(one.targetYes(), one.distractorNo(), one.exclusive())
                        .filter(Objects::nonNull)
                        .map(share -> " " + share.share())
                        .collect(Collectors.joining("", one.candidates() + " " + one.audited(), "")))
                .toList();
    }

    private static String answers(String prompt) {
        String question = prompt.replaceFirst("(?s).*\nQuery: (\\w+)\n.*", "$1");
        int segment = prompt.contains("One") ? 0 : prompt.contains("Two") ? 1 : 2;
        return switch (question) {
            case "own" -> segment == 1 ? "yes" : "no";
            case "two" -> segment <= 1 ? "Yes." : "No.";
            case "first" -> segment == 0 ? "yes" : "no";
            case "all" -> "yes";
            default -> "That depends.";
        };
    }

    @ParameterizedTest
    @CsvSource({"-3, 0", "0, 1", "0.0999, 1", "0.1, 2", "0.2, 3", "0.2999, 3", "0.3, 4", "7, 4"})
    void strataAreClosedBelow(double margin, int stratum) {
        assertThat(Margins.stratum(margin)).isEqualTo(stratum);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"Two cats.|10|19", "fox. Two|4|13", "fox.Two   cats|4|18", "dogs|26|30", "Three\u00a0dogs|20|30"})
    void whiteSpaceCountsForNothing(String reference, int start, int end) {
        assertThat(LocateStage.find(reference, DOCUMENT)).containsExactly(new Span(start, end));
    }

    @Test
    void placesAreInCodePointsAndMayOverlap() {
        assertThat(LocateStage.find("b😀c", "😀😀ab😀 c")).containsExactly(new Span(3, 7));
        assertThat(LocateStage.find("aa", "a aa")).containsExactly(new Span(0, 3), new Span(2, 4));
        assertThat(LocateStage.find("第二 句", "第一句。第\n二句。")).containsExactly(new Span(4, 8));
        assertThat(LocateStage.find(" \n", "a b")).isEmpty();
        assertThat(LocateStage.find("abc", "ab")).isEmpty();
    }

    @Test
    void evidenceIsLookedForByReferenceElseByAnswer() {
        Outcome out = run(
                "locate: {}",
                prompt -> "never asked",
                List.of(
                        asked("a", "?", Map.of("answer", "Two cats")),
                        asked("b", "?", Map.of("answer", "Two cats", "reference", "Three dogs")),
                        asked("c", "?", Map.of("answer", "o")),
                        asked("d", "?", Map.of("answer", "Four")),
                        asked("e", "?", Map.of("answer", "x", "reference", " "))));
        assertThat(out.kept("span")).containsExactly("[10, 18]", "[20, 30]");
        assertThat(out.kept("reference")).containsExactly("Two cats", "Three dogs");
        assertThat(out.counts().dropped())
                .isEqualTo(Map.of(
                        "the reference is in several places", 1L,
                        "the reference is not in the document", 1L,
                        "the reference is empty", 1L));
        assertThat(out.asked()).isEmpty();
    }

    @Test
    void aModelQuotesTheReference() {
        Outcome out = run(
                "locate: {model: w}",
                prompt -> prompt.contains("Question: cats?") ? "{\"reference\": \"Two  cats.\"}" : "Two cats.",
                List.of(asked("a", "cats?", Map.of("answer", "two")), asked("b", "dogs?", Map.of("answer", "3"))));
        assertThat(out.kept("span")).containsExactly("[10, 19]");
        assertThat(out.counts().dropped())
                .hasSize(1)
                .allSatisfy((why, count) -> assertThat(why + ": " + count).contains("JSON", "reference: 1"));
        // Both are asked at once, in any order.
        assertThat(out.asked()).anySatisfy(prompt -> assertThat(prompt).contains("Expected answer: two", DOCUMENT));
    }

    /** Grades of the three thirds, and what becomes of a question that is labelled as the middle. */
    @ParameterizedTest
    @CsvSource({
        "2, 3, 2, ''",
        "0, 4, 3, ''",
        "3, 3, 0, graded as well in another segment",
        "0, 3, 4, graded as well in another segment",
        "0, 2, 0, grade below 3",
        "0, 4, three, the reply is not a number from 0 to 4"
    })
    void theLabelledSegmentHasTheBestGrade(String first, String second, String third, String why) {
        Outcome out = run(
                "judge: {model: w}",
                prompt -> prompt.endsWith("Passage:\nOne fox. \n\n") ? first : prompt.contains("Two") ? second : third,
                List.of(asked("a", "?", Map.of("position", "middle", "grades", Map.of("other", List.of(1))))));
        assertThat(out.counts().dropped().keySet())
                .isEqualTo(why.isEmpty() ? java.util.Set.of() : java.util.Set.of(why));
        if (why.isEmpty()) {
            assertThat(out.kept("grades"))
                    .containsExactly("{other=[1], judge=[" + String.join(", ", first, second, third) + "]}");
        }
        assertThat(out.asked()).hasSize(third.equals("three") ? 4 : 3);
    }

    @Test
    void theGapAndTheLeastGradeMayBeOthers() {
        Map<String, ?> candidate = asked("a", "?", Map.of("position", "end"));
        UnaryOperator<String> grades = prompt -> prompt.contains("Three") ? "2" : prompt.contains("Two") ? "1" : "0";
        assertThat(run("judge: {model: w, least: 2}", grades, List.of(candidate))
                        .kept("id"))
                .containsExactly("a");
        assertThat(run("judge: {model: w, least: 2, gap: 2}", grades, List.of(candidate))
                        .kept("id"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"4, 3, ''", "3, 0, ''", "4, 4, graded as well without the span", "2, 0, grade below 3"})
    void theDocumentIsGradedWithAndWithoutTheSpan(String whole, String cut, String why) {
        Outcome out = run(
                "judge: {model: w, texts: cut}",
                prompt -> prompt.endsWith("Passage:\n" + DOCUMENT + "\n")
                        ? whole
                        : prompt.endsWith("Passage:\nOne fox. \n Three dogs\n") ? cut : "?",
                List.of(asked("a", "?", Map.of("span", List.of(10, 19)))));
        assertThat(out.counts().dropped().keySet())
                .isEqualTo(why.isEmpty() ? java.util.Set.of() : java.util.Set.of(why));
        assertThat(out.lines().getFirst().toMap().get("grades")).hasToString("{judge=[" + whole + ", " + cut + "]}");
    }

    @Test
    void documentsAndQuestionsAreTranslated() {
        Outcome out = run(
                "translate: {model: w, languages: [fr, German]}",
                prompt -> (prompt.contains("into French") ? "F " : prompt.contains("into German") ? "G " : "? ")
                        + prompt.substring(prompt.lastIndexOf("Text:\n") + 6),
                List.of(asked("d/q1", "Which?", Map.of("span", List.of(10, 19)))));
        assertThat(out.kept("id")).containsExactly("d/q1", "d@fr", "d/q1@fr", "d@de", "d/q1@de");
        assertThat(out.kept("document")).containsOnly("d");
        assertThat(out.kept("language")).containsExactly("null", "fr", "fr", "de", "de");
        assertThat(out.kept("question")).containsExactly("Which?", "null", "F Which?", "null", "G Which?");
        assertThat(out.kept("text")).containsExactly("null", "F " + DOCUMENT, "null", "G " + DOCUMENT, "null");
        assertThat(out.kept("span")).containsExactly("[10, 19]", "null", "[10, 19]", "null", "[10, 19]");
    }

    @Test
    void aTranslationWithoutWordsIsDropped() {
        Outcome out = run(
                "translate: {model: w, languages: fr}",
                prompt -> prompt.contains("Which?") ? "Lequel ?" : " ",
                List.of(asked("d/q1", "Which?", Map.of())));
        assertThat(out.kept("id")).containsExactly("d/q1", "d/q1@fr");
        assertThat(out.counts().dropped()).containsExactly(Map.entry("the reply is empty", 1L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "summarise: {model: w, most-words: 0}|field \"summarise.most-words\" is 0",
                "summarise: {}|field \"summarise.model\" is missing",
                "ask: {model: w, of: chunk}|it is one of part, document",
                "ask: {model: w, most: 0}|field \"ask.most\" is 0",
                "ask: {model: w, prompt: relevance}|which nothing fills here",
                "locate: {prompt: reference}|field \"locate.prompt\" is without a model",
                "judge: {model: w, least: 5}|field \"judge.least\" is 5",
                "judge: {model: w, texts: all}|it is one of thirds, cut",
                "translate: {model: w}|field \"translate.languages\" is empty",
                "translate: {model: w, languages: [fr, French]}|field \"translate.languages\" names one twice"
            })
    void wrongSettingsAreNamed(String stage, String message) {
        assertThatThrownBy(() -> Pipelines.stage(stage))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aRoleThatNobodyNamedIsOneLine() {
        try (StageContext context = new StageContext(construction("ask", Map.of()))) {
            Stage stage = Pipelines.stage("judge: {model: grader}");
            assertThat(stage.forecast(Stage.Forecast.of(2), context).calls().usd())
                    .isNull();
            assertThatThrownBy(() -> context.languageModel("grader"))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContainingAll("'grader'", "pipeline test", "--llm");
        }
    }

    /** The document's 30 characters are 20 tokens, of which each segment has a third; a prompt has its own. */
    @Test
    void aForecastCountsCallsTokensAndMoney() {
        try (StageContext context = new StageContext(construction("judge", Map.of("w", role("http://localhost:1"))))) {
            long prompt = CallEstimate.tokens(Prompt.find("relevance").template());
            Stage.Forecast forecast = Pipelines.stage("judge: {model: w}").forecast(Stage.Forecast.of(100), context);
            long read = 300 * prompt + 2000;
            assertThat(forecast.candidates()).isEqualTo(100);
            assertThat(forecast.calls()).isEqualTo(new CallEstimate(300, 300, read + 600, (read * 1 + 600 * 10) / 1e6));
            assertThat(Pipelines.stage("translate: {model: w, languages: [fr, de]}")
                            .forecast(Stage.Forecast.of(100), context))
                    .satisfies(all -> assertThat(all.candidates()).isEqualTo(100 + 2 + 200))
                    .satisfies(all -> assertThat(all.calls().calls()).isEqualTo(2 + 200));
        }
    }

    /** By Python: {@code hashlib.sha256("42\nd")} is below that of {@code "42\na"}. */
    @Test
    void questionsAreOnlyAboutDrawnDocuments() {
        Map<String, Object> other = Map.of("id", "a/p", "document", "a", "part", List.of(0, 9), "summary", "S.");
        String reply = "[{\"question\": \"Which?\", \"answer\": \"Cats\", \"type\": \"simple\"}]";
        Outcome out = run("ask: {model: w, documents: 1}", prompt -> reply, List.of(other, part(0, 10), part(10, 20)));
        assertThat(out.kept("id")).containsExactly("d/p0/q1", "d/p10/q1");
        assertThat(out.counts().dropped()).containsExactly(Map.entry("document not drawn", 1L));
        assertThat(out.asked()).hasSize(2);
    }

    /** The phrase list finds three; the model denies one, and an unreadable reply changes nothing. */
    @Test
    void refusalsAreConfirmedByTheModel() {
        List<Map<String, ?>> texts = new ArrayList<>();
        for (String word : List.of("quoted", "refused", "unclear")) {
            texts.add(Map.of(
                    "id",
                    word,
                    "document",
                    "d",
                    "language",
                    "de",
                    "text",
                    "I cannot translate the text, this is " + word + "."));
        }
        texts.add(Map.of("id", "fine", "document", "d", "language", "de", "text", "Die Katze sitzt auf der Matte."));
        Outcome out = run(
                "clean: {model: w}",
                prompt -> prompt.contains("refused") ? "Yes, it is." : prompt.contains("quoted") ? "no" : "perhaps",
                texts);
        assertThat(out.kept("id")).containsExactly("quoted", "fine");
        assertThat(out.counts().dropped()).containsExactly(Map.entry("refusal (document)", 2L));
        assertThat(out.counts().notes()).containsEntry("refusals by phrase", 3).containsEntry("refusals confirmed", 2);
        assertThat(out.asked()).hasSize(4).allMatch(prompt -> prompt.contains("translation into German"));
    }
}
