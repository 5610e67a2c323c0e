// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/**
 * Lucene's suite of its directories, for {@link PublishedTests} in a JVM whose file system is the
 * log's.
 */
final class LoggedDirectory {
  private LoggedDirectory() {}

  /** Reads by channels. */
  public static final class OfChannels extends BaseDirectoryTestCase {
    @Override
    protected Directory getDirectory(Path path) throws IOException {
      return new NIOFSDirectory(path);
    }
  }

  /** Reads by mappings. */
  public static final class OfMappings extends BaseDirectoryTestCase {
    @Override
    protected Directory getDirectory(Path path) throws IOException {
      return new MMapDirectory(path);
    }
  }
}
