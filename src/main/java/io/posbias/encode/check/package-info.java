/** What {@code posbias models check} looks at: does a model do what its recipe says? */
@NullMarked
package io.posbias.encode.check;

import org.jspecify.annotations.NullMarked;
