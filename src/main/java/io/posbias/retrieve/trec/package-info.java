/** Run files: TREC's format and pytrec_eval's JSON. */
@NullMarked
package io.posbias.retrieve.trec;

import org.jspecify.annotations.NullMarked;
