/**
 * Benchmarks and training sets from raw text: pipelines of stages that keep or drop candidates. A pipeline is a YAML
 * file; a stage is one class and one line in {@link io.posbias.study.build.PipelineBook}.
 */
@NullMarked
package io.posbias.study.build;

import org.jspecify.annotations.NullMarked;
