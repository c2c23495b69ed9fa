/** Many results as one table: layouts, rows, what papers printed, MTEB's files. */
@NullMarked
package io.posbias.report.leaderboard;

import org.jspecify.annotations.NullMarked;
