// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.woven;

import static io.nvcache.writelog.woven.PathCalls.GO_ON;

import java.io.File;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The calls that woven methods of {@code java.nio.file} and {@link File} make first, with their own
 * arguments: each name occurs once in this package, and is in the table of {@code Weaving}. Loaded
 * by the bootstrap loader, and as little as can be. {@link #install} comes before the weaving, so
 * there is always somebody who answers.
 */
public final class WovenPaths {
  private static volatile @Nullable PathCalls calls;

  /** The file system that the log itself uses, whose calls continue. */
  private static volatile @Nullable Object plain;

  private WovenPaths() {}

  /**
   * Begins to answer.
   *
   * @param unwoven the provider that is left alone
   */
  public static void install(PathCalls answers, Object unwoven) {
    plain = unwoven;
    calls = answers;
  }

  private static PathCalls calls() {
    return Objects.requireNonNull(calls, "woven without an answer");
  }

  // ---- java.nio.file

  /** Called by the provider. */
  public static @Nullable FileChannel newFileChannel(
      Object provider, Path path, Set<? extends OpenOption> options, FileAttribute<?>[] attributes)
      throws IOException {
    return provider == plain ? null : calls().newFileChannel(path, options, attributes);
  }

  /** Called by the provider. */
  public static @Nullable SeekableByteChannel newByteChannel(
      Object provider, Path path, Set<? extends OpenOption> options, FileAttribute<?>[] attributes)
      throws IOException {
    return provider == plain ? null : calls().newByteChannel(path, options, attributes);
  }

  /** Called by the provider. */
  public static @Nullable AsynchronousFileChannel newAsynchronousFileChannel(
      Object provider,
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>[] attributes)
      throws IOException {
    return provider == plain
        ? null
        : calls().newAsynchronousFileChannel(path, options, executor, attributes);
  }

  /** Called by the provider. */
  public static int delete(Object provider, Path path) throws IOException {
    return provider == plain ? GO_ON : calls().delete(path);
  }

  /** Called by the provider. */
  public static int deleteIfExists(Object provider, Path path) throws IOException {
    return provider == plain ? GO_ON : calls().deleteIfExists(path);
  }

  /** Called by the provider. */
  public static int move(Object provider, Path from, Path target, CopyOption[] options)
      throws IOException {
    return provider == plain ? GO_ON : calls().move(from, target, options);
  }

  /** Called by the provider. */
  public static int copy(Object provider, Path from, Path target, CopyOption[] options)
      throws IOException {
    return provider == plain ? GO_ON : calls().copy(from, target, options);
  }

  /** Called by the provider. */
  public static int createDirectory(Object provider, Path path, FileAttribute<?>[] attributes)
      throws IOException {
    return provider == plain ? GO_ON : calls().createDirectory(path, attributes);
  }

  /** Called by the provider. */
  public static int createLink(Object provider, Path link, Path existing) throws IOException {
    return provider == plain ? GO_ON : calls().createLink(link, existing);
  }

  /** Called by the provider. */
  public static int createSymbolicLink(
      Object provider, Path link, Path target, FileAttribute<?>[] attributes) throws IOException {
    return provider == plain ? GO_ON : calls().createSymbolicLink(link, target, attributes);
  }

  /** Called by a view. */
  public static void setTimes(
      Object view, @Nullable FileTime modified, @Nullable FileTime read, @Nullable FileTime made)
      throws IOException {
    calls().beforeSettingTimes((BasicFileAttributeView) view);
  }

  /** Called by a view. */
  public static void readView(Object view) throws IOException {
    calls().beforeLooking((BasicFileAttributeView) view);
  }

  /** Called by the provider. */
  public static void readAttributes(Object provider, Path path, Class<?> type, LinkOption[] options)
      throws IOException {
    if (provider != plain) {
      calls().beforeLooking(path);
    }
  }

  /** Called by the provider. */
  public static void readNamedAttributes(
      Object provider, Path path, String attributes, LinkOption[] options) throws IOException {
    if (provider != plain) {
      calls().beforeLooking(path);
    }
  }

  /** Called by a directory. */
  public static void deleteIn(Object directory, Path name) throws IOException {
    calls().beforeNameLoss((SecureDirectoryStream<?>) directory, name);
  }

  /** Called by a directory. */
  public static void moveBetween(
      Object directory, Path name, SecureDirectoryStream<?> target, Path newName)
      throws IOException {
    calls().beforeRenaming((SecureDirectoryStream<?>) directory, name);
    if (target != null) {
      calls().beforeNameLoss(target, newName);
    }
  }

  /** Called by a directory. */
  public static void openIn(
      Object directory, Path name, Set<? extends OpenOption> options, FileAttribute<?>[] attributes)
      throws IOException {
    calls().beforeOpening((SecureDirectoryStream<?>) directory, name, options);
  }

  /** Called by a file. */
  public static int deleteFile(File file) {
    return calls().delete(file);
  }

  /** Called by a file. */
  public static int renameTo(File file, File target) {
    return target == null ? GO_ON : calls().rename(file, target);
  }

  /** Called by a file. */
  public static int mkdir(File file) {
    return calls().makeDirectory(file);
  }

  /** Called by a file. */
  public static void look(File file) {
    calls().beforeLooking(file);
  }

  /** Called by a file. */
  public static void setLastModified(File file, long time) {
    calls().beforeSettingTime(file);
  }
}
