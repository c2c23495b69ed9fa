package io.posbias.probe.redocred;

import java.util.List;

/**
 * A relation that a document states between two of its entities.
 *
 * @param relation Wikidata property, for example {@code P569}
 * @param head index of the entity the relation is of
 * @param tail index of the entity it leads to
 * @param evidence the sentences, from 0, that state it together; may be empty
 */
record Label(String relation, int head, int tail, List<Integer> evidence) {}
