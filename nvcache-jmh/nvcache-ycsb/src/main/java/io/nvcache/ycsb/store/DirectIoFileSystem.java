// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** The local file system under its own scheme, {@code dio:}, whose reads are direct. */
final class DirectIoFileSystem extends RawLocalFileSystem {
  private static final URI ROOT = URI.create("dio:///");

  private final DirectIo directIo;

  DirectIoFileSystem(DirectIo directIo, Configuration configuration) throws IOException {
    this.directIo = directIo;
    initialize(ROOT, configuration);
  }

  @Override
  public URI getUri() {
    return ROOT;
  }

  @Override
  public String getScheme() {
    return ROOT.getScheme();
  }

  /** Names a local file in this file system. */
  static Path path(java.nio.file.Path file) {
    return new Path(ROOT.getScheme(), "", file.toAbsolutePath().toString());
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    return new FSDataInputStream(new DirectInputStream(directIo.open(pathToFile(file).toPath())));
  }
}
