package io.posbias.model.encode.onnx;

import ai.onnxruntime.OrtException;
import java.util.regex.Pattern;

/** Likely causes of failures of ONNX Runtime, by its messages, with what to do. */
enum OnnxFailure {
    EXTERNAL_DATA(
            "external data|external_data|external initializer|model_path must not be empty|out of bounds of the file",
            "its weights are in a file beside the graph that is missing, moved or shortened: copy that file into the graph's"
                    + " folder and name it in the recipe's external-data"),
    NO_GRAPH(
            "protobuf parsing failed|ModelProto does not have a graph|INVALID_PROTOBUF",
            "the file is not a whole ONNX graph: download it again ('git lfs pull' where it is a pointer)"),
    NEWER(
            "Unsupported model IR version|is under development|No Op registered|is not a registered function/op"
                    + "|NOT_IMPLEMENTED",
            "it uses operators that this ONNX Runtime lacks: export it again with an earlier opset"
                    + " (docs/own-model.md#export)"),
    NO_MEMORY(
            "Failed to allocate memory|out of memory|bad_alloc|BFCArena",
            "there is too little memory: make batches smaller with --batch-tokens, or texts with max-tokens"),
    MISSING_INPUT(
            "Missing Input|Required inputs .* are missing|input name cannot be empty",
            "the graph has an input that posbias did not give: export it again (docs/own-model.md#export)"),
    TOO_LONG(
            "indices element out of data bounds|out of range \\[|index out of range|GatherElements|Gather node",
            "a token or a position is outside its tables: max-tokens is more than the model has positions for, or"
                    + " tokenizer.json is another model's"),
    FIXED_SHAPE(
            "Got invalid dimensions|cannot be broadcast|Attempting to broadcast|input shape|mismatch",
            "it was exported for texts of one length or batches of one size: export it again with dynamic axes"
                    + " (docs/own-model.md#export)");

    private static final String OTHER =
            "'posbias models check' tries the model on short texts, and docs/troubleshooting.md has more";

    private final Pattern message;
    private final String advice;

    OnnxFailure(String message, String advice) {
        this.message = Pattern.compile(message, Pattern.CASE_INSENSITIVE);
        this.advice = advice;
    }

    /** Returns the likely cause, what to do, and the message itself, on one line. */
    static String line(OrtException failure) {
        String message =
                String.valueOf(failure.getMessage()).replaceAll("\\s+", " ").strip();
        for (OnnxFailure known : values()) {
            if (known.message.matcher(message).find()) {
                return known.advice + "; ONNX Runtime: " + message;
            }
        }
        return message + "; " + OTHER;
    }
}
