package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.posbias.base.json.BadInputException;
import io.posbias.study.probe.redocred.RedocredDocument.Entity;
import io.posbias.study.probe.redocred.RedocredDocument.Label;
import io.posbias.study.probe.redocred.RedocredDocument.Mention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RedocredReaderTest {
    private static final String GOOD = """
            [{"title": "Ada &amp; co", "sents": [["Ada", "was", "born"], ["In", "1815"]],
              "vertexSet": [[{"name": "Ada", "type": "PER", "sent_id": 0, "pos": [0, 1], "index": "0_0"}],
                            [{"name": "1815", "type": "TIME", "sent_id": 1, "pos": [1, 2]}]],
              "labels": [{"r": "P569", "h": 0, "t": 1, "evidence": [1, 0]}]}]
            """;

    @TempDir
    Path temp;

    private Path file(String json) throws IOException {
        return Files.writeString(temp.resolve("dev.json"), json);
    }

    @Test
    void readsADocument() throws IOException {
        List<RedocredDocument> documents = RedocredReader.read(file(GOOD), "validation");
        assertThat(documents).hasSize(1);
        RedocredDocument ada = documents.getFirst();
        assertThat(ada.title()).isEqualTo("Ada &amp; co");
        assertThat(ada.sentence(1)).isEqualTo("In 1815");
        assertThat(ada.entities())
                .containsExactly(
                        new Entity(List.of(new Mention("Ada", "PER", 0, 0, 1))),
                        new Entity(List.of(new Mention("1815", "TIME", 1, 1, 2))));
        assertThat(ada.labels()).containsExactly(new Label("P569", 0, 1, List.of(1, 0)));
    }

    /** Half characters come from JSON's escapes; Jackson's writer of bytes throws at them. */
    @Test
    void textsWithHalfCharactersCanBeWritten() throws IOException {
        ProbeRecord record =
                new ProbeRecord("p", "1", "q\ud800", "t", null, null, Map.of("title", "\udc00"), null, null);
        String name = ProbeFolder.write(temp, "p", List.of(record, record));
        assertThat(Files.readString(temp.resolve(name)))
                .isEqualTo(
                        "{\"probe\":\"p\",\"id\":\"1\",\"query\":\"q?\",\"text1\":\"t\",\"tags\":{\"title\":\"?\"}}\n"
                                .repeat(2));
    }

    /** What is replaced in the good file, by what, and what the error says after the file's name. */
    static Stream<Arguments> faults() {
        return Stream.of(
                arguments(GOOD, "{\"data\": []}", ": is not a list; a Re-DocRED file is [ { \"title\": …, "),
                arguments(GOOD, "[]", ": holds no document; a Re-DocRED file is [ { \"title\": …, "),
                arguments("[1, 0]}]}]", "[1, 0]}]}] []", ": goes on behind its list; a Re-DocRED file is"),
                arguments("[1, 0]}]}]", "[1, 0]}]}] x", ":4: not JSON at column"),
                arguments(GOOD, "[7]", ":1: record [0] is not a document; it must be { … }"),
                arguments("[1, 0]}]}]", "[1, 0]}]}", ":5: not JSON at column 1: it ends too early"),
                arguments(
                        "\"title\": \"Ada &amp; co\",", "", ":1: field \"[0].title\" is missing; fields found: sents"),
                arguments("Ada &amp; co", " ", ":1: field \"[0].title\" is blank; it must hold a word"),
                arguments("\"sents\"", "\"text\"", ":1: field \"[0].sents\" is missing; it must be a list"),
                arguments("[\"In\", \"1815\"]", "\"In\"", ":1: field \"[0].sents[1]\" is no list; it must be a list"),
                arguments("[\"In\", \"1815\"]", "[1815]", ":1: field \"[0].sents[1]\" holds 1815; tokens are strings"),
                arguments(
                        "[\"Ada\", \"was\", \"born\"], [\"In\", \"1815\"]",
                        "[\" \"], []",
                        ":1: field \"[0].sents\" holds no word; a document has at least one sentence"),
                arguments("\"vertexSet\"", "\"entities\"", ":1: field \"[0].vertexSet\" is missing; it must be a list"),
                arguments(
                        "[[{\"name\"",
                        "[[], [{\"name\"",
                        ":1: field \"[0].vertexSet[0]\" is empty; an entity has at least one mention"),
                arguments(
                        "[[{\"name\"",
                        "[[7], [{\"name\"",
                        ":1: field \"[0].vertexSet[0][0]\" must be a record; a mention is"),
                arguments(
                        "\"sent_id\": 1",
                        "\"sent_id\": 2",
                        ":1: field \"[0].vertexSet[1][0].sent_id\" names 2; the document has 2 sentences, counted from 0"),
                arguments(
                        "[1, 2]",
                        "[1, 3]",
                        ":1: field \"[0].vertexSet[1][0].pos\" is [1, 3]; it must be [first token, token after the last]"
                                + " of 2 tokens"),
                arguments("[1, 2]", "[1, 1]", ":1: field \"[0].vertexSet[1][0].pos\" is [1, 1]; it must be "),
                arguments("[1, 2]", "[1]", ":1: field \"[0].vertexSet[1][0].pos\" is [1]; it must be "),
                arguments("\"1815\", \"type\"", "\"\", \"type\"", ":1: field \"[0].vertexSet[1][0].name\" is blank; "),
                arguments("\"labels\"", "\"relations\"", ":1: field \"[0].labels\" is missing; it must be a list"),
                arguments(
                        "\"t\": 1",
                        "\"t\": 2",
                        ":1: field \"[0].labels[0].t\" names 2; the document has 2 entities, counted from 0"),
                arguments(
                        "\"h\": 0",
                        "\"h\": \"x\"",
                        ":1: field \"[0].labels[0].h\" is \"x\"; it must be a whole number"),
                arguments(
                        "[1, 0]",
                        "[1, -1]",
                        ":1: field \"[0].labels[0].evidence\" names -1; the document has 2 sentences, counted from 0"),
                arguments("\"P569\"", "569", ":1: field \"[0].labels[0].r\" is 569; it must be a string"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whatIsWrongIsOneLine(String good, String bad, String expected) throws IOException {
        assertThat(GOOD).contains(good);
        Path file = file(GOOD.replace(good, bad));
        assertThatThrownBy(() -> RedocredReader.read(file, "validation"))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith(file + expected)
                .hasMessageNotContaining("\n");
    }

    @Test
    void twoFilesMayNotHaveOneTitle() throws IOException {
        Path dev = file(GOOD);
        Path test = Files.writeString(temp.resolve("test.json"), GOOD);
        assertThatThrownBy(() -> RedocredInput.read(List.of(dev, test)))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll(dev + ": ", "\"[0].title\"", "\"Ada &amp; co\"", test.toString());
    }
}
