/** Tables of many results: layouts, published rows, MTEB's files. */
@NullMarked
package io.posbias.report.leaderboard;

import org.jspecify.annotations.NullMarked;
