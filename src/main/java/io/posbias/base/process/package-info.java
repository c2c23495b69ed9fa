/** What a run has: its session, exit codes, failures, progress, threads, and what an interruption leaves. */
@NullMarked
package io.posbias.base.process;

import org.jspecify.annotations.NullMarked;
