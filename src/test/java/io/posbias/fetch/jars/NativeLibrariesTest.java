package io.posbias.fetch.jars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.files.Temporary;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
    private static final String RESOURCE = "picocli/CommandLine.class";

    private final List<String> said = new ArrayList<>();

    @TempDir
    Path temp;

    private NativeLibraries libraries() {
        return new NativeLibraries(Sessions.saying(temp, said::add));
    }

    private Path unpack() {
        return libraries()
                .unpack(NativeLibraries.class.getClassLoader(), List.of(RESOURCE, "no/such.so"))
                .resolve("CommandLine.class");
    }

    @Test
    void aLibraryIsUnpackedOnceAndWhole() throws IOException {
        Path library = unpack();
        assertThat(library.getParent()).hasParent(temp.resolve("native"));
        assertThat(String.valueOf(library.getParent())).contains("picocli-").doesNotContain(".jar");
        byte[] whole = Files.readAllBytes(library);
        Files.setLastModifiedTime(library, FileTime.fromMillis(0));
        assertThat(unpack()).isEqualTo(library);
        assertThat(Files.getLastModifiedTime(library).toMillis()).isZero();
        Files.writeString(library, "cut short by a full disk");
        assertThat(unpack()).hasBinaryContent(whole);
        assertThat(said).singleElement().asString().contains(library.toString());
        try (Stream<Path> files = Files.list(library.getParent())) {
            assertThat(files).containsExactly(library);
        }
    }

    /** A planted library ran when only sizes were compared. */
    @Test
    void aFileOfTheSameSizeIsReplaced() throws IOException {
        Path library = unpack();
        byte[] whole = Files.readAllBytes(library);
        byte[] other = whole.clone();
        other[other.length - 1] ^= 1;
        Files.write(library, other);
        assertThat(unpack()).isEqualTo(library).hasBinaryContent(whole);
        assertThat(said).singleElement().asString().contains(library.toString());
    }

    /** PyTorch's binding loads each library of the folder, and of those below. */
    @Test
    void filesThatTheJarLacksAreDeleted() throws IOException {
        Path library = unpack();
        Path planted = library.resolveSibling("libevil.so");
        Path below = library.resolveSibling("more");
        Path hidden = library.resolveSibling(".posbias-evil.so");
        Path half = library.resolveSibling(".posbias-CommandLine.class-0123456789abcdef");
        Path own = library.resolveSibling("CommandLine$Model.class");
        Files.createDirectory(below);
        for (Path file : List.of(planted, below.resolve("libevil.so"), hidden, half)) {
            Files.writeString(file, "evil");
        }
        Files.copy(library, own);
        assertThat(unpack()).isEqualTo(library);
        assertThat(library.getParent())
                .isDirectoryNotContaining(
                        file -> List.of(planted, below, hidden).contains(file));
        assertThat(half).exists();
        assertThat(own).exists();
        assertThat(said).hasSize(3).allMatch(line -> line.contains(library.getParent() + File.separator));
        Files.setLastModifiedTime(half, FileTime.fromMillis(0));
        unpack();
        assertThat(half).doesNotExist();
    }

    private Path library() throws IOException {
        Path jar = temp.resolve("a library-1.2.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("native/lib.so"));
            zip.write(1);
        }
        return jar;
    }

    /** PyTorch's were looked for on the class path of the archive, which lacks them. DJL unpacked them to the user's home. */
    @Test
    void aPartsLibrariesAreOnItsOwnClassPath() throws IOException {
        try (URLClassLoader part =
                new URLClassLoader(new URL[] {library().toUri().toURL()})) {
            assertThat(libraries().unpack(part, List.of("native/lib.so")))
                    .hasFileName("a%20library-1.2")
                    .isDirectoryContaining("glob:**/lib.so");
        }
    }

    @Test
    void aPlatformWithoutALibraryIsRefused() {
        List<String> none = List.of("no/such.so");
        assertThatThrownBy(() -> libraries().unpack(NativeLibraries.class.getClassLoader(), none))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("no/such.so");
        assertThat(temp.resolve("native")).doesNotExist();
    }

    @Test
    void aJarNeedNotBeOnTheClassPath() throws IOException {
        Path jar = library();
        Path folder = libraries().unpack(jar, List.of("native/lib.so", "native/other.so"));
        assertThat(folder.getParent()).isEqualTo(temp.resolve("native"));
        assertThat(folder).isDirectoryContaining("glob:**/lib.so").isDirectoryNotContaining("glob:**/other.so");
        assertThat(folder.resolve("lib.so")).hasBinaryContent(new byte[] {1});
    }

    @Test
    void whereItCannotBeKeptItIsTemporary() throws IOException {
        Files.writeString(temp.resolve("native"), "no folder");
        Path library = unpack();
        assertThat(Temporary.holds(library)).isTrue();
        assertThat(library).isNotEmptyFile();
    }
}
