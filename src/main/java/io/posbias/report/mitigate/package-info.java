/** What retrieval strategies do to a model, as tables, JSON, a figure and a sentence. */
@NullMarked
package io.posbias.report.mitigate;

import org.jspecify.annotations.NullMarked;
