/** The wings of the house, in the order of the data: base, data, model, score, study, report, then cli and api. */
@NullMarked
package io.posbias;

import org.jspecify.annotations.NullMarked;
