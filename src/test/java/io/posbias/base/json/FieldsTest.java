package io.posbias.base.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.UsageException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldsTest {
    private final Fields fields = new Fields(new Location(Path.of("f.jsonl"), 7), values());

    private static Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("text", "hello");
        values.put("whole", 12);
        values.put("wide", 1L << 40);
        values.put("broken", 1.5);
        values.put("nothing", null);
        values.put("list", Arrays.asList("a", 2));
        values.put("spaced", " x ");
        values.put("record", Map.of("inner", true));
        return values;
    }

    /** Jackson reads {@code *p} as the text "p", a prompt among others. */
    @Test
    void aliasesOfYamlAreRefused() {
        byte[] alias = "document-prompt: &p 'passage: '\nquery-prompt: *p\n".getBytes(UTF_8);
        assertThatThrownBy(() -> Json.parseYaml(Path.of("m.yaml"), alias))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("m.yaml:2: ");
        byte[] merge = "a: &a {b: 1}\nc:\n  <<: *a\n".getBytes(UTF_8);
        assertThatThrownBy(() -> Json.parseYaml(Path.of("m.yaml"), merge)).hasMessageStartingWith("m.yaml:3: ");
        assertThatThrownBy(() -> Json.yamlValue("--set", "[&a 1, *a]")).isInstanceOf(UsageException.class);
        assertThat(Json.parseYaml(Path.of("m.yaml"), "a: b*c & d\nb: '*x &y'\n".getBytes(UTF_8))
                        .text("b"))
                .isEqualTo("*x &y");
    }

    @Test
    void givesWhatIsThere() {
        assertThat(fields.text("text")).isEqualTo("hello");
        assertThat(fields.integer("whole")).isEqualTo(12);
        assertThat(fields.id("whole")).isEqualTo("12");
        assertThat(fields.integer("absent", 3)).isEqualTo(3);
        assertThat(fields.texts("text")).containsExactly("hello");
        assertThat(fields.record("record").flag("inner")).isTrue();
        assertThat(fields.flag("absent")).isFalse();
        assertThat(fields.oneOf("text", "bye", List.of("hello", "bye"))).isEqualTo("hello");
        assertThat(fields.oneOf("absent", "bye", List.of("hello", "bye"))).isEqualTo("bye");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> fields.text("txt"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("f.jsonl:7:", "\"txt\" is missing", "text, whole, wide", "spaced, record");
        assertThatThrownBy(() -> fields.text("nothing")).hasMessageContaining("field \"nothing\" is null");
    }

    @Test
    void saysWhatHasAnotherType() {
        assertThatThrownBy(() -> fields.text("whole"))
                .hasMessageContainingAll("f.jsonl:7:", "\"whole\" is 12", "string");
        assertThatThrownBy(() -> fields.integer("wide"))
                .hasMessageContainingAll("f.jsonl:7:", "\"wide\" is 1099511627776", "-2147483648", "2147483647");
        assertThatThrownBy(() -> fields.integer("broken"))
                .hasMessageContainingAll("f.jsonl:7:", "\"broken\" is 1.5", "whole number");
        assertThatThrownBy(() -> fields.texts("list"))
                .hasMessageContainingAll("f.jsonl:7:", "\"list\" is 2", "list of strings");
        assertThatThrownBy(() -> fields.id("spaced"))
                .hasMessageContainingAll("f.jsonl:7:", "\"spaced\" is \" x \"", "white space");
        assertThatThrownBy(() -> fields.flag("text"))
                .hasMessageContainingAll("f.jsonl:7:", "\"text\" is \"hello\"", "true or false");
        assertThatThrownBy(() -> fields.oneOf("text", "bye", List.of("hi", "bye")))
                .hasMessageContainingAll("f.jsonl:7:", "\"text\" is \"hello\"", "hi, bye");
        assertThatThrownBy(() -> fields.record("record").text("inner"))
                .hasMessageContainingAll("f.jsonl:7:", "\"record.inner\" is true", "string");
    }

    /** Half characters come from JSON's escapes, and no file in UTF-8 can hold them. */
    @Test
    void textsAndIdentifiersCanBeWritten() {
        Fields broken = new Fields(
                Location.of(Path.of("f")),
                Map.of("text", "a\ud800b😀\udc00", "list", List.of("\ud800"), "half", "a\ud800", "nul", "a\u0000b"));
        assertThat(broken.text("text")).isEqualTo("a\ufffdb😀\ufffd");
        assertThat(broken.texts("list")).containsExactly("\ufffd");
        assertThatThrownBy(() -> broken.id("half"))
                .hasMessageContainingAll("f:", "\"half\" is \"a\\ud800\"", "half characters");
        assertThatThrownBy(() -> broken.id("nul")).hasMessageStartingWith("f: field \"nul\" is \"a\\u0000b\"; an");
    }

    @Test
    void refusesWhatNobodyReads() {
        assertThatThrownBy(() -> fields.refuseOthers(
                        List.of("text", "whole", "wide", "broken", "nothing", "list", "space", "record")))
                .hasMessageContainingAll("f.jsonl:7:", "\"spaced\"", "did you mean space?", "text");
    }
}
