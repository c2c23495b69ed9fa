/** Language models: what they are asked, and their replies, which are kept. */
@NullMarked
package io.posbias.model.chat;

import org.jspecify.annotations.NullMarked;
