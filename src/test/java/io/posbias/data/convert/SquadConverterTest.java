package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SquadConverterTest {
    private static final String V2 = """
            {"version": "v2.0", "data": [{"title": "Owls", "paragraphs": [
              {"context": "Zebras run. 🦉 Owls fly.", "qas": [
                {"id": "a", "question": "What do owls do?", "answers": [
                  {"text": "fly", "answer_start": 19}, {"text": "Owls fly", "answer_start": 14}]},
                {"id": "b", "question": "What do cows do?", "answers": [], "is_impossible": true}]},
              {"context": "Ants dig.", "qas": [
                {"id": 7, "question": "What do ants do?", "answers": [{"text": "dug", "answer_start": 5}]}]}]},
             {"title": "More", "ignored": [1, {"x": 2}], "paragraphs": [
              {"context": "Nobody asks about this.", "qas": []}]}]}
            """;

    @TempDir
    Path temp;

    private final List<String> notes = new ArrayList<>();

    private Dataset build(String... inputs) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < inputs.length; i++) {
            files.add(Files.writeString(temp.resolve("input" + i + ".json"), inputs[i]));
        }
        SquadConverter converter = new SquadConverter(files, DatasetCard.named("squad"));
        return Converter.build(temp.resolve("out"), false, converter, notes::add, Sessions.shared());
    }

    @Test
    void everyContextIsAPassageAndEveryAnswerableQuestionAQuery() throws IOException {
        Dataset dataset = build(V2);
        List<Passage> passages = new ArrayList<>();
        dataset.passages().inFileOrder((ordinal, passage) -> passages.add(passage));
        assertThat(passages).extracting(Passage::id).containsExactly("d00000", "d00001", "d00002");
        assertThat(passages)
                .extracting(Passage::text)
                .containsExactly("Ants dig.", "Nobody asks about this.", "Zebras run. 🦉 Owls fly.");
        assertThat(dataset.queries()).extracting(Query::id).containsExactly("a", "7");
        assertThat(passages).extracting(Passage::article).containsExactly("Owls", "More", "Owls");
        assertThat(passages).extracting(Passage::content).doesNotContain("Owls");
        assertThat(dataset.card().clustersByArticle()).isTrue();
    }

    @Test
    void aTitleMayFollowItsParagraphs() throws IOException {
        Dataset dataset = build("""
                {"data": [{"paragraphs": [
                  {"context": "Ants dig.", "qas": [{"id": 7, "question": "Who?", "answers": [{"text": "Ants", "answer_start": 0}]}]}],
                 "title": "Ants"}]}
                """);
        dataset.passages()
                .inFileOrder((ordinal, passage) -> assertThat(passage.article()).isEqualTo("Ants"));
        assertThat(dataset.card().clustersByArticle()).isFalse();
    }

    @Test
    void theFirstAnswersStartCountsInCodePoints() throws IOException {
        Evidence evidence =
                Objects.requireNonNull(build(V2).queries().getFirst().evidence());
        assertThat(evidence.start()).isEqualTo(19);
        assertThat(evidence.end()).isEqualTo(22);
        assertThat(evidence.textLength()).isEqualTo(23);
        assertThat(Objects.requireNonNull(evidence.span()).of("Zebras run. 🦉 Owls fly."))
                .isEqualTo("fly");
    }

    @Test
    void saysWhatWasLeftOutAndWhatReadsOtherwise() throws IOException {
        build(V2);
        assertThat(notes)
                .satisfiesExactly(
                        without -> assertThat(without).contains("1 question"),
                        other -> assertThat(other).contains("1 answer ", "answer_start", "question 7"));
    }

    @Test
    void rowsOfTheHubGiveTheSameBenchmark() throws IOException {
        Path rows = Files.writeString(temp.resolve("rows.jsonl"), """
                {"id": "a", "title": "Owls", "context": "Zebras run. 🦉 Owls fly.", "question": "What do owls do?", "answers": {"text": ["fly", "Owls fly"], "answer_start": [19, 14]}}
                {"id": "b", "title": "Owls", "context": "Zebras run. 🦉 Owls fly.", "question": "What do cows do?", "answers": {"text": [], "answer_start": []}}
                {"id": "7", "title": "Owls", "context": "Ants dig.", "question": "What do ants do?", "answers": {"text": ["dug"], "answer_start": [5]}}
                {"id": "c", "title": "More", "context": "Nobody asks about this.", "question": "?", "answers": {"text": [], "answer_start": []}}
                """);
        Dataset fromRows = Converter.build(
                temp.resolve("rows"),
                false,
                new SquadConverter(List.of(rows), DatasetCard.named("squad")),
                notes::add,
                Sessions.shared());
        assertThat(fromRows.checksums()).isEqualTo(build(V2).checksums());
    }

    @Test
    void severalFilesAreReadInOrder() throws IOException {
        Dataset dataset = build(
                "{\"data\": [{\"paragraphs\": [{\"context\": \"B b\", \"qas\": [{\"id\": \"1\", \"question\": \"?\","
                        + " \"answers\": [{\"text\": \"b\", \"answer_start\": 2}]}]}]}]}",
                "{\"data\": [{\"paragraphs\": [{\"context\": \"A a\", \"qas\": [{\"id\": \"0\", \"question\": \"?\","
                        + " \"answers\": [{\"text\": \"a\", \"answer_start\": 2}]}]}]}]}");
        assertThat(dataset.queries()).extracting(Query::id).containsExactly("1", "0");
        assertThat(dataset.passages().ids().id(1)).isEqualTo("d00000");
    }

    /** As TQuAD and Amharic QA have them: starts that are strings, numbers as ids, no titles, fields of their own. */
    @Test
    void filesOfOtherProjectsAreReadToo() throws IOException {
        Dataset dataset = build("\uFEFF" + """
                {"version": 1.1, "data": [{"paragraphs": [{"document_id": 266686, "qas": [
                  {"question": "Nerede?", "id": 960, "is_impossible": false, "answers": [
                    {"answer_start": "10", "text": "Musul ", "answer_id": 1, "answer_category": null},
                    {"answer_start": "10", "text": "Musul"}]}],
                  "context": "Yeri: 1156Musul", "image": {"url": null}}]}]}
                """);
        Query query = dataset.queries().getFirst();
        assertThat(query.id()).isEqualTo("960");
        Evidence evidence = Objects.requireNonNull(query.evidence());
        assertThat(List.of(evidence.start(), evidence.end())).containsExactly(10, 15);
    }

    @Test
    void gzipIsUnpacked() throws IOException {
        Path file = temp.resolve("SQuAD_it-test.json.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(V2.getBytes(StandardCharsets.UTF_8));
        }
        Dataset dataset = Converter.build(
                temp.resolve("gz"),
                false,
                new SquadConverter(List.of(file), DatasetCard.named("squad")),
                notes::add,
                Sessions.shared());
        assertThat(dataset.checksums()).isEqualTo(build(V2).checksums());
        Path plain = Files.writeString(temp.resolve("plain.json.gz"), V2);
        assertThatThrownBy(() -> Converter.build(
                        temp.resolve("no"),
                        false,
                        new SquadConverter(List.of(plain), DatasetCard.named("squad")),
                        notes::add,
                        Sessions.shared()))
                .hasMessageStartingWith("cannot read " + plain + ": the compressed data is corrupt");
    }

    @Test
    void refusesStartsThatAreNoNumbers() {
        refuses(
                "{\"data\": [{\"paragraphs\": [{\"context\": \"short\", \"qas\": [{\"id\": \"1\", \"question\": \"?\","
                        + " \"answers\": [{\"text\": \"s\", \"answer_start\": \"first\"}]}]}]}]}",
                ":1: field \"data[0].paragraphs[0].qas[0].answers[0].answer_start\" is \"first\"; it must be a whole"
                        + " number");
    }

    private void refuses(String input, String message) {
        assertThatThrownBy(() -> build(input)).hasMessage(temp.resolve("input0.json") + message);
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void refusesAnswersOutsideTheirContext() {
        refuses(
                "{\"data\": [{\"paragraphs\": [{\"context\": \"short\", \"qas\": [{\"id\": \"1\", \"question\": \"?\","
                        + " \"answers\": [{\"text\": \"long\", \"answer_start\": 3}]}]}]}]}",
                ":1: field \"data[0].paragraphs[0].qas[0].answers\" puts the answer at [3, 7], outside its context of 5"
                        + " code points; answer_start counts code points from 0");
    }

    @Test
    void refusesRepeatedIds() {
        String question = "{\"id\": \"1\", \"question\": \"?\", \"answers\": [{\"text\": \"s\", \"answer_start\": 0}]}";
        refuses(
                "{\"data\": [{\"paragraphs\": [{\"context\": \"short\", \"qas\": [" + question + "," + question
                        + "]}]}]}",
                ":1: field \"data[0].paragraphs[0].qas[1].id\" is \"1\", which an earlier question has too; identifiers"
                        + " are unique");
    }

    @Test
    void refusesOtherFiles() {
        refuses("[1, 2]", ":1: not a JSON object; a table is a list of records { … }");
        refuses("{\"version\": 1}", ":1: field \"question\" is missing; fields found: version");
        refuses("{\"data\": []}", ": not a SQuAD file; SQuAD JSON is { \"data\": [ { \"paragraphs\": [ … ] } ] }");
        assertThatThrownBy(() -> build("{\"data\": [{\"paragraphs\": ["))
                .hasMessageStartingWith(temp.resolve("input0.json") + ":1: not JSON at column");
    }
}
