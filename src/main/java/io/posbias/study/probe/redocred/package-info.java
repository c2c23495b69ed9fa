/** Probes built from Re-DocRED, as in the ColDeR paper. */
@NullMarked
package io.posbias.study.probe.redocred;

import org.jspecify.annotations.NullMarked;
