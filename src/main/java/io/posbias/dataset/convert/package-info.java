/** From files as they are published to the one layout: converters, the catalogue, the demo, samples. */
@NullMarked
package io.posbias.dataset.convert;

import org.jspecify.annotations.NullMarked;
