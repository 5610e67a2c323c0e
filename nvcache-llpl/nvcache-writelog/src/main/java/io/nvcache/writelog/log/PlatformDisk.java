// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.memory.Uninterruptible;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file system of the platform. */
public final class PlatformDisk implements Disk {
  @Override
  public @Nullable Identity identify(Path path) throws IOException {
    Map<String, Object> attributes;
    try {
      attributes =
          Files.readAttributes(
              path, "unix:ino,mode,lastModifiedTime,isRegularFile", LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
    if (!Boolean.TRUE.equals(attributes.get("isRegularFile"))) {
      return null;
    }
    return new Identity(
        ((Number) value(attributes, "ino")).longValue(),
        ((FileTime) value(attributes, "lastModifiedTime")).toMillis(),
        ((Number) value(attributes, "mode")).intValue() & 0777);
  }

  private static Object value(Map<String, Object> attributes, String name) {
    return Objects.requireNonNull(attributes.get(name), name);
  }

  @Override
  public int links(Path path) throws IOException {
    try {
      Object links = Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
      return ((Number) Objects.requireNonNull(links, "nlink")).intValue();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  @Override
  public DiskFile open(Path path) throws IOException {
    return new PlatformFile(Uninterruptible.of(openChannel(path)));
  }

  private static FileChannel openChannel(Path path) throws IOException {
    try {
      return FileChannel.open(
          path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (AccessDeniedException e) {
      // It may be a file that this user writes and does not read.
      return FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }
  }

  @Override
  public DiskFile create(Path path, Path root, int mode) throws IOException {
    Path directory = path.getParent();
    if (directory != null && directory.startsWith(root)) {
      Files.createDirectories(directory);
      // A link on the way could lead out of the root.
      if (!directory.toRealPath().equals(directory)) {
        throw new IOException("can't create " + path + ": there is a link in its path");
      }
    }
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(permissions(mode)));
    return new PlatformFile(Uninterruptible.of(channel));
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values(); // From the owner's read bit on.
    for (int i = 0; i < all.length; i++) {
      if ((mode & 0400 >> i) != 0) {
        permissions.add(all[i]);
      }
    }
    return permissions;
  }

  @Override
  public void syncFile(Path path) throws IOException {
    try {
      sync(path);
    } catch (AccessDeniedException e) {
      // It may be a file that this user writes and does not read.
      try (DiskFile file = open(path)) {
        file.force();
      }
    }
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    sync(directory);
  }

  /** Syncs what this user may only read, too: a copy of a read-only file is one. */
  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      Uninterruptible.of(channel).force(true);
    }
  }

  private record PlatformFile(FileChannel channel) implements DiskFile {
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      for (long at = position; source.hasRemaining(); ) {
        at += channel.write(source, at);
      }
    }

    @Override
    public void truncate(long bytes) throws IOException {
      channel.truncate(bytes);
    }

    @Override
    public void touch(long place) throws IOException {
      if (place == 0) {
        return;
      }
      ByteBuffer last = ByteBuffer.allocate(1);
      try {
        if (channel.read(last, place - 1) == 1) {
          write(last.flip(), place - 1);
        }
      } catch (NonReadableChannelException e) {
        // Longer for a moment, by a byte that is cut off again.
        if (place == channel.size()) {
          write(ByteBuffer.allocate(1), place);
          channel.truncate(place);
        }
      }
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public void forceData() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
