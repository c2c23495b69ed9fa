/** Run files: TREC's format and pytrec_eval's JSON. */
@NullMarked
package io.posbias.model.retrieve.trec;

import org.jspecify.annotations.NullMarked;
