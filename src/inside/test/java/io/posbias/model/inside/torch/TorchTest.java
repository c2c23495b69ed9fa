package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How PyTorch is brought here. */
@Tag("slow")
class TorchTest {
    /** What is not unpacked by posbias is unpacked by DJL, outside of posbias's folder and without a look at what is there. */
    @Test
    void everyLibraryIsUnpackedByPosbias() throws IOException {
        Properties jar = new Properties();
        try (InputStream in =
                Objects.requireNonNull(TorchTest.class.getResourceAsStream("/native/lib/pytorch.properties"))) {
            jar.load(in);
        }
        List<String> libraries = Torch.libraries(jar);
        assertThat(libraries)
                .allSatisfy(library -> assertThat(TorchTest.class.getResource("/" + library))
                        .as(library)
                        .isNotNull());
        assertThat(libraries)
                .anySatisfy(library -> assertThat(library).contains("torch_cpu"))
                .anySatisfy(library -> assertThat(library).contains("djl_torch"));
    }
}
