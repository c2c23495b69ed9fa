/** Text of files: unpacked and decoded, line by line, and of documents of other kinds. */
@NullMarked
package io.posbias.data.input;

import org.jspecify.annotations.NullMarked;
