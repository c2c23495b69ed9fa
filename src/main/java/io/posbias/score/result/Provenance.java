package io.posbias.score.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.json.Setting;
import io.posbias.score.measure.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings, inputs and software of a result.
 *
 * @param recipe as read, or known fields for a run of another system
 * @param datasetNotes what was found or made of the benchmark's files, as {@link io.posbias.data.dataset.Dataset#notes} has it; empty in
 *     results of earlier versions
 * @param placing of the scores by place, which belong to the run; null for none, and for a benchmark whose own
 *     queries hold the content fixed
 * @param filesSha256 digests of the files beside result.json; empty in results of earlier versions
 */
public record Provenance(
        Settings settings,
        Map<String, @Nullable Object> recipe,
        String recipeSha256,
        Map<String, String> datasetSha256,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Setting(usual = "[]")
        List<String> datasetNotes,

        @JsonInclude(JsonInclude.Include.NON_NULL) RunKey.@Nullable Placing placing,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Setting(usual = "{}")
        Map<String, String> filesSha256,

        Map<String, Object> environment,
        Map<String, Double> seconds) {
    Provenance with(Settings asked, Map<String, Double> time) {
        return new Provenance(
                asked, recipe, recipeSha256, datasetSha256, datasetNotes, placing, filesSha256, environment, time);
    }

    Provenance with(RunKey.Placing placed) {
        return new Provenance(
                settings, recipe, recipeSha256, datasetSha256, datasetNotes, placed, filesSha256, environment, seconds);
    }

    Provenance withFiles(Map<String, String> sha256) {
        Map<String, String> files = new TreeMap<>(sha256);
        return new Provenance(
                settings, recipe, recipeSha256, datasetSha256, datasetNotes, placing, files, environment, seconds);
    }

    Provenance in(Map<String, Object> place) {
        return new Provenance(
                settings, recipe, recipeSha256, datasetSha256, datasetNotes, placing, filesSha256, place, seconds);
    }
}
