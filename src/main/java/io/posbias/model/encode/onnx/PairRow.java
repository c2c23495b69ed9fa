package io.posbias.model.encode.onnx;

/**
 * Row of a query and a passage.
 *
 * @param row {@linkplain TokenRow#seen() seen} refers to the passage
 * @param queryCut true if the query was truncated
 */
public record PairRow(TokenRow row, boolean queryCut) {}
