// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Passes all calls on to another disk: for those that count or disturb some of them. */
public abstract class ForwardingDisk implements Disk {
  private final Disk disk;

  protected ForwardingDisk(Disk disk) {
    this.disk = disk;
  }

  /** Returns what callers get instead of a file that was opened or created. */
  protected abstract DiskFile wrap(Path path, DiskFile file);

  @Override
  public @Nullable Identity identify(Path path) throws IOException {
    return disk.identify(path);
  }

  @Override
  public int links(Path path) throws IOException {
    return disk.links(path);
  }

  @Override
  public Map<Long, Names> openNames(Path any, Set<Long> inodes) throws IOException {
    return disk.openNames(any, inodes);
  }

  @Override
  public boolean search(
      Path directory, int depth, Set<Long> inodes, BiConsumer<Path, Identity> found)
      throws IOException {
    return disk.search(directory, depth, inodes, found);
  }

  @Override
  public @Nullable Long device(Path directory) throws IOException {
    return disk.device(directory);
  }

  @Override
  public long run(Path any) {
    return disk.run(any);
  }

  @Override
  public DiskFile open(Path path) throws IOException {
    return wrap(path, disk.open(path));
  }

  @Override
  public DiskFile openOwn(Path path) throws IOException {
    return wrap(path, disk.openOwn(path));
  }

  @Override
  public DiskFile create(Path path, Path root, int mode) throws IOException {
    return wrap(path, disk.create(path, root, mode));
  }

  @Override
  public void syncFile(Path path) throws IOException {
    disk.syncFile(path);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    disk.syncDirectory(directory);
  }

  /** Passes all calls on to another file. */
  public static class ForwardingFile implements DiskFile {
    private final DiskFile file;

    protected ForwardingFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      file.write(source, position);
    }

    @Override
    public void truncate(long bytes) throws IOException {
      file.truncate(bytes);
    }

    @Override
    public void touch(long place) throws IOException {
      file.touch(place);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void forceData() throws IOException {
      file.forceData();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
