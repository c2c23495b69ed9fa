/**
 * Benchmarks on disk: passages, queries with evidence, relevance judgements, and their readers. Independent of
 * retrievers, buckets and measures.
 */
@NullMarked
package io.posbias.data.dataset;

import org.jspecify.annotations.NullMarked;
