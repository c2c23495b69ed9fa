/** Many cells and their tables from one YAML file. */
@NullMarked
package io.posbias.run.experiment;

import org.jspecify.annotations.NullMarked;
