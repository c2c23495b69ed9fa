package io.posbias.probe.redocred;

import java.util.List;

/**
 * A relation between two entities of a document.
 *
 * @param relation Wikidata property, such as {@code P569}
 * @param head index of the entity
 * @param tail index of the entity
 * @param evidence sentences, from 0; may be empty
 */
record Label(String relation, int head, int tail, List<Integer> evidence) {}
