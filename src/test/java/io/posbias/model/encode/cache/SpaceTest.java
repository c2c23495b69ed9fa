package io.posbias.model.encode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.api.ApiEncoder;
import io.posbias.model.encode.api.EmbeddingSettings;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.GraphScorer;
import io.posbias.model.encode.model.TokenEncoder;
import io.posbias.model.encode.onnx.ModelFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was kept on disk is found again by its space, so that may not change while settings and files stay the same. */
class SpaceTest {
    private static final String SETTINGS = "{\"max-tokens\":64,\"onnx\":{\"float32\":\"model.onnx\"},";

    @TempDir
    Path temp;

    private static String sha256(String text) {
        return Checksums.sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    private String files() {
        return sha256("{model.onnx=" + Checksums.sha256(temp.resolve("model.onnx")) + ", tokenizer.json="
                + Checksums.sha256(temp.resolve("tokenizer.json")) + "}");
    }

    private Fields write(byte[] graph, String more) {
        return StandIns.write(temp, graph, "max-tokens: 64\n" + more);
    }

    @Test
    void ofOneVectorAText() {
        Fields fields = write(StandIns.lookup(StandIns.table(StandIns.VOCABULARY)), "");
        try (TextEncoder encoder = new DenseEncoder(StandIns.dense(fields), StandIns.engine(temp, 1, 0))) {
            String fingerprint = sha256(SETTINGS + "\"source\":{\"folder\":\".\"}}");
            assertThat(encoder.space()).isEqualTo(sha256(fingerprint + files() + files() + "cpu"));
        }
    }

    @Test
    void ofAnEncoderOfItsOwnForQueries() {
        Fields fields = write(
                StandIns.lookup(StandIns.table(StandIns.VOCABULARY)),
                "query-encoder:\n  onnx:\n    float32: model.onnx\n");
        try (TextEncoder encoder = new DenseEncoder(StandIns.dense(fields), StandIns.engine(temp, 1, 0))) {
            String fingerprint = sha256(SETTINGS
                    + "\"query-encoder\":{\"onnx\":{\"float32\":\"model.onnx\"}},\"source\":{\"folder\":\".\"}}");
            String query = sha256("{model.onnx=" + Checksums.sha256(temp.resolve("model.onnx")) + "}");
            assertThat(encoder.space()).isEqualTo(sha256(fingerprint + files() + query + "cpu"));
        }
    }

    @Test
    void ofOneVectorAToken() {
        Fields fields = write(StandIns.lookup(StandIns.table(StandIns.VOCABULARY)), "");
        try (TextEncoder encoder = new TokenEncoder(StandIns.tokens(fields), StandIns.engine(temp, 1, 0))) {
            String fingerprint = sha256(SETTINGS + "\"source\":{\"folder\":\".\"}}");
            assertThat(encoder.space()).isEqualTo(sha256(fingerprint + files() + "cpu"));
        }
    }

    @Test
    void ofScores() {
        Fields fields = write(StandInRerankers.overlap(StandIns.VOCABULARY, 1), "");
        try (PairScorer scorer = new GraphScorer(StandIns.pairs(fields), StandIns.engine(temp, 1, 0))) {
            String fingerprint = sha256(SETTINGS + "\"source\":{\"folder\":\".\"}}");
            assertThat(scorer.space()).isEqualTo(sha256(fingerprint + files() + "cpu"));
        }
    }

    @Test
    @Tag("slow")
    void ofAModelInAJar() throws IOException {
        String recipe = "configs/models/all-minilm-l6-v2.yaml";
        Fields fields = Json.parseYaml(Path.of(recipe), Configs.read(recipe));
        ModelFiles files = StandIns.dense(fields).graph().files();
        assertThat(files.all()).hasSize(2);
        String graph = files.all().getFirst();
        String tokenizer = files.all().getLast();
        // In the order of their names: all-minilm-l6-v2-tokenizer.json comes before all-minilm-l6-v2.onnx.
        String digests =
                sha256("{" + tokenizer + "=" + resource(tokenizer) + ", " + graph + "=" + resource(graph) + "}");
        String fingerprint = Json.fingerprint(fields, DenseSettings.class);
        try (TextEncoder encoder = new DenseEncoder(StandIns.dense(fields), StandIns.engine(temp, 1, 0))) {
            assertThat(encoder.space()).isEqualTo(sha256(fingerprint + digests + digests + "cpu"));
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(SpaceTest.class.getResourceAsStream("/" + name))) {
            return Checksums.sha256(in.readAllBytes());
        }
    }

    private static EmbeddingSettings embedding(Fields recipe) {
        SequencedMap<String, @Nullable Object> own = recipe.toMap();
        own.keySet().retainAll(Json.names(EmbeddingSettings.class));
        return Json.settings(new Fields(recipe.where(), own), EmbeddingSettings.class);
    }

    @Test
    void ofAService() {
        String recipe = "service: openai\nmodel: m\ndimension: 3\nkey: KEY\ndescription: not of the space\n";
        Fields fields = Json.parseYaml(Path.of("r.yaml"), recipe.getBytes(StandardCharsets.UTF_8));
        try (TextEncoder encoder = new ApiEncoder(
                embedding(fields), Engine.quiet(1, Sessions.in(temp, Map.of("KEY", "sk-1"), line -> {})))) {
            String fingerprint = sha256("{\"dimension\":3,\"key\":\"KEY\",\"model\":\"m\",\"service\":\"openai\"}");
            assertThat(encoder.space()).isEqualTo(sha256(fingerprint));
        }
    }
}
