package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.encode.StandInScorer;
import io.posbias.model.encode.StandInTokens;
import io.posbias.model.encode.api.FakeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ModelsCheckTest {
    @TempDir
    Path temp;

    private static String steady(String out) {
        return out.replaceAll("\\d\\.\\de[-+]\\d\\d|\\b0(?= between)", "N")
                .replaceAll("\\S+ (texts|pairs)/s, \\S+ tokens/s", "N $1/s, N tokens/s")
                .replaceAll("\\d+ threads?", "N threads");
    }

    @Test
    void aLateInteractionModel() throws IOException {
        Path sound = StandInTokens.SOUND.write(
                temp, "late", "query-length: 32", "query-expansion: true", "skip: punctuation");
        Cli.Ended check = Cli.run("models check", sound);
        assertThat(check.err()).isEmpty();
        assertThat(check.code()).isZero();
        assertThat(steady(check.out())).isEqualTo("""
            late: ok
                   device             cpu
                   dimension          8
                   input              input_ids [batch, length] int64
                   input              attention_mask [batch, length] int64
                   output             last_hidden_state [batch, length, 8] float, read
                   speed              N texts/s, N tokens/s (8 texts of 330 tokens in all, N threads)
                   vectors            296 of 330 tokens take part
                   padding side       right
              ok   alone or not       N between a text alone and among texts of its length
              ok   padded right       N between a text alone and in a padded batch
                   padded left        N between a text alone and in a padded batch
              ok   first token        N at least in its own vector when another one takes its place
              ok   first token        N at least in a vector behind it when another one takes its place
              ok   last token         N at least in its own vector when another one takes its place
              ok   last token         N at least in a vector before it when another one takes its place
                   query vectors      256 of 256 tokens take part
                   query padding side right
              ok   query alone or not N between a text alone and among texts of its length
                   query padded       never, as all rows are of 32 tokens
              ok   query first token  N at least in its own vector when another one takes its place
              ok   query first token  N at least in a vector behind it when another one takes its place
              ok   query last token   N at least in its own vector when another one takes its place
              ok   query last token   N at least in a vector before it when another one takes its place
            """);
    }

    @Test
    void aCrossEncoder() throws IOException {
        Path sound = StandInScorer.SOUND.write(temp.resolve("sound"), "cross", "activation: sigmoid");
        Path equal = StandInScorer.EQUAL.write(temp.resolve("equal"), "equal");
        Cli.Ended check = Cli.run("models check", sound, equal);
        assertThat(check.err()).isEmpty();
        assertThat(check.code()).isEqualTo(1);
        assertThat(steady(check.out())).isEqualTo("""
            cross: warn
                   device            cpu
                   input             input_ids [batch, length] int64
                   input             attention_mask [batch, length] int64
                   output            logits [batch, 1] float, read
                   speed             N pairs/s, N tokens/s (8 pairs of 378 tokens in all, N threads)
                   scores            0.0005004 to 1.000, the sigmoid of -7.600 to 14.74
              warn rank              4 of 8 for the passage that answers the query
                   distances         as shares of the logits' range, 22.34
                   padding side      right
              ok   alone or not      N between a pair alone and among pairs of its length
              ok   padded right      N between a pair alone and in a padded batch
                   padded left       N between a pair alone and in a padded batch
              ok   first token       N at least when another one takes its place
              ok   last token        N at least when another one takes its place
              ok   query first token N at least when another one takes its place
              ok   query last token  N at least when another one takes its place
            equal: fail
                   device         cpu
                   input          input_ids [batch, length] int64
                   input          attention_mask [batch, length] int64
                   output         logits [batch, 1] float, read
                   speed          N pairs/s, N tokens/s (8 pairs of 378 tokens in all, N threads)
                   scores         -0.2871 to -0.2871
              fail order          all passages get the same score
            """);
    }

    @Test
    void aCausalReranker() throws IOException {
        Path sound = StandInScorer.SOUND.writeCausal(temp, "causal", "\"no\": \"no\"");
        Cli.Ended check = Cli.run("models check", sound).ok();
        assertThat(steady(check.out())).isEqualTo("""
            causal: warn
                   device            cpu
                   input             input_ids [batch, length] int64
                   input             attention_mask [batch, length] int64
                   output            logits [batch, length, 197] float, read
                   yes               "yes", token 7
                   no                "no", token 8
                   speed             N pairs/s, N tokens/s (8 pairs of 410 tokens in all, N threads)
                   scores            0.1968 to 1.000, the softmax of -1.406 to 33.78
              warn rank              8 of 8 for the passage that answers the query
                   distances         as shares of the logits' range, 35.18
                   padding side      right
              ok   alone or not      N between a pair alone and among pairs of its length
              ok   padded right      N between a pair alone and in a padded batch
                   padded left       N between a pair alone and in a padded batch
              ok   first token       N at least when another one takes its place
              ok   last token        N at least when another one takes its place
              ok   query first token N at least when another one takes its place
              ok   query last token  N at least when another one takes its place
            """);
    }

    private Path service(FakeApi server) throws IOException {
        return Files.writeString(
                temp.resolve("asked.yaml"),
                "name: asked\nkind: rerank-api\nservice: jina\nmodel: m-1\nendpoint: " + server.address()
                        + "/v1/rerank\nprice-per-million-tokens: 100\n");
    }

    private static String answer(double first, double second) {
        return "{\"results\": [{\"index\": 0, \"relevance_score\": " + first + "}, {\"index\": 1, \"relevance_score\": "
                + second + "}], \"usage\": {\"total_tokens\": 26}}";
    }

    @Test
    void aServiceThatReranksIsAskedOnce() throws IOException {
        try (FakeApi server = new FakeApi(request -> answer(0.25, 0.75))) {
            Cli.Ended check = Cli.run("models check", service(server));
            assertThat(check.err()).startsWith("asked: one call").hasLineCount(1);
            assertThat(check.code()).isZero();
            assertThat(check.out().replaceAll("\\d\\S* s for", "N s for")).isEqualTo("""
                asked: ok
                       answer         N s for 2 texts
                       api calls      1
                       api retries    0
                       api tokens     26
                       api cost usd   0.0026
                  ok   scores         0.75 of a passage that answers the query, 0.25 of one that does not
                """);
            assertThat(server.seen()).hasSize(1);
            assertThat(server.seen().getFirst().texts("documents")).hasSize(2);
        }
    }

    @Test
    void aServiceWithEqualScoresMakesTheExitCodeOne() throws IOException {
        try (FakeApi server = new FakeApi(request -> answer(0.5, 0.5))) {
            Cli.Ended check = Cli.run("models check", service(server));
            assertThat(check.out())
                    .startsWith("asked: fail\n")
                    .containsPattern("\n  fail scores .* same score: 0.5\n\\z");
            assertThat(check.code()).isEqualTo(1);
        }
    }
}
