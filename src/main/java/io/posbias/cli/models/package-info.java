/** {@code posbias models}: recipes and their files. */
@NullMarked
package io.posbias.cli.models;

import org.jspecify.annotations.NullMarked;
