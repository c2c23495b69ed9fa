package io.posbias.cli.common;

/** Options that are validated together before the command runs. */
public interface Checked {
    /** @throws io.posbias.base.process.UsageException for invalid values */
    void check();
}
