/** From rankings to numbers: measures per query, profiles per position bucket, the Position Sensitivity Index. */
@NullMarked
package io.posbias.score.measure;

import org.jspecify.annotations.NullMarked;
