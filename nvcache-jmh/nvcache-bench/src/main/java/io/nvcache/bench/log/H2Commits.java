// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** Commits rows to H2 for some seconds, in a separate JVM; prints how many and how fast. */
public final class H2Commits {
  /** Of a database whose files are synced by each write. */
  static final String FORCED = "forced:";

  private static final int MAX_COMMITS = 1_000_000;
  private static final double WARM_UP = 0.25;

  private H2Commits() {}

  /** Takes the database's path, after {@value #FORCED} or not, and the seconds. */
  public static void main(String[] args) throws SQLException {
    FilePath.register(new ForcedFiles());
    String url = "jdbc:h2:" + args[0] + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create table t(id int primary key, text varchar)");
      try (PreparedStatement insert = connection.prepareStatement("insert into t values (?, ?)")) {
        commit(insert, nanos);
      }
    }
  }

  private static void commit(PreparedStatement insert, long nanos) throws SQLException {
    long[] taken = new long[MAX_COMMITS];
    int count = 0;
    int warm = 0;
    long measured = 0;
    long began = System.nanoTime();
    long at = began;
    while (count < MAX_COMMITS && at - began < nanos) {
      insert.setInt(1, count);
      insert.setString(2, "x".repeat(100));
      insert.executeUpdate();
      long now = System.nanoTime();
      taken[count++] = now - at;
      at = now;
      if (at - began < nanos * WARM_UP) {
        warm = count;
        measured = at;
      }
    }
    double seconds = (at - Math.max(began, measured)) / 1e9;
    long[] sorted = Arrays.copyOfRange(taken, warm, count);
    Arrays.sort(sorted);
    System.out.println(
        sorted.length / seconds
            + " "
            + sorted[sorted.length / 2] / 1e3
            + " "
            + sorted[(int) (sorted.length * 0.99)] / 1e3);
  }

  /** The platform's files, synced by each write before it returns; made by H2. */
  public static final class ForcedFiles extends FilePathWrapper {
    /** Makes an empty path. */
    public ForcedFiles() {}

    @Override
    public String getScheme() {
      return FORCED.substring(0, FORCED.length() - 1);
    }

    @Override
    public FileChannel open(String mode) throws IOException {
      return new ForcedFile(super.open(mode));
    }
  }

  private static final class ForcedFile extends FileBaseDefault {
    private final FileChannel file;

    private ForcedFile(FileChannel file) {
      this.file = file;
    }

    @Override
    public synchronized int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
      int n = file.write(source, position);
      file.force(false);
      return n;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      file.force(metaData);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }
}
