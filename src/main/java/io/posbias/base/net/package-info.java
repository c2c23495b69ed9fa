/** The network: the one HTTP client, the limits of a reply, and the rules for secrets. */
@NullMarked
package io.posbias.base.net;

import org.jspecify.annotations.NullMarked;
