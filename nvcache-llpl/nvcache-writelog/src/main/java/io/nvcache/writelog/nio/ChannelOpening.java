// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import com.sun.nio.file.ExtendedOpenOption;
import io.nvcache.memory.Uninterruptible;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens channels over the platform's, as the options of an opening say. */
record ChannelOpening(FileSystemProvider platform, LogEngine engine) {
  /** Returns whether options ask for no more than a logged channel can do. */
  static boolean mayBeLogged(Set<? extends OpenOption> options) {
    boolean appends = options.contains(StandardOpenOption.APPEND);
    // The platform refuses appending channels that read or cut.
    return !options.contains(StandardOpenOption.DELETE_ON_CLOSE)
        && !(appends && options.contains(StandardOpenOption.TRUNCATE_EXISTING))
        && !(appends && options.contains(StandardOpenOption.READ));
  }

  static boolean writes(Set<? extends OpenOption> options) {
    return options.contains(StandardOpenOption.WRITE)
        || options.contains(StandardOpenOption.APPEND);
  }

  /** Opens a plain file in a root. */
  FileChannel open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    LoggedFileChannel channel;
    boolean truncates;
    engine.names().lock();
    try {
      truncates =
          writes(options)
              && options.contains(StandardOpenOption.TRUNCATE_EXISTING)
              && Files.exists(path);
      channel =
          writes(options)
              ? openToWrite(path, options, attributes)
              : openToRead(path, options, attributes);
    } finally {
      engine.names().unlock();
    }
    try { // Either may wait for the drain, and so must hold no names.
      if (truncates) {
        channel.truncate(0);
      }
      if (engine.defers() && options.contains(ExtendedOpenOption.DIRECT)) {
        channel.file().writeThrough(); // It can read a block of the disk, and no part of one.
      }
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private LoggedFileChannel openToRead(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileChannel channel = platform.newFileChannel(path, options, attributes);
    try {
      Uninterruptible.of(channel);
      LoggedFile file = engine.openToRead(path, requireKey(path));
      return LoggedChannels.open(engine, file, channel, ChannelMode.READER);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private LoggedFileChannel openToWrite(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Set<OpenOption> plain = new HashSet<>(options);
    boolean mayCreate = plain.remove(StandardOpenOption.CREATE);
    boolean mustCreate = plain.remove(StandardOpenOption.CREATE_NEW);
    plain.remove(StandardOpenOption.TRUNCATE_EXISTING);
    boolean appends = plain.remove(StandardOpenOption.APPEND);
    boolean syncs = plain.removeAll(Set.of(StandardOpenOption.SYNC, StandardOpenOption.DSYNC));
    plain.add(StandardOpenOption.WRITE);
    FileChannel channel =
        mayCreate || mustCreate ? create(path, plain, mustCreate, attributes) : null;
    boolean created = channel != null;
    if (channel == null) {
      channel = platform.newFileChannel(path, plain);
    }
    try {
      Uninterruptible.of(channel);
      LoggedFile file = engine.open(path, requireKey(path), created);
      boolean reads = plain.contains(StandardOpenOption.READ);
      ChannelMode mode = new ChannelMode(reads, true, appends, syncs);
      return LoggedChannels.open(engine, file, channel, mode);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      if (created) {
        platform.deleteIfExists(path); // The names are held: it is the one that was made here.
      }
      throw e;
    }
  }

  /**
   * Opens a plain file in a root without a channel, and makes it if it is missing.
   *
   * @return null where the platform is to say why it can't be opened
   */
  @Nullable LoggedFile openFile(Path path) throws IOException {
    engine.names().lock();
    try {
      boolean creates = Files.notExists(path);
      if (!creates && !Files.isWritable(path)) {
        return null; // The log may have it open from before, and must not change it now.
      }
      if (creates) {
        FileChannel made =
            platform.newFileChannel(
                path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
        made.close();
      }
      Object key = RealPaths.keyOfName(path);
      return key == null ? null : engine.open(path, key, creates);
    } catch (FileAlreadyExistsException e) {
      throw e; // Somebody else makes it now.
    } catch (FileSystemException e) {
      return null;
    } finally {
      engine.names().unlock();
    }
  }

  /**
   * Has a file leave the log that is about to be opened to be deleted: what is written to it goes
   * past the log, and it may have other names.
   */
  void leave(Path path) throws IOException {
    engine.names().lock();
    try {
      Object key = RealPaths.keyOfName(path);
      if (key != null && RealPaths.isPlain(path)) {
        LoggedFile file = engine.openOutside(path, key);
        file.uses().keep();
        file.uses().release();
      }
    } finally {
      engine.names().unlock();
    }
  }

  /** Returns null if the file is there, and may be. */
  private @Nullable FileChannel create(
      Path path, Set<OpenOption> plain, boolean mustCreate, FileAttribute<?>... attributes)
      throws IOException {
    Set<OpenOption> creating = new HashSet<>(plain);
    creating.add(StandardOpenOption.CREATE_NEW);
    try {
      return platform.newFileChannel(path, creating, attributes);
    } catch (FileAlreadyExistsException e) {
      if (mustCreate) {
        throw e;
      }
      return null;
    }
  }

  private static Object requireKey(Path path) throws IOException {
    Object key = RealPaths.keyOfName(path);
    if (key == null) {
      throw new NoSuchFileException(path.toString());
    }
    return key;
  }
}
