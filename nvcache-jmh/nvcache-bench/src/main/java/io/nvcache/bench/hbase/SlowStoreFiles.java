// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Local files as a server of HBase may have them elsewhere: each read of a store file of a user's
 * table takes longer. HBase makes one where {@code fs.file.impl} names this class.
 */
public final class SlowStoreFiles extends FilterFileSystem {
  /** By how many milliseconds a read takes longer. */
  public static final String DELAY_MILLIS = "nvcache.bench.delay.millis";

  /** Tables of HBase's own are in other name spaces. */
  private static final String USERS_TABLES = "/data/default/";

  private final DelayedFileSystem delayed;

  /** Makes one without a delay; HBase calls {@link #initialize} next. */
  public SlowStoreFiles() {
    this(new RawLocalFileSystem());
  }

  private SlowStoreFiles(RawLocalFileSystem files) {
    super(files);
    this.delayed = new DelayedFileSystem(files, 0, StoreRequests::sleep);
  }

  @Override
  public void initialize(URI name, Configuration configuration) throws IOException {
    super.initialize(name, configuration);
    delayed.setDelay(Duration.ofMillis(configuration.getLong(DELAY_MILLIS, 0)));
    delayed.delayReads(true);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
    return path.toUri().getPath().contains(USERS_TABLES)
        ? delayed.open(path, bufferBytes)
        : super.open(path, bufferBytes);
  }
}
