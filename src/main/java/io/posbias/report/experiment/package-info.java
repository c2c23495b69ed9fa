/** Many cells and their tables from one YAML file. */
@NullMarked
package io.posbias.report.experiment;

import org.jspecify.annotations.NullMarked;
