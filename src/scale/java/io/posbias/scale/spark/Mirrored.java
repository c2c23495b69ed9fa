package io.posbias.scale.spark;

import java.io.IOException;

/** Files of one sort that are here and in a folder elsewhere. */
interface Mirrored {
    /** Brings what is elsewhere and not here; says how many files or folders. */
    int fetch(RemoteFolder remote) throws IOException;

    /** Copies what is here and not elsewhere. */
    void push(RemoteFolder remote) throws IOException;
}
