package io.posbias.encode.onnx;

/**
 * A row made of a query and a passage.
 *
 * @param row what the graph gets; what it has {@linkplain TokenRow#seen() seen} is the passage's
 * @param queryCut whether the query was cut
 */
public record PairRow(TokenRow row, boolean queryCut) {}
