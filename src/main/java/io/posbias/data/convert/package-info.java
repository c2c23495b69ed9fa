/** Conversion of published files into the common layout: converters, the catalogue, the demo, samples. */
@NullMarked
package io.posbias.data.convert;

import org.jspecify.annotations.NullMarked;
