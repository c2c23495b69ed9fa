package io.posbias.fetch.jars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A folder with the layout of pip's package stands in for it, a script for its Python. */
@EnabledOnOs(OS.LINUX)
class CudaLibrariesTest {
    private static final String VERSION = LibraryJars.ONNXRUNTIME.pinned().version();
    private static final String PROVIDER = "libonnxruntime_providers_cuda.so";

    @TempDir
    Path temp;

    private Path packages;
    private Path capi;

    @BeforeEach
    void install() throws IOException {
        packages = temp.resolve("site packages");
        capi = packages.resolve("onnxruntime/capi");
        Files.createDirectories(capi);
        Map<String, String> files = new HashMap<>();
        files.put("libonnxruntime.so." + VERSION, "a VERS_" + VERSION + "\0 b");
        files.put("libonnxruntime_providers_shared.so", "shared");
        files.put(PROVIDER, "libcublas.so.13\0libcudart.so.13\0 libcudart.so.12");
        StringBuilder record = new StringBuilder();
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = capi.resolve(file.getKey());
            Files.writeString(path, file.getValue());
            String digest = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(HexFormat.of().parseHex(Checksums.sha256(path)));
            record.append("onnxruntime/capi/" + file.getKey() + ",sha256=" + digest + "," + Files.size(path) + "\n");
        }
        write("onnxruntime_gpu-" + VERSION + ".dist-info/RECORD", record + "onnxruntime/capi/RECORD,,\n");
    }

    private void write(String name, String content) throws IOException {
        Path file = packages.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private Session session(Map<String, String> more) throws IOException {
        Path python = temp.resolve("python");
        Files.writeString(python, "#!/bin/sh\nprintf '%s\\n' /nowhere '" + packages + "'\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new HashMap<>(more);
        environment.putIfAbsent("POSBIAS_PYTHON", python.toString());
        return Sessions.in(temp.resolve("home"), environment, line -> {});
    }

    private String refusal(Map<String, String> environment) throws IOException {
        Session session = session(environment);
        try {
            return "found " + CudaLibraries.find(session, true);
        } catch (PosbiasException refused) {
            assertThat(refused.line()).doesNotContain("\n");
            return refused.line();
        }
    }

    @Test
    void pipsPackageIsFound() throws IOException {
        CudaLibraries found = CudaLibraries.find(session(Map.of()), false).orElseThrow();
        assertThat(found.provider()).isEqualTo(capi.resolve(PROVIDER));
        assertThat(found.cuda()).contains(13);
        assertThat(found.packages()).contains(packages);
    }

    @Test
    void aLibraryThatIsNotThePackagesIsRefused() throws IOException {
        CudaLibraries.find(session(Map.of()), false);
        Files.writeString(capi.resolve("libonnxruntime.so." + VERSION), "that of the package onnxruntime");
        assertThat(refusal(Map.of()))
                .contains("libonnxruntime.so." + VERSION, "pip install")
                .doesNotContain("uninstall");
        write("onnxruntime-1.27.0.dist-info/RECORD", "");
        assertThat(refusal(Map.of())).contains("uninstall both");
        Files.delete(capi.resolve("libonnxruntime.so." + VERSION));
        assertThat(refusal(Map.of())).contains("RECORD");
        write("onnxruntime_gpu-" + VERSION + ".dist-info/RECORD", "onnxruntime/capi/" + PROVIDER + ",sha384=?,1\n");
        assertThat(refusal(Map.of())).contains("RECORD");
    }

    @Test
    void anotherVersionIsRefused() throws IOException {
        Files.move(
                packages.resolve("onnxruntime_gpu-" + VERSION + ".dist-info"),
                packages.resolve("onnxruntime_gpu-1.30.0.dist-info"));
        assertThat(refusal(Map.of())).contains("onnxruntime_gpu 1.30.0", "==" + VERSION);
    }

    @Test
    void aFolderByHandComesFirst() throws IOException {
        Path own = Files.createDirectory(temp.resolve("own"));
        Map<String, String> named = Map.of(CudaLibraries.VARIABLE, own.toString());
        assertThat(refusal(named)).contains(own.toString(), "lacks");
        Files.writeString(own.resolve(PROVIDER), "");
        Files.writeString(own.resolve("libonnxruntime.so"), "VERS_1.30.0\0");
        assertThat(refusal(named)).contains("another version than " + VERSION);
        Files.writeString(own.resolve("libonnxruntime.so"), "VERS_" + VERSION + "\0");
        CudaLibraries found = CudaLibraries.find(session(named), false).orElseThrow();
        assertThat(found.folder()).isEqualTo(own);
        assertThat(found.cuda()).isEmpty();
    }

    @Test
    void withoutADriverNothingIsFetched() throws IOException {
        assumeFalse(CudaLibraries.isDriverSeen());
        Session session = session(Map.of("POSBIAS_PYTHON", temp.resolve("none").toString()));
        assertThat(CudaLibraries.find(session, false)).isEmpty();
        assertThatThrownBy(() -> CudaLibraries.find(session, true)).hasMessageContaining("no driver");
    }

    @Test
    void whatIsMissingIsNamedWithWhatBringsIt() throws IOException {
        CudaLibraries found = CudaLibraries.find(session(Map.of()), false).orElseThrow();
        String loader = "Failed to load library " + found.provider() + " with error: ";
        assertThat(found.advice(loader + "libcuda.so.1: cannot open shared object file", session(Map.of())))
                .contains(
                        "libcuda.so.1",
                        "driver 580",
                        "CUDA 13",
                        found.provider().toString());
        assertThat(found.advice(loader + "libcublasLt.so.13: cannot open shared object file", session(Map.of())))
                .contains("libcublasLt.so.13", "pip install 'onnxruntime-gpu[cuda,cudnn]==" + VERSION);
        assertThat(found.advice("CUDA driver version is insufficient for CUDA runtime version", session(Map.of())))
                .contains("too old", "580");
        Files.writeString(found.provider(), "libcudart.so.12\0");
        assertThat(found.advice(loader + "libcudnn.so.9: cannot open shared object file", session(Map.of())))
                .contains("nvidia-cudnn-cu12");
        assertThat(found.advice("no device", session(Map.of()))).isEmpty();
    }

    @Test
    void aPartOfAJarIsUnpackedWithItsDigests() throws IOException {
        Path part = temp.resolve("part.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(part))) {
            for (String name :
                    List.of("a.class", "libonnxruntime.so", "libonnxruntime_providers_shared.so", PROVIDER)) {
                zip.putNextEntry(new ZipEntry("ai/onnxruntime/native/linux-x64/" + name));
                zip.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }
        // What is fetched ends before the list of the jar's entries.
        byte[] all = Files.readAllBytes(part);
        String text = new String(all, StandardCharsets.ISO_8859_1);
        Files.write(part, Arrays.copyOf(all, text.indexOf("PK\u0001\u0002")));
        Path folder = temp.resolve("unpacked");
        Session session = session(Map.of());
        CudaLibraries.unpack(part, folder);
        assertThat(folder.resolve(PROVIDER)).hasContent(PROVIDER);
        assertThat(folder.resolve("a.class")).doesNotExist();
        assertThat(CudaLibraries.wrong(folder.resolve("RECORD"), folder, folder, session))
                .isEmpty();
        Files.writeString(folder.resolve(PROVIDER), "other");
        assertThat(CudaLibraries.wrong(folder.resolve("RECORD"), folder, folder, session))
                .isPresent();
    }

    @Test
    void allNameOneVersion() throws IOException {
        assertThat(Path.of("src/packaging/python/pyproject.toml")).content().contains("[cuda,cudnn]==" + VERSION);
        assertThat(MavenJar.pinned("onnxruntime-cuda")).hasSize(2).allSatisfy(part -> {
            assertThat(part.version()).isEqualTo(VERSION);
            assertThat(part.from()).isNotNegative();
        });
    }
}
