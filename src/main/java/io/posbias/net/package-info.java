/** The network: the one HTTP client, what a reply may cost, and who may be told a secret. */
@NullMarked
package io.posbias.net;

import org.jspecify.annotations.NullMarked;
