// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.crash.ForwardingDisk;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No descriptor is left of files that nothing needs, whatever was in the way when they ended. */
class IdleFilesTest {
  private static final String KEY = "the number of an inode";
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  @TempDir Path directory;
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private Path root;
  private LogFile log;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(Files.isDirectory(DESCRIPTORS));
    root = Files.createDirectory(directory.toRealPath().resolve("root"));
    LogLayout layout = new LogLayout(1, 1 << 20, 16, 1, 0);
    log =
        LogFile.open(directory.resolve("log"), layout, Persistence.EMULATED, Durability.POWER_FAIL);
  }

  @AfterEach
  void close() {
    other.shutdownNow();
    log.close();
  }

  private LogEngine engine(Propagation propagation) throws IOException {
    return engine(propagation, new PlatformDisk());
  }

  private LogEngine engine(Propagation propagation, Disk disk) throws IOException {
    Path orphans = directory.toRealPath().resolve("orphans");
    LogSettings settings =
        new LogSettings(List.of(root), orphans, true, 50_000_000, propagation, 100);
    return new LogEngine(log, log.layout(), disk, settings, System::currentTimeMillis);
  }

  /** Counts syncs of directories. */
  private static final class CountingDisk extends ForwardingDisk {
    private int directorySyncs;

    private CountingDisk() {
      super(new PlatformDisk());
    }

    @Override
    protected DiskFile wrap(Path path, DiskFile file) {
      return file;
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      directorySyncs++;
      super.syncDirectory(directory);
    }
  }

  private int descriptors() throws IOException {
    int count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : all) {
        try {
          count += Files.readSymbolicLink(descriptor).startsWith(root) ? 1 : 0;
        } catch (NoSuchFileException e) {
          // The directory's own, which is closed by now.
        }
      }
    }
    return count;
  }

  private static LoggedFile written(LogEngine engine, Path path) throws IOException {
    Files.createFile(path);
    LoggedFile file = engine.open(path, KEY, true);
    file.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1, 2, 3})}, 0, 1, 0);
    return file;
  }

  private static void release(LogEngine engine, LoggedFile file) throws IOException {
    engine.names().lock();
    try {
      file.uses().release();
    } finally {
      engine.names().unlock();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldCloseAFile_WhenTheNamesWereHeldAsItWasDrained(Propagation propagation)
      throws Exception {
    LogEngine engine = engine(propagation);
    LoggedFile file = written(engine, root.resolve("a"));
    release(engine, file);
    other.submit(engine.names()::lock).get();
    engine.drainPending();
    assertThat(engine.drainedSeq()).isEqualTo(engine.lastSeq());
    assertThat(descriptors()).isEqualTo(1);
    other.submit(engine.names()::unlock).get();

    engine.drainPending();

    assertThat(descriptors()).isZero();
    assertThat(engine.files()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void shouldCloseAMappedFile_WhenItWasHeldAsItsNameWasMissed(Propagation propagation)
      throws Exception {
    LogEngine engine = engine(propagation);
    Path path = root.resolve("a");
    LoggedFile file = written(engine, path);
    file.lock();
    file.settle();
    file.leave();
    file.unlock();
    engine.names().lock();
    file.uses().keep();
    engine.names().unlock();
    release(engine, file);
    Files.delete(path);
    file.lock();
    engine.lookAtKept();
    file.unlock();
    assertThat(descriptors()).isEqualTo(1);

    engine.drainPending();

    assertThat(descriptors()).isZero();
    assertThat(engine.files()).isEmpty();
  }

  /** Each of them took memory for good, though no descriptor. */
  @ParameterizedTest
  @EnumSource
  void shouldForgetAFileThatWasMappedForReadingAndDeleted(Propagation propagation)
      throws Exception {
    LogEngine engine = engine(propagation);
    Path path = Files.createFile(root.resolve("a"));
    LoggedFile file = engine.openToRead(path, KEY);
    engine.names().lock();
    file.writeThrough();
    file.uses().keep();
    engine.names().unlock();
    release(engine, file);
    engine.lookAtKept();
    assertThat(engine.files()).containsExactly(file);
    Files.delete(path);

    engine.lookAtKept();

    assertThat(engine.files()).isEmpty();
  }

  /** The names are held during it, and a program that opens a file waits. */
  @ParameterizedTest
  @EnumSource
  void shouldSyncADirectoryOnce_WhenManyOfItsFilesWereDeleted(Propagation propagation)
      throws Exception {
    CountingDisk disk = new CountingDisk();
    LogEngine engine = engine(propagation, disk);
    for (int i = 0; i < 10; i++) {
      Path path = Files.createFile(root.resolve("segment" + i));
      LoggedFile file = engine.openOutside(path, KEY + i);
      engine.names().lock();
      file.uses().keep();
      engine.names().unlock();
      release(engine, file);
      Files.delete(path);
    }
    int before = disk.directorySyncs;

    engine.lookAtKept();

    assertThat(disk.directorySyncs - before).isEqualTo(1);
    assertThat(descriptors()).isZero();
  }
}
