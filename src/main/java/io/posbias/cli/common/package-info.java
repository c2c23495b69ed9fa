/** What commands share: the session, options that mean the same everywhere, the terminal. */
@NullMarked
package io.posbias.cli.common;

import org.jspecify.annotations.NullMarked;
