/**
 * Positions of evidence: buckets and length strata, their grammar in {@code --buckets}, dataset.yaml and result.json, and
 * windows of text with evidence at given places.
 */
@NullMarked
package io.posbias.data.position;

import org.jspecify.annotations.NullMarked;
