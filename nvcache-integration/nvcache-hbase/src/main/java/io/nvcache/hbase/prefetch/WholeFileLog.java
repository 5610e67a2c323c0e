// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import io.nvcache.BlockCache;
import io.nvcache.control.RestoreReport;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that were prefetched whole, in a file next to a cache's own that restarts warm: one
 * line for each, {@code name region blocks bytes}. It is a hint: what it says of a file holds only
 * while as many of its blocks are cached, so that a lost or stale line does no harm. A log that
 * can't be read or written is done without, with one warning. Thread-safe.
 */
public final class WholeFileLog {
  private static final Logger LOG = LoggerFactory.getLogger(WholeFileLog.class);
  private static final String SUFFIX = ".whole";
  private static final int FIELDS = 4;

  /** Lines of files that are gone may be so many, and four for each file that is not. */
  private static final int USUAL_LINES = 1000;

  private static final int LINES_PER_FILE = 4;

  /** Half a million files. */
  private static final long MOST_BYTES = 64 << 20;

  private @Nullable Path file;
  private int lines;

  /** Of the file that was written here: what lies at the path may be another user's by now. */
  private @Nullable Object own;

  /** A file that was prefetched whole. */
  record Entry(String hfileName, String region, int blocks, long bytes) {
    private String line() {
      return hfileName + " " + region + " " + blocks + " " + bytes;
    }

    /** Returns what a line says; null if it is torn. */
    private static @Nullable Entry of(String line) {
      String[] fields = line.split(" ", -1);
      try {
        return fields.length == FIELDS
            ? new Entry(
                fields[0], fields[1], Integer.parseInt(fields[2]), Long.parseLong(fields[3]))
            : null;
      } catch (NumberFormatException e) {
        return null;
      }
    }
  }

  private WholeFileLog(@Nullable Path file) {
    this.file = file;
  }

  /** Returns a log that keeps nothing. */
  static WholeFileLog none() {
    return new WholeFileLog(null);
  }

  static WholeFileLog at(Path file) {
    return new WholeFileLog(file);
  }

  /**
   * Returns the log of a cache: next to its file, or to the first of several, if blocks are found
   * again there. A block device has none.
   */
  public static WholeFileLog of(BlockCache cache, @Nullable Configuration site) {
    return site == null || cache.control().restore().state() == RestoreReport.State.OFF
        ? none()
        : NvCacheConfiguration.drives(site).stream()
            .filter(Files::isRegularFile)
            .findFirst()
            .map(drive -> at(Path.of(drive + SUFFIX)))
            .orElseGet(WholeFileLog::none);
  }

  /** Returns what was noted last of each file; files that are gone since may be among them. */
  synchronized List<Entry> read() {
    if (file == null || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IOException("it has more than " + MOST_BYTES + " bytes");
      }
      Map<String, Entry> last = new LinkedHashMap<>();
      for (String line : lines(file)) {
        Entry entry = Entry.of(line);
        if (entry != null) {
          last.put(entry.hfileName(), entry);
        }
      }
      List<Entry> entries = new ArrayList<>(last.values());
      rewrite(file, entries);
      return entries;
    } catch (IOException | UncheckedIOException e) {
      giveUp(e);
      return List.of();
    }
  }

  /**
   * Notes a file.
   *
   * @param entry the file
   * @param all all files that are whole now, this one included
   */
  synchronized void add(Entry entry, Collection<Entry> all) {
    if (file == null) {
      return;
    }
    try {
      if (lines >= USUAL_LINES + LINES_PER_FILE * all.size() || !isOwn(file)) {
        rewrite(file, all);
      }
      append(file, entry);
      lines++;
    } catch (IOException e) {
      giveUp(e);
    }
  }

  /** A pipe would never take the line, and a hard link lead it to a file of the server's. */
  private boolean isOwn(Path there) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(there, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return own != null && attributes.isRegularFile() && own.equals(attributes.fileKey());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void append(Path to, Entry entry) throws IOException {
    try (Writer writer =
        writer(
            Files.newByteChannel(
                to,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS))) {
      writer.append(entry.line()).append('\n');
    }
  }

  private void rewrite(Path old, Collection<Entry> entries) throws IOException {
    Path written = Path.of(old + ".new");
    Files.deleteIfExists(written); // What a server left that was killed, or a link of another user.
    write(written, entries);
    own = Files.readAttributes(written, BasicFileAttributes.class).fileKey();
    Files.move(written, old, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    lines = entries.size();
  }

  /** Writes a file that was not there, and that only its owner can read: it names store files. */
  private static void write(Path file, Collection<Entry> entries) throws IOException {
    boolean posix = Files.getFileStore(parent(file)).supportsFileAttributeView("posix");
    FileAttribute<?>[] mode = {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    };
    Set<OpenOption> asNew = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try (Writer writer =
        writer(
            posix ? Files.newByteChannel(file, asNew, mode) : Files.newByteChannel(file, asNew))) {
      for (Entry entry : entries) {
        writer.append(entry.line()).append('\n');
      }
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static Writer writer(WritableByteChannel channel) {
    return Channels.newWriter(channel, StandardCharsets.UTF_8);
  }

  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  private void giveUp(Exception e) {
    LOG.warn("After a restart, HBase will prefetch files again: {} can't be used", file, e);
    file = null;
  }
}
