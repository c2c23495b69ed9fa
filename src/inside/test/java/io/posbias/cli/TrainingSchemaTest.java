package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.inside.torch.TrainingRecord;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link RecordCheckTest}, of a record in {@code src/inside}. */
@Tag("slow")
class TrainingSchemaTest {
    @Test
    void theSchemaHasTheFieldsOfTheRecord() throws IOException {
        assertThat(RecordCheck.problems("training-1", "", TrainingRecord.class)).isEmpty();
    }
}
