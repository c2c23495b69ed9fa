/** The front door: one class for each verb, and what they share. */
@NullMarked
package io.posbias.cli;

import org.jspecify.annotations.NullMarked;
