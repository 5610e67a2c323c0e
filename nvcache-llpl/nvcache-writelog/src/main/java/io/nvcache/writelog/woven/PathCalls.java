// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.woven;

import java.io.File;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Answers the JDK's file classes that take paths, before they do what a program asks for. Null,
 * {@link #GO_ON} or false has the JDK continue by itself; anything else is the result, and the work
 * is done.
 */
public interface PathCalls {
  /** The JDK is to do it. */
  int GO_ON = 0;

  /** It is done; the result is true, where there is one. */
  int DONE = 1;

  /** It was tried, and the result is false. */
  int FAILED = 2;

  // ---- java.nio.file

  /** Opens a channel. */
  @Nullable FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException;

  /** Opens a channel. */
  @Nullable SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException;

  /** Opens a channel. */
  @Nullable AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException;

  /** Deletes a name. */
  int delete(Path path) throws IOException;

  /** Deletes a name that may be missing. */
  int deleteIfExists(Path path) throws IOException;

  /** Renames. */
  int move(Path from, Path to, CopyOption... options) throws IOException;

  /** Copies. */
  int copy(Path from, Path to, CopyOption... options) throws IOException;

  /** Makes a directory. */
  int createDirectory(Path path, FileAttribute<?>... attributes) throws IOException;

  /** Makes another name. */
  int createLink(Path link, Path existing) throws IOException;

  /** Makes another name for a file or a directory, by a symbolic link. */
  int createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException;

  /** The times of a file are about to be set. */
  void beforeSettingTimes(BasicFileAttributeView view) throws IOException;

  /** Attributes are about to be read. */
  void beforeLooking(BasicFileAttributeView view) throws IOException;

  /** Attributes are about to be read. */
  void beforeLooking(Path path) throws IOException;

  /** A name in a directory that is open is about to be deleted, or given to another file. */
  void beforeNameLoss(SecureDirectoryStream<?> directory, Path name) throws IOException;

  /** A name in a directory that is open is about to be changed. */
  void beforeRenaming(SecureDirectoryStream<?> directory, Path name) throws IOException;

  /** A file in a directory that is open is about to be opened. */
  void beforeOpening(
      SecureDirectoryStream<?> directory, Path name, Set<? extends OpenOption> options)
      throws IOException;

  // ---- java.io

  /** Deletes a name. */
  int delete(File file);

  /** Renames. */
  int rename(File from, File to);

  /** Makes a directory. */
  int makeDirectory(File directory);

  /** The length or the time of a file is about to be asked for. */
  void beforeLooking(File file);

  /** The time of a file is about to be set. */
  void beforeSettingTime(File file);
}
