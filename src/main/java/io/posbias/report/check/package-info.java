/** One question, one answer: does a model lose answers because of where they stand in the user's documents? */
package io.posbias.report.check;
