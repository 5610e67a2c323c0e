// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

import io.nvcache.FileIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A data file that is known beyond the life of the process.
 *
 * <p>With {@code uuid_sstable_identifiers_enabled} a file's name is a UUID, which no other SSTable
 * ever has. Its bytes may be others all the same: a file that has rotted is replaced by its backup
 * under the same name, and what was cached of it may be rotten as well. So inode, length and time
 * of the last change name it along with the UUID. Without one Cassandra counts, and gives the name
 * of a dropped table's file to the next one; then a file is known by its path and the sum of its
 * bytes that Cassandra wrote next to it as well.
 *
 * @param identity of its bytes
 * @param path where it lies
 */
public record NamedFile(FileIdentity identity, Path path) {
  private static final String SUFFIX = "Data.db";
  private static final String DIGEST = "Digest.crc32";

  /** Version, UUID in base 36, format. */
  private static final Pattern UNIQUE =
      Pattern.compile("[a-z]+-[0-9a-z]{4}_[0-9a-z]{4}_[0-9a-z]{18}-[a-z]+-" + SUFFIX);

  /** A longer digest is none. */
  private static final int MAX_DIGEST_BYTES = 32;

  /**
   * Returns the file at a path, if it is the open one and has an identity; else null.
   *
   * @param fileKey of the open file
   */
  public static @Nullable NamedFile of(Path path, Object fileKey, long lengthBytes) {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!fileKey.equals(found.fileKey()) || found.size() != lengthBytes) {
        return null;
      }
      FileIdentity identity = identity(path, found);
      return identity == null ? null : new NamedFile(identity, path);
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  /** Returns whether the path leads to this file, and to no other one in its place. */
  public boolean isThere() {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      return identity.equals(identity(path, found));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static @Nullable FileIdentity identity(Path path, BasicFileAttributes found)
      throws IOException {
    Path name = path.getFileName();
    if (name == null) {
      return null;
    }
    String inode = Files.getAttribute(path, "unix:ino").toString();
    String length = Long.toString(found.size());
    String changed = found.lastModifiedTime().toInstant().toString();
    Matcher unique = UNIQUE.matcher(name.toString());
    if (unique.matches()) {
      return FileIdentity.of("sstable", name.toString(), inode, length, changed);
    }
    Path digest = path.resolveSibling(name.toString().replace(SUFFIX, DIGEST));
    if (!name.toString().endsWith(SUFFIX) || !Files.isRegularFile(digest)) {
      return null;
    }
    long digestBytes = Files.size(digest);
    if (digestBytes == 0 || digestBytes > MAX_DIGEST_BYTES) {
      return null;
    }
    return FileIdentity.of(
        "sstable by place",
        path.toAbsolutePath().toString(),
        inode,
        length,
        changed,
        Files.readString(digest).strip());
  }
}
