package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.report.BenchmarkLossTables;
import io.posbias.report.SeedTables;
import io.posbias.report.query.QueryText;
import io.posbias.report.query.Selected;
import io.posbias.run.experiment.ExperimentForecast;
import io.posbias.score.plan.PlanReport;
import io.posbias.score.result.Result;
import io.posbias.study.build.PipelineRecord;
import io.posbias.study.calibrate.Calibration;
import io.posbias.study.diagnose.CollectionTables;
import io.posbias.study.diagnose.CutTables;
import io.posbias.study.diagnose.EvidenceResult;
import io.posbias.study.diagnose.ReversalDiagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every schema names the fields of the records that posbias writes, no more, no fewer: also those no test's document has. */
class RecordCheckTest {
    /** Schemas of what is read only or made without records; documents are held against them elsewhere. */
    private static final Set<String> OTHERS =
            Set.of("cache-1", "models-1", "pipelines-1", "probe-1", "probes-1", "training-1");

    private static Arguments written(String schema, String definition, Class<?>... kinds) {
        return Arguments.of(schema, definition, List.of(kinds));
    }

    static Stream<Arguments> schemas() {
        Map<String, List<Class<?>>> studies = new TreeMap<>();
        Studies.all()
                .values()
                .forEach(study -> studies.computeIfAbsent(study.schema(), own -> new ArrayList<>())
                        .add(study.file()));
        return Stream.concat(
                studies.entrySet().stream().map(study -> Arguments.of(study.getKey(), "", study.getValue())),
                Stream.of(
                        written("benchmark-losses-2", "", BenchmarkLossTables.LossesFile.class),
                        written("calibration-2", "", Calibration.CalibrationFile.class),
                        written("cuts-1", "", CutTables.CutsFile.class),
                        written("evidence-positions-1", "", EvidenceResult.class),
                        written("plan-2", "", ExperimentForecast.PlanFile.class),
                        written("pipeline-1", "", PipelineRecord.class),
                        written("seed-spread-1", "", SeedTables.SpreadFile.class),
                        written("sample-size-1", "", PlanReport.PlanFile.class),
                        written("query-1", "", QueryText.QueryFile.class),
                        written("result-5", "result", Result.class),
                        written("selection-2", "", Selected.SelectionFile.class),
                        written("statistics-1", "", CollectionTables.CollectionFile.class)));
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void aSchemaHasTheFieldsOfItsRecords(String schema, String definition, List<Class<?>> kinds) throws IOException {
        assertThat(RecordCheck.problems(schema, definition, kinds.toArray(Class<?>[]::new)))
                .isEmpty();
    }

    @Test
    void noSchemaIsForgotten() throws IOException {
        Set<String> known = new TreeSet<>(OTHERS);
        schemas().forEach(schema -> known.add((String) schema.get()[0]));
        try (Stream<Path> files = Files.list(Path.of("docs/schema"))) {
            assertThat(files.map(file -> String.valueOf(file.getFileName()).replace(".schema.json", "")))
                    .containsExactlyInAnyOrderElementsOf(known);
        }
    }

    @Test
    void otherFieldsAreFound() throws IOException {
        assertThat(RecordCheck.problems("segments-1", "", ReversalDiagnosis.ReversalFile.class))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("segments-1: written are [confidence, ")
                .contains("the schema has [confidence, datasets, ");
    }
}
