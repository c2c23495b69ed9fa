/**
 * Results as one HTML file that needs nothing else: its style, its program, the charting library and the data are all
 * inside, and its policy forbids it to load anything.
 */
@NullMarked
package io.posbias.report.page;

import org.jspecify.annotations.NullMarked;
