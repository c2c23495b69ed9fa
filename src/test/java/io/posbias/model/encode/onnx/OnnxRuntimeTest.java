package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.fetch.jars.CudaLibraries;
import io.posbias.model.encode.Device;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnnxRuntimeTest {
    /** 1.29 and later report to Microsoft (docs/adr/0011-onnx-runtime.md): an update must not bring that back unseen. */
    @Test
    void theLibraryKnowsNoAddressToReportTo() throws IOException {
        String library = "/ai/onnxruntime/native/linux-x64/libonnxruntime.so";
        try (InputStream in = Objects.requireNonNull(OnnxRuntimeTest.class.getResourceAsStream(library))) {
            String bytes = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(bytes).contains("CPUExecutionProvider").doesNotContain("events.data.microsoft");
        }
    }

    @ParameterizedTest
    @CsvSource({"cpu,cpu", "CPU,cpu", "cuda,cuda", "cuda:0,cuda", "cuda:3,cuda:3", "auto,auto"})
    void devicesPrintAsTheyAreWritten(String given, String printed) {
        assertThat(Device.parse(given)).hasToString(printed);
    }

    @ParameterizedTest
    @CsvSource({"gpu", "cpu:1", "auto:0", "cuda:", "cuda:-1", "''"})
    void otherDevicesAreWrongUsage(String given) {
        assertThatThrownBy(() -> Device.parse(given))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown device \"" + given + "\": it is cpu, cuda, cuda:N or auto");
    }

    @Test
    void withoutADriverCudaIsRefusedAndAutoFallsBack() {
        assumeFalse(CudaLibraries.isDriverSeen());
        List<String> said = new ArrayList<>();
        Session session = Sessions.in(
                Path.of("target", "home").toAbsolutePath(), Map.of("POSBIAS_PYTHON", "/no/python"), said::add);
        assertThatThrownBy(() -> OnnxRuntime.on(Device.parse("cuda"), session))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("CUDA does not work");
        assertThat(OnnxRuntime.on(Device.parse("auto"), session).device()).isEqualTo(Device.CPU);
        assertThat(OnnxRuntime.on(Device.parse("auto"), session).device()).isEqualTo(Device.CPU);
        assertThat(said).singleElement().asString().contains("CPU", "driver");
    }

    /** A worker's GPU needs no library of posbias: search runs on the CPU then. */
    @Test
    void whatTheCpuDoesAsWellRunsThereWithoutCuda() {
        assumeFalse(CudaLibraries.isDriverSeen());
        List<String> said = new ArrayList<>();
        Session session = Sessions.saying(Path.of("target", "home").toAbsolutePath(), said::add);
        assertThat(OnnxRuntime.besides(Device.parse("cuda:1"), session).device())
                .isEqualTo(Device.CPU);
        assertThat(said).isEmpty();
    }

    /** Reading and comparing its 24 MB for each model took longer than opening a small one. */
    @Test
    void theLibraryIsUnpackedOnce(@TempDir Path temp) {
        OnnxRuntime.onCpu(Sessions.shared());
        OnnxRuntime.onCpu(Sessions.in(temp));
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void aFileThatIsNoGraphIsOneLine() {
        assertThatThrownBy(() -> OnnxRuntime.onCpu(Sessions.shared()).load(Path.of("pom.xml")))
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith("cannot load the graph pom.xml: ")
                .hasMessageNotContaining("\n");
    }
}
