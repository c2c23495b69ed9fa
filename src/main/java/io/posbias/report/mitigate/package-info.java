/** Effects of retrieval strategies on a model: tables, JSON, a figure and advice. */
@NullMarked
package io.posbias.report.mitigate;

import org.jspecify.annotations.NullMarked;
