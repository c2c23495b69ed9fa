package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.FileNames;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.store.ModelStore;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kind of recipe in a jar of its own. */
class PluginTest {
    @TempDir
    private Path temp;

    /** Loads the classes of {@link HashedWords} again, from a jar and not from the class path. */
    private static final class Jar extends URLClassLoader {
        Jar(Path jar) throws IOException {
            super(new URL[] {jar.toUri().toURL()}, PluginTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.startsWith(HashedWords.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
        }
    }

    /** @param compiled what differs between two versions of the code */
    private Path jar(String name, String compiled) throws IOException {
        Path jar = temp.resolve(name);
        Path classes = FileNames.holding(HashedWords.class).resolve("io/posbias/model/retrieve");
        try (FileSystem zip = FileSystems.newFileSystem(jar, Map.of("create", "true"));
                Stream<Path> files = Files.list(classes)) {
            Path inside = Files.createDirectories(zip.getPath("io/posbias/model/retrieve"));
            for (Path file : (Iterable<Path>) files::iterator) {
                if (String.valueOf(file.getFileName()).startsWith("HashedWords")) {
                    Files.copy(file, inside.resolve(String.valueOf(file.getFileName())));
                }
            }
            Files.writeString(zip.getPath("version"), compiled);
        }
        return jar;
    }

    private Recipe recipe(Jar jar) throws ReflectiveOperationException {
        RetrieverProvider kind = (RetrieverProvider) jar.loadClass(HashedWords.class.getName(), true)
                .getConstructor()
                .newInstance();
        return kind.bind(
                new Fields(Location.of(temp.resolve("x.yaml")), Map.of("name", "hashed", "kind", "hashed-words")),
                (record, field) -> RecipeBook.find(record.text(field)));
    }

    private String digest(Path jar) throws IOException, ReflectiveOperationException {
        try (Jar own = new Jar(jar)) {
            return ModelStore.fingerprint(recipe(own), temp.resolve("home"));
        }
    }

    @Test
    void aRecompiledJarIsAnotherModel() throws IOException, ReflectiveOperationException {
        Path first = jar("first.jar", "one");
        assertThat(digest(first)).isEqualTo(digest(Files.copy(first, temp.resolve("copy.jar"))));
        assertThat(digest(first)).isNotEqualTo(digest(jar("second.jar", "two")));
    }

    @Test
    void posbiasItselfIsNoPlugin() {
        Path home = temp.resolve("home");
        assertThat(RecipeBook.find("bm25").code(home)).isEmpty();
        assertThat(RecipeBook.find("all-minilm-l6-v2+fused:with=bm25").code(home))
                .isEmpty();
    }

    /** Returns the number of texts that were not in the cache. */
    private Number encoded(Path jar) throws IOException, ReflectiveOperationException {
        Engine engine = new Engine(Device.CPU, 1, 0, true, CallLimit.none(), Sessions.in(temp.resolve("home")));
        try (Jar own = new Jar(jar);
                Searcher searcher = recipe(own)
                        .retriever()
                        .open(
                                DatasetReader.open(TinyBenchmark.in(Files.createDirectories(temp.resolve("tiny")))
                                        .folder()),
                                engine)) {
            return searcher.search(List.of(), 1).report().usage().getOrDefault("texts_encoded", -1);
        }
    }

    @Test
    void vectorsOfOtherCodeAreNotReused() throws IOException, ReflectiveOperationException {
        Path first = jar("first.jar", "one");
        assertThat(encoded(first)).isEqualTo(3L);
        assertThat(encoded(first)).isEqualTo(0L);
        assertThat(encoded(jar("second.jar", "two"))).isEqualTo(3L);
    }
}
