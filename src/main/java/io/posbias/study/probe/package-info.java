/**
 * Controlled pairs of documents that differ in one thing a retriever should or should not care for: where the evidence is, how
 * long the text is, which name it uses. The probes are those of Fayyaz et al. 2025, "Collapse of Dense Retrievers: Short,
 * Early, and Literal Biases Outranking Factual Evidence", arXiv:2503.05037 (ColDeR), built from Re-DocRED's annotated
 * relations. {@link io.posbias.run.placing.EvidenceMover} and {@link io.posbias.study.diagnose.NeedleDiagnosis} change the documents of
 * any benchmark instead.
 */
@NullMarked
package io.posbias.study.probe;

import org.jspecify.annotations.NullMarked;
