// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;

/** The cursor of one channel, whose use of the file ends with it. */
final class OwnCursor implements Cursor {
  private final LogEngine engine;
  private final LoggedFile file;
  private long place;

  OwnCursor(LogEngine engine, LoggedFile file) {
    this.engine = engine;
    this.file = file;
  }

  @Override
  public long get() {
    return place;
  }

  @Override
  public void set(long newPlace) {
    place = newPlace;
  }

  @Override
  public void close() throws IOException {
    release(engine, file);
  }

  /** Ends one use of a file. */
  static void release(LogEngine engine, LoggedFile file) throws IOException {
    engine.names().lock();
    try {
      file.uses().release();
    } finally {
      engine.names().unlock();
    }
  }
}
