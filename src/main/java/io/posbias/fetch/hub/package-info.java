/** Downloads from the Hugging Face Hub and other servers: verified files, resumable, complete under their final name. */
@NullMarked
package io.posbias.fetch.hub;

import org.jspecify.annotations.NullMarked;
