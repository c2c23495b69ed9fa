/** Shared options, checks, help layout and terminal. */
@NullMarked
package io.posbias.cli.common;

import org.jspecify.annotations.NullMarked;
