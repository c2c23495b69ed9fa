/**
 * Benchmarks and training sets from raw text: pipelines of stages, each of which keeps or drops candidates and says why. A
 * pipeline is a YAML file; a stage is one class and one line in {@link io.posbias.build.Stages}.
 */
@NullMarked
package io.posbias.build;

import org.jspecify.annotations.NullMarked;
