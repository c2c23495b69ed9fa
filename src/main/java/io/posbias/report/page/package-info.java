/** Results as one self-contained HTML file, whose policy forbids loading anything. */
@NullMarked
package io.posbias.report.page;

import org.jspecify.annotations.NullMarked;
