/**
 * What lies on disk: passages, queries with their evidence, relevance judgements, and the readers and converters that
 * bring every benchmark into one BEIR layout. Knows no retriever, no bucket and no measure.
 */
@NullMarked
package io.posbias.dataset;

import org.jspecify.annotations.NullMarked;
