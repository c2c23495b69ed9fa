package io.posbias.cli.common;

/** Options that check their values together, before their command runs. */
interface Checked {
    /**
     * Checks the values.
     *
     * @throws io.posbias.UsageException if they make no sense
     */
    void check();
}
