/** The network: the one HTTP client, tries and refusals, the limits of a reply, and the rules for secrets. */
@NullMarked
package io.posbias.base.net;

import org.jspecify.annotations.NullMarked;
