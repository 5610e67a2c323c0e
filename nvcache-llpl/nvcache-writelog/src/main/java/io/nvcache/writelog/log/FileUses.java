// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.io.IOException;

/**
 * Who needs a {@link LoggedFile}: its users, which are channels and streams, and perhaps a mapping,
 * which may outlive them. A file that has neither is closed when its records are drained.
 *
 * <p>What changes this holds the engine's names. What asks need not: without them an answer is a
 * hint, which is checked again under them.
 */
public final class FileUses {
  private final LogEngine engine;
  private final LoggedFile file;

  /** Guarded by the engine's names. */
  private int users;

  /** Whether a mapping may outlive its channels; set under the engine's names. */
  private volatile boolean kept;

  FileUses(LogEngine engine, LoggedFile file) {
    this.engine = engine;
    this.file = file;
  }

  /** Begins one use. */
  void retain() {
    users++;
  }

  /** Ends one use. */
  public void release() throws IOException {
    users--;
    if (users == 0) {
      engine.openFiles().closeIfIdle(file);
    }
  }

  /**
   * Keeps the file open as long as it has a name, since a mapping may outlive its channels, and a
   * later channel must know of it.
   */
  public void keep() {
    kept = true;
  }

  /** Ends {@link #keep}: no program can open the file again. */
  void lostItsLastName() {
    kept = false;
  }

  /** Returns whether a mapping alone may need it. */
  boolean isKeptOnly() {
    return users == 0 && kept;
  }

  /** Returns whether it keeps its slot only until it is drained. */
  boolean isLeftOpen() {
    return users == 0 && !kept && file.id() != 0;
  }

  /** Returns whether nothing needs the file; the answer is valid while the caller holds it. */
  boolean isUnused() {
    return users == 0 && !kept && file.lastSeq() <= engine.drainedSeq() && !file.syncs().isHeld();
  }
}
