/** The same cells with blocks of their work done on Apache Spark. */
@NullMarked
package io.posbias.scale;

import org.jspecify.annotations.NullMarked;
