/** Charts of any numbers as SVG, PNG and PDF. */
@NullMarked
package io.posbias.base.plot;

import org.jspecify.annotations.NullMarked;
