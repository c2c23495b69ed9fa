/** Results as one self-contained HTML file, whose policy forbids loading anything; and as a badge. */
@NullMarked
package io.posbias.report.page;

import org.jspecify.annotations.NullMarked;
