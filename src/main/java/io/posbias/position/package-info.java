/**
 * Where evidence sits: buckets over positions, strata over queries, the one grammar in which {@code --buckets},
 * dataset.yaml and result.json write them, and windows of text with evidence at given places.
 */
@NullMarked
package io.posbias.position;

import org.jspecify.annotations.NullMarked;
