/** Probes built from Re-DocRED, as in the ColDeR paper. */
@NullMarked
package io.posbias.probe.redocred;

import org.jspecify.annotations.NullMarked;
