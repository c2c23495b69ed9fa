package io.posbias.fetch.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HubSettingsTest {
    @TempDir
    Path user;

    private HubSettings of(Map<String, String> environment) {
        return HubSettings.of(Session.quiet(environment, user));
    }

    @Test
    void hasTheHubsOwnDefaults() {
        HubSettings settings = of(Map.of());
        assertThat(settings.endpoint()).hasToString("https://huggingface.co");
        assertThat(settings.github()).hasToString("https://raw.githubusercontent.com");
        assertThat(settings.maven()).hasToString("https://repo1.maven.org/maven2");
        assertThat(settings.hubCache()).isEqualTo(user.resolve(".cache/huggingface/hub"));
        assertThat(settings.home()).isEqualTo(user.resolve(".cache/posbias"));
        assertThat(settings.token()).isEmpty();
        assertThat(settings.offline()).isFalse();
        assertThat(settings.dataset("a/b")).isEqualTo(user.resolve(".cache/posbias/datasets/a/b"));
    }

    @Test
    void honoursTheHubsVariables() {
        HubSettings settings = of(Map.of(
                "HF_ENDPOINT", "https://mirror.example/",
                "HF_HOME", "/hf",
                "HF_TOKEN", " hf_x ",
                "HF_HUB_OFFLINE", "YES",
                "POSBIAS_GITHUB", "http://127.0.0.1:8080/",
                "POSBIAS_MAVEN", "https://maven.example/central/",
                "POSBIAS_HOME", "/pb",
                "XDG_CACHE_HOME", "/xdg"));
        assertThat(settings.endpoint()).hasToString("https://mirror.example");
        assertThat(settings.github()).hasToString("http://127.0.0.1:8080");
        assertThat(settings.maven()).hasToString("https://maven.example/central");
        assertThat(settings.hubCache()).isEqualTo(Path.of("/hf/hub"));
        assertThat(settings.home()).isEqualTo(Path.of("/pb"));
        assertThat(settings.token().map(token -> token.mask("a hf_x b"))).contains("a *** b");
        assertThat(settings.offline()).isTrue();
        assertThat(of(Map.of("XDG_CACHE_HOME", "/xdg")).home()).isEqualTo(Path.of("/xdg/posbias"));
        assertThat(of(Map.of("HF_HUB_CACHE", "/c")).hubCache()).isEqualTo(Path.of("/c"));
    }

    /** As other tools read it: HOME first, the password file's folder without it; variables may begin with ~. */
    @Test
    void homeIsTheUsersFolder() {
        HubSettings settings = of(Map.of("HOME", "/scratch/me"));
        assertThat(settings.home()).isEqualTo(Path.of("/scratch/me/.cache/posbias"));
        assertThat(settings.hubCache()).isEqualTo(Path.of("/scratch/me/.cache/huggingface/hub"));
        assertThat(of(Map.of("HOME", " ")).home()).isEqualTo(user.resolve(".cache/posbias"));
        assertThat(of(Map.of("HOME", "/scratch/me", "XDG_CACHE_HOME", "/xdg")).hubCache())
                .isEqualTo(Path.of("/xdg/huggingface/hub"));
        assertThat(of(Map.of("HOME", "/scratch/me", "POSBIAS_HOME", "~/pb")).home())
                .isEqualTo(Path.of("/scratch/me/pb"));
        assertThat(of(Map.of("HF_HOME", "~")).hubCache()).isEqualTo(user.resolve("hub"));
    }

    @Test
    void readsTheTokenThatTheHubsLibraryStored() throws IOException {
        Files.createDirectories(user.resolve(".cache/huggingface"));
        Files.writeString(user.resolve(".cache/huggingface/token"), "hf_stored\n");
        assertThat(of(Map.of()).token().map(token -> token.mask("a hf_stored b")))
                .contains("a *** b");
        assertThat(of(Map.of("HF_TOKEN", "hf_other")).token().map(token -> token.mask("hf_other")))
                .contains("***");
    }

    @ParameterizedTest
    @CsvSource({
        "huggingface.co, is not the address of a server",
        "ftp://h/, is not the address of a server",
        "https:huggingface.co, is not the address of a server",
        "https://hugging face.co, is not an address",
        "http://me:word@mirror.example, holds a user or password",
        "https://word@mirror.example, holds a user or password",
        "http://me:word@mirror example, is not an address",
        "https://mirror.example?token=word, holds a query (? or #)",
    })
    void refusesAnEndpointWithoutRepeatingIt(String endpoint, String problem) {
        assertThatThrownBy(() -> of(Map.of("HF_ENDPOINT", endpoint)))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("HF_ENDPOINT " + problem + ":")
                .hasMessageContaining("https://huggingface.co")
                .hasMessageNotContainingAny("word@", "=word", "me:");
    }
}
