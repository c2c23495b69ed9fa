package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages as ONNX Runtime 1.28 words them, and what the user can do. */
class OnnxFailureTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            indices element out of data bounds, idx=514 must be within the inclusive range [-514,513] | max-tokens
            Missing Input: token_type_ids | export it again
            Required inputs (['position_ids']) are missing from input feed | export it again
            model_path must not be empty. Ensure that a path is provided when the model is created or loaded. | external-data
            External data path validation failed for initializer: embeddings.weight | external-data
            Load model from model.onnx failed:Protobuf parsing failed. | download it again
            Failed to allocate memory for requested buffer of size 17179869184 | --batch-tokens
            Unsupported model IR version: 14, max supported IR version: 13 | earlier opset
            Got invalid dimensions for input: input_ids for the following indices index: 1 Got: 7 Expected: 128 | dynamic axes
            something that nobody has seen | models check
            """)
    void everyFailureSaysWhatToDo(String message, String advice) {
        String line = OnnxFailure.line(new OrtException(message));
        assertThat(line).contains(advice, message).doesNotContain("\n");
    }
}
