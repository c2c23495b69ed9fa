/** Blocks of work done by the executors of Apache Spark. */
@NullMarked
package io.posbias.model.scale.spark;

import org.jspecify.annotations.NullMarked;
