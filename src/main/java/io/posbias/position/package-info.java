/**
 * Where evidence sits: buckets over positions, strata over queries, and the one grammar in which {@code --buckets},
 * dataset.yaml and result.json write them.
 */
@NullMarked
package io.posbias.position;

import org.jspecify.annotations.NullMarked;
