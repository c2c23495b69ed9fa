package io.posbias.model.encode.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.posbias.base.net.Secret;
import io.posbias.base.net.StandInServer;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Role;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {
    private static final String GOOD = "{\"data\": [{\"index\": 0, \"embedding\": [1]}]}";

    private final ApiMeter meter = new ApiMeter();
    private final List<String> said = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();

    private static ApiSettings settings(String endpoint, String more) {
        return Fakes.embedding("service: openai\nmodel: m\ndimension: 1\nendpoint: " + endpoint + "\n" + more)
                .api();
    }

    /** Embeds one text and gives back everything that could be read afterwards. */
    private String everythingShown(FakeApi server) {
        EmbeddingSettings settings = Fakes.embedding(
                "service: openai\nendpoint: " + server.address() + "/v1\nmodel: m\nkey: TEST_KEY\ndimension: 1");
        StringWriter shown = new StringWriter();
        ApiEncoder api = new ApiEncoder(
                settings,
                new ApiConnection(
                        settings.api(),
                        Fakes.ENVIRONMENT,
                        meter,
                        CallLimit.none(),
                        said::add,
                        Fakes.patience(Duration.ofSeconds(20), pauses)),
                Sessions.in(Path.of("home")));
        try (api) {
            Throwable failure = catchThrowable(() -> api.embed(List.of("text"), Role.PASSAGE));
            if (failure != null) {
                PrintWriter printer = new PrintWriter(shown);
                failure.printStackTrace(printer);
                printer.flush();
                shown.append(String.join("\n", ((ApiException) failure).steps()));
            }
        }
        return shown + "\n" + String.join("\n", said) + "\n" + meter + settings
                + settings.api().key(Fakes.ENVIRONMENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 401, 429, 307})
    void aServerThatEchoesTheKeyIsMasked(int status) {
        String echo = "Incorrect key " + Fakes.KEY + " given";
        String body = "{\"error\": {\"message\": \"" + echo + "\"}, \"data\": \"" + echo + "\"}";
        try (FakeApi server = new FakeApi(request -> GOOD)) {
            server.order(Collections.nCopies(10, FakeApi.status(status, body)).toArray(StandInServer.Answer[]::new));
            String shown = everythingShown(server);
            assertThat(server.seen().getFirst().authorization()).isEqualTo("Bearer " + Fakes.KEY);
            assertThat(shown).doesNotContain(Fakes.KEY).doesNotContain(Fakes.KEY.substring(3, 14));
            if (status != 200) {
                assertThat(shown).contains("Incorrect key *** given");
            }
        }
    }

    @Test
    void aServerThatEchoesTheKeyInsteadOfJsonIsMasked() {
        // The parser quotes a word that is no JSON.
        String part = Fakes.KEY.substring(Fakes.KEY.indexOf("abc"));
        try (FakeApi server = new FakeApi(request -> part)) {
            assertThat(everythingShown(server))
                    .contains("not JSON")
                    .contains("***")
                    .doesNotContain(part);
        }
    }

    @Test
    void aKeyIsMaskedBeforeALineIsCut() {
        String body = "{\"message\": \"" + "x".repeat(294) + Fakes.KEY + "\"}";
        try (FakeApi server = new FakeApi(request -> GOOD)) {
            server.order(FakeApi.status(400, body));
            assertThat(everythingShown(server)).contains("x***").doesNotContain(Fakes.KEY.substring(0, 5));
        }
    }

    @Test
    void whatWorksShowsNoKeyEither() {
        try (FakeApi server = new FakeApi(request -> GOOD)) {
            server.order(FakeApi.status(503, ""));
            assertThat(everythingShown(server)).contains("(secret)").doesNotContain(Fakes.KEY);
        }
    }

    @Test
    void longPartsOfAKeyAreMaskedToo() {
        Secret key = new Secret("the key", Fakes.KEY);
        assertThat(key.mask("a " + Fakes.KEY + " b " + Fakes.KEY.substring(5, 15) + " c sk-test d"))
                .isEqualTo("a *** b *** c sk-test d");
        assertThat(new Secret("the key", "abc").mask("xabcx ab")).isEqualTo("x***x ab");
    }

    @Test
    void aMissingKeyNamesItsVariable() {
        assertThatThrownBy(() -> settings("https://h/v1", "key: MY_KEY").key(Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("openai", "MY_KEY");
        assertThatThrownBy(() -> settings("https://h/v1", "key: MY_KEY").key(Map.of("MY_KEY", " ")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("MY_KEY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"topsecret\n", "topsecret\r\nX-Other: 1", "top secret", "topsecrét", "topsecret\u0000"})
    void aKeyThatFitsNoHeaderIsRefusedUnseen(String value) {
        assertThatThrownBy(() -> settings("https://h/v1", "key: MY_KEY").key(Map.of("MY_KEY", value)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("MY_KEY")
                .hasMessageNotContaining("top");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://example.org/v1", "http://127.0.0.1.example.org/v1", "http://10.0.0.1:8080/v1"})
    void aKeyDoesNotTravelUnencrypted(String endpoint) {
        assertThatThrownBy(() -> settings(endpoint, "key: TEST_KEY").key(Fakes.ENVIRONMENT))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("unencrypted")
                .hasMessageNotContaining(Fakes.KEY);
        assertThat(settings(endpoint, "").key(Fakes.ENVIRONMENT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:8080/v1", "http://127.0.0.1/v1", "http://[::1]:8080/v1", "https://h/v1"})
    void aKeyTravelsEncryptedOrWithinThisMachine(String endpoint) {
        assertThat(settings(endpoint, "key: TEST_KEY").key(Fakes.ENVIRONMENT).map(Secret::toString))
                .contains("(secret)");
    }

    @Test
    void theVendorsUsualKeyGoesToTheVendorOnly() {
        Map<String, String> environment = Map.of("OPENAI_API_KEY", Fakes.KEY);
        assertThat(settings("https://api.openai.com/v1/embeddings", "").keyVariable())
                .contains("OPENAI_API_KEY");
        assertThat(settings("https://other.example/v1/embeddings", "").keyVariable())
                .isEmpty();
        try (FakeApi server = new FakeApi(request -> GOOD)) {
            EmbeddingSettings local = Fakes.embedding(
                    "service: openai\nmodel: m\ndimension: 1\nendpoint: " + server.address() + "/v1/embeddings");
            try (ApiEncoder api = new ApiEncoder(
                    local,
                    new ApiConnection(
                            local.api(), environment, meter, CallLimit.none(), said::add, ApiConnection.USUAL),
                    Sessions.in(Path.of("home")))) {
                assertThat(api.embed(List.of("text"), Role.PASSAGE))
                        .singleElement()
                        .satisfies(vector -> assertThat(vector).hasSize(1));
            }
            assertThat(Optional.ofNullable(server.seen().getFirst().authorization()))
                    .isEmpty();
        }
    }
}
