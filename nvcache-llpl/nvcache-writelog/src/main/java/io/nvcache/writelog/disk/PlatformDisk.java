// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.disk;

import io.nvcache.memory.Uninterruptible;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The file system of the platform. */
public final class PlatformDisk implements Disk {
  private static final int OWNER_ONLY_DIRECTORY = 0700;
  private static final String ATTRIBUTES =
      "unix:dev,ino,mode,nlink,creationTime,lastModifiedTime,isRegularFile";

  /** Devices whose files have a time of birth, by this JDK and its system. */
  private final Set<Long> tellBirths = ConcurrentHashMap.newKeySet();

  @Override
  public @Nullable Identity identify(Path path) throws IOException {
    Map<String, Object> attributes;
    try {
      attributes = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
    return identity(path, attributes);
  }

  private @Nullable Identity identity(Path path, Map<String, Object> attributes)
      throws IOException {
    if (!Boolean.TRUE.equals(attributes.get("isRegularFile"))) {
      return null;
    }
    return new Identity(
        number(attributes, "dev"),
        number(attributes, "ino"),
        birth(path, attributes),
        ((FileTime) value(attributes, "lastModifiedTime")).toMillis(),
        (int) number(attributes, "mode") & 0777);
  }

  /**
   * Returns when a file was made. The JDK gives the time of the last change where it does not know.
   * A file may be as young as that, but not all directories above it are.
   */
  private long birth(Path path, Map<String, Object> attributes) throws IOException {
    long device = number(attributes, "dev");
    FileTime birth = (FileTime) value(attributes, "creationTime");
    if (!birth.equals(attributes.get("lastModifiedTime"))) {
      tellBirths.add(device);
    } else if (!tellBirths.contains(device) && !isOfADirectoryAbove(path, device)) {
      return NO_BIRTH;
    }
    return Math.max(NO_BIRTH, birth.to(TimeUnit.NANOSECONDS));
  }

  private boolean isOfADirectoryAbove(Path path, long device) throws IOException {
    for (Path at = path.getParent(); at != null; at = at.getParent()) {
      Map<String, Object> above =
          Files.readAttributes(at, "unix:dev,creationTime,lastModifiedTime");
      if (number(above, "dev") == device
          && !value(above, "creationTime").equals(above.get("lastModifiedTime"))) {
        tellBirths.add(device);
        return true;
      }
    }
    return false;
  }

  private static long number(Map<String, Object> attributes, String name) {
    return ((Number) value(attributes, name)).longValue();
  }

  @Override
  public Map<Long, Names> openNames(Path any, Set<Long> inodes) throws IOException {
    Map<Long, Names> names = new HashMap<>();
    Path open = any.getFileSystem().getPath("/proc/self/fd");
    if (!Files.isDirectory(open)) {
      return names;
    }
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(open)) {
      for (Path descriptor : descriptors) {
        addNames(descriptor, inodes, names);
      }
    }
    return names;
  }

  private void addNames(Path descriptor, Set<Long> inodes, Map<Long, Names> names)
      throws IOException {
    try {
      // Of what is open, though its names be gone.
      Map<String, Object> attributes = Files.readAttributes(descriptor, ATTRIBUTES);
      long inode = number(attributes, "ino");
      Identity identity = inodes.contains(inode) ? identity(descriptor, attributes) : null;
      if (identity == null) {
        return;
      }
      Path path = Files.readSymbolicLink(descriptor);
      Path there = identity.isSameFile(identify(path)) ? path : null;
      if (there != null || !names.containsKey(inode)) {
        names.put(inode, new Names(identity, (int) number(attributes, "nlink"), there));
      }
    } catch (NoSuchFileException e) {
      // It was closed meanwhile.
    }
  }

  @Override
  public boolean search(
      Path directory, int depth, Set<Long> inodes, BiConsumer<Path, Identity> found)
      throws IOException {
    boolean[] all = {true};
    Files.walkFileTree(
        directory,
        Set.of(),
        depth,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Identity identity = attributes.isRegularFile() ? identify(file) : null;
            if (identity != null && inodes.contains(identity.inode())) {
              found.accept(file, identity);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            all[0] &= failure instanceof NoSuchFileException;
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) {
            all[0] &= failure == null;
            return FileVisitResult.CONTINUE;
          }
        });
    return all[0];
  }

  @Override
  public @Nullable Long device(Path directory) throws IOException {
    try {
      return number(Files.readAttributes(directory, "unix:dev"), "dev");
    } catch (NoSuchFileException e) {
      return null;
    }
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
  public DiskFile openOwn(Path path) throws IOException {
    try {
      return open(path);
    } catch (AccessDeniedException e) {
      PosixFileAttributeView view =
          Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (view == null) {
        throw e;
      }
      Set<PosixFilePermission> before = view.readAttributes().permissions();
      Set<PosixFilePermission> writable = EnumSet.of(PosixFilePermission.OWNER_WRITE);
      writable.addAll(before);
      if (writable.equals(before)) {
        throw e;
      }
      try {
        view.setPermissions(writable);
      } catch (FileSystemException notOwner) {
        throw e;
      }
      try {
        return open(path);
      } finally {
        view.setPermissions(before);
      }
    }
  }

  @Override
  public DiskFile create(Path path, Path root, int mode) throws IOException {
    Path directory = path.getParent();
    if (directory != null && directory.startsWith(root)) {
      createDirectories(directory);
      requireOwn(directory);
      // A link on the way could lead out of the root.
      if (!directory.toRealPath().equals(directory)) {
        throw new IOException("can't create " + path + ": there is a link in its path");
      }
    }
    Files.deleteIfExists(path);
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(permissions(mode)));
    return new PlatformFile(Uninterruptible.of(channel));
  }

  /** Makes those that are not there; only this user may use them. */
  public static void createDirectories(Path directory) throws IOException {
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectories(
          directory, PosixFilePermissions.asFileAttribute(permissions(OWNER_ONLY_DIRECTORY)));
    } else {
      Files.createDirectories(directory);
    }
  }

  /**
   * Another user's directory may hold files that wait to be written to; the system's may be used.
   */
  private static void requireOwn(Path directory) throws IOException {
    Path self = directory.getFileSystem().getPath("/proc/self");
    if (!Files.exists(self)) {
      return;
    }
    Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!Integer.valueOf(0).equals(owner) && !Files.getAttribute(self, "unix:uid").equals(owner)) {
      throw new IOException(
          "can't write to "
              + directory
              + ": it belongs to user "
              + owner
              + ", who may read what is put there; remove it, or name a directory of this user");
    }
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

  /** Syncs what this user may only read as well: a copy of a read-only file is one. */
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
