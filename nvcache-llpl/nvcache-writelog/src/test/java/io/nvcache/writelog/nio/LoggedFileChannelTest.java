// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static java.nio.channels.FileChannel.MapMode.READ_WRITE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoggedFileChannelTest {
  @TempDir Path directory;
  private FileSystem files;
  Path root;
  private Path plain;

  Propagation propagation() {
    return Propagation.ON_WRITE;
  }

  @BeforeEach
  void open() throws IOException {
    plain = Files.createDirectories(directory.toRealPath().resolve("root"));
    Map<String, String> environment =
        Map.of(
            "nvcache.writelog.path",
            directory.resolve("log").toString(),
            "nvcache.writelog.roots",
            plain.toString(),
            "nvcache.writelog.capacityBytes",
            "1048576",
            "nvcache.writelog.lanes",
            "2",
            "nvcache.writelog.persistence",
            "emulated",
            "nvcache.writelog.propagation",
            propagation().name());
    files = FileSystems.newFileSystem(URI.create("nvlog:///"), environment);
    root = files.getPath(plain.toString());
  }

  @AfterEach
  void close() throws IOException {
    files.close();
  }

  WriteLog log() {
    WriteLog log = ((WriteLogFileSystemProvider) files.provider()).log();
    assertThat(log).isNotNull();
    return log;
  }

  /** Returns a file as other programs see it then. */
  Path drained(String name) throws IOException {
    if (propagation() == Propagation.DEFERRED) {
      log().drain();
    }
    return plain.resolve(name);
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  /** As the platform's channels do: a program may fill up with one buffer of zeros. */
  @Test
  void shouldGatherABufferThatComesTwice() throws IOException {
    ByteBuffer twice = bytes("0123");
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, WRITE)) {
      assertThat(channel.write(new ByteBuffer[] {bytes("head"), twice, twice})).isEqualTo(12);
      assertThat(channel.position()).isEqualTo(12);
    }
    assertThat(twice.hasRemaining()).isFalse();
    assertThat(drained("a")).hasContent("head01230123");
  }

  /** By default a new method of a later JDK throws. */
  @Test
  void shouldOverrideEachMethodOfFileChannel() throws Exception {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, WRITE)) {
      for (Method method : FileChannel.class.getMethods()) {
        int modifiers = method.getModifiers();
        if (method.getDeclaringClass() == FileChannel.class
            && !Modifier.isStatic(modifiers)
            && !Modifier.isFinal(modifiers)) {
          Class<?> by =
              channel
                  .getClass()
                  .getMethod(method.getName(), method.getParameterTypes())
                  .getDeclaringClass();
          assertThat(by).as(method.toString()).isNotEqualTo(FileChannel.class);
        }
      }
    }
  }

  @Test
  void shouldReadAndWriteAtItsPosition() throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, READ, WRITE)) {
      assertThat(channel).isInstanceOf(LoggedFileChannel.class);
      assertThat(channel.write(bytes("hello world"))).isEqualTo(11);
      assertThat(channel.position()).isEqualTo(11);
      assertThat(channel.write(bytes("HELLO"), 0)).isEqualTo(5);
      assertThat(channel.position()).isEqualTo(11);
      channel.position(6);
      ByteBuffer word = ByteBuffer.allocate(3);
      ByteBuffer rest = ByteBuffer.allocate(9);
      assertThat(channel.read(new ByteBuffer[] {word, rest})).isEqualTo(5);
      assertThat(new String(word.array(), UTF_8)).isEqualTo("wor");
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      ByteBuffer[] parts = {bytes("!"), bytes("?!"), bytes("")};
      assertThat(channel.write(parts)).isEqualTo(3);
      assertThat(channel.size()).isEqualTo(14);
      assertThat(channel.truncate(5).position()).isEqualTo(5);
      channel.truncate(100);
      channel.force(true);
    }
    assertThat(drained("a")).hasContent("HELLO");
    assertThat(log().stats().records()).isEqualTo(4);
  }

  @Test
  void shouldAppend() throws IOException {
    Files.writeString(root.resolve("a"), "one");
    try (FileChannel channel = FileChannel.open(root.resolve("a"), APPEND)) {
      assertThat(channel.position()).isEqualTo(3);
      channel.write(bytes(" two"));
      channel.write(new ByteBuffer[] {bytes(" "), bytes("three")});
      assertThat(channel.position()).isEqualTo(13);
      assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
          .isInstanceOf(NonReadableChannelException.class);
    }
    assertThat(drained("a")).hasContent("one two three");
  }

  @Test
  void shouldOpenAsAsked() throws IOException {
    Path a = root.resolve("a");
    assertThatThrownBy(() -> FileChannel.open(a, WRITE)).isInstanceOf(NoSuchFileException.class);
    FileChannel.open(a, CREATE_NEW, WRITE).close();
    assertThatThrownBy(() -> FileChannel.open(a, CREATE_NEW, WRITE))
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.writeString(a, "text");
    FileChannel.open(a, WRITE, TRUNCATE_EXISTING).close();
    assertThat(drained("a")).isEmptyFile();
    assertThatThrownBy(() -> FileChannel.open(root.resolve("no/such"), CREATE, WRITE))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void shouldReturnThePlatformsChannelsWhereItMay() throws IOException {
    Files.writeString(root.resolve("a"), "x");
    try (FileChannel platform = FileChannel.open(plain.resolve("a"));
        FileChannel reading = FileChannel.open(root.resolve("a"));
        FileChannel outside = FileChannel.open(files.getPath(directory + "/b"), CREATE, WRITE)) {
      boolean isPlatforms = reading.getClass() == platform.getClass();
      assertThat(isPlatforms).isEqualTo(propagation() == Propagation.ON_WRITE);
      assertThat(outside.getClass()).isEqualTo(platform.getClass());
    }
  }

  @Test
  void shouldFollowALinkIntoARoot() throws IOException {
    Files.writeString(root.resolve("a"), "x");
    Path link = Files.createSymbolicLink(files.getPath(directory + "/link"), root.resolve("a"));
    try (FileChannel channel = FileChannel.open(link, WRITE)) {
      assertThat(channel).isInstanceOf(LoggedFileChannel.class);
    }
    assertThat(Files.readSymbolicLink(link)).isEqualTo(root.resolve("a"));
  }

  @Test
  void shouldTransfer() throws IOException {
    byte[] content = new byte[200_000];
    new Random(1).nextBytes(content);
    Files.write(root.resolve("a"), content);
    try (FileChannel from = FileChannel.open(root.resolve("a"), READ, WRITE);
        FileChannel to = FileChannel.open(root.resolve("b"), CREATE, WRITE, READ);
        FileChannel third = FileChannel.open(root.resolve("c"), CREATE, WRITE)) {
      assertThat(to.transferFrom(from, 0, content.length + 5)).isEqualTo(content.length);
      assertThat(to.transferFrom(from, content.length + 1, 5)).isZero();
      for (long moved = 0; moved < content.length; ) {
        moved += to.transferTo(moved, content.length - moved, third);
      }
    }
    assertThat(Files.readAllBytes(drained("b"))).isEqualTo(content);
    assertThat(Files.readAllBytes(drained("c"))).isEqualTo(content);
  }

  @Test
  void shouldLock() throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, WRITE)) {
      FileLock lock = channel.tryLock();
      assertThat(lock.acquiredBy()).isSameAs(channel);
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(channel::lock).isInstanceOf(OverlappingFileLockException.class);
      lock.release();
      channel.lock(0, 10, false).close();
    }
  }

  @Test
  void shouldLeaveTheLogWhenMappedForWriting() throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, READ, WRITE)) {
      channel.write(bytes("0123456789"));
      MappedByteBuffer seen = channel.map(FileChannel.MapMode.READ_ONLY, 0, 10);
      assertThat(seen.get(3)).isEqualTo((byte) '3');
      channel.write(bytes("x"), 0);
      assertThat(log().stats().records()).isEqualTo(2);
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 10);
      assertThat(log().stats().pendingRecords()).isZero();
      mapped.put(0, (byte) 'y');
      channel.write(bytes("z"), 1);
      assertThat(log().stats().records()).isEqualTo(2);
      channel.force(true);
      assertThat(log().stats().forces()).isEqualTo(1);
    }
    assertThat(drained("a")).hasContent("yz23456789");
  }

  @Test
  void shouldCloseAMappedFileThatHasNoNameAnyMore() throws IOException {
    List<Path> paths = List.of(root.resolve("a"), root.resolve("b"), root.resolve("c"));
    for (Path path : paths) {
      try (FileChannel channel = FileChannel.open(path, CREATE, READ, WRITE)) {
        channel.write(bytes("0123456789"));
        channel.map(FileChannel.MapMode.READ_WRITE, 0, 10).put(0, (byte) 'x');
      }
    }
    log().drain();
    assertThat(log().engine().files()).as("files that may be mapped").hasSize(3);
    FileChannel open = FileChannel.open(paths.get(1), WRITE);
    Files.delete(paths.get(0));
    Files.delete(paths.get(1));
    assertThat(log().engine().files()).hasSize(2);
    open.close();
    assertThat(log().engine().files()).hasSize(1);
    Files.move(Files.writeString(root.resolve("d"), "new"), paths.get(2), REPLACE_EXISTING);
    log().drain();
    assertThat(log().engine().files()).allMatch(file -> !file.hasLeft());
  }

  @Test
  void shouldCloseOnAnInterrupt() throws Exception {
    FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, WRITE);
    FileChannel other = FileChannel.open(root.resolve("a"), WRITE);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> channel.write(bytes("x")))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(channel.isOpen()).isFalse();
    assertThatThrownBy(() -> channel.write(bytes("x"))).isInstanceOf(ClosedChannelException.class);
    other.write(bytes("y"));
    other.close();
    assertThat(drained("a")).hasContent("y");
  }

  @Test
  void shouldCloseOnAnInterruptOfAnyCallThatMayWait() throws Exception {
    Files.writeString(root.resolve("a"), "abc");
    WritableByteChannel nowhere = Channels.newChannel(OutputStream.nullOutputStream());
    interrupted(ClosedByInterruptException.class, channel -> channel.transferTo(0, 1, nowhere));
    interrupted(ClosedByInterruptException.class, channel -> channel.map(READ_WRITE, 0, 1));
    interrupted(FileLockInterruptionException.class, FileChannel::lock);
    try (FileChannel source = FileChannel.open(root.resolve("a"))) {
      interrupted(ClosedByInterruptException.class, channel -> channel.transferFrom(source, 0, 1));
      assertThat(source.isOpen()).isTrue();
    }
  }

  /** And not that it was closed during the call. */
  @Test
  void shouldSayThatItWasClosedBefore() throws IOException {
    FileChannel closed = FileChannel.open(root.resolve("a"), CREATE, READ, WRITE);
    closed.close();
    WritableByteChannel nowhere = Channels.newChannel(OutputStream.nullOutputStream());
    Call[] calls = {
      channel -> channel.map(READ_WRITE, 0, 1),
      channel -> channel.transferTo(0, 1, nowhere),
      channel -> channel.transferFrom(channel, 0, 1),
      channel -> channel.write(bytes("x")),
      channel -> channel.read(bytes("x")),
      channel -> channel.truncate(0),
      FileChannel::lock,
      FileChannel::size
    };
    for (Call call : calls) {
      assertThatThrownBy(() -> call.of(closed)).isExactlyInstanceOf(ClosedChannelException.class);
    }
  }

  private interface Call {
    Object of(FileChannel channel) throws IOException;
  }

  private void interrupted(Class<?> expected, Call call) throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve("a"), READ, WRITE)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> call.of(channel)).isInstanceOf(expected);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(channel.isOpen()).isFalse();
    }
  }

  @Test
  void shouldWriteAsynchronously() throws Exception {
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(root.resolve("a"), CREATE, READ, WRITE)) {
      assertThat(channel.write(bytes("hello"), 0).get()).isEqualTo(5);
      ByteBuffer target = ByteBuffer.allocate(5);
      assertThat(channel.read(target, 0).get()).isEqualTo(5);
      assertThat(new String(target.array(), UTF_8)).isEqualTo("hello");
      FileLock lock = channel.lock().get();
      assertThat(lock.acquiredBy()).isSameAs(channel);
      lock.release();
      channel.truncate(2).force(false);
      assertThat(channel.size()).isEqualTo(2);
      assertThatThrownBy(() -> channel.write(bytes("x"), -1))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(log().stats().records()).isEqualTo(2);
  }

  @Test
  void shouldDeleteRenameAndCopy() throws IOException {
    Path a = root.resolve("a");
    Path b = root.resolve("b");
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE)) {
      channel.write(bytes("one"));
      Files.move(a, b);
      channel.write(bytes(" two"));
      assertThat(drained("b")).hasContent("one two");
      assertThat(drained("a")).doesNotExist();
      Files.copy(b, a);
      assertThatThrownBy(() -> Files.copy(b, a)).isInstanceOf(FileAlreadyExistsException.class);
      Files.writeString(a, "other");
      Files.move(a, b, REPLACE_EXISTING);
      channel.write(bytes(" three")); // To a file without a name.
      assertThat(drained("b")).hasContent("other");
    }
    Path sub = Files.createDirectories(root.resolve("sub/below"));
    try (FileChannel channel = FileChannel.open(sub.resolve("c"), CREATE, WRITE)) {
      channel.write(bytes("1"));
      Files.move(root.resolve("sub"), root.resolve("moved"));
      channel.write(bytes("2"));
      assertThat(log().engine().files()).anyMatch(f -> f.path().endsWith("moved/below/c"));
    }
    assertThat(drained("moved/below/c")).hasContent("12");
    assertThatThrownBy(() -> Files.delete(root.resolve("moved")))
        .isInstanceOf(DirectoryNotEmptyException.class);
    Files.delete(b);
    assertThat(Files.deleteIfExists(b)).isFalse();
    assertThatThrownBy(() -> Files.delete(b)).isInstanceOf(NoSuchFileException.class);
  }

  /** The log has no byte of it, so no replay could bring it back. */
  @Test
  void shouldBringWhatWasNeverInTheLogToTheDisk() throws IOException {
    Path b = root.resolve("b");
    Path source = files.getPath(directory + "/source");
    Files.copy(Files.writeString(source, "copied"), b);
    assertThat(log().stats().forces()).as("syncs of the copy").isEqualTo(1);
    try (FileOutputStream stream = new FileOutputStream(b.toString(), true)) {
      stream.write('x');
    }
    try (FileChannel channel = FileChannel.open(b, WRITE)) {
      channel.force(true);
      assertThat(log().stats().forces()).isEqualTo(2);
      channel.write(bytes("logged"));
      channel.force(true);
      assertThat(log().stats().forces()).isEqualTo(2);
      assertThat(log().stats().absorbedForces()).isEqualTo(1);
    }
    Files.copy(source, b, REPLACE_EXISTING);
    assertThat(log().stats().forces()).isEqualTo(3);
    assertThat(drained("b")).hasContent("copied");
  }

  @Test
  void shouldBringAMoveFromAnotherFileSystemToTheDisk() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory));
    assumeFalse(Files.getFileStore(memory).equals(Files.getFileStore(plain)));
    Path source = Files.writeString(Files.createTempFile(memory, "nvcache", ""), "moved");
    try {
      Files.move(files.getPath(source.toString()), root.resolve("a"));
    } finally {
      Files.deleteIfExists(source);
    }
    assertThat(log().stats().forces()).isEqualTo(1);
    Files.move(root.resolve("a"), root.resolve("b"));
    assertThat(log().stats().forces()).as("after a move that copies nothing").isEqualTo(1);
    assertThat(drained("b")).hasContent("moved");
  }

  @Test
  void shouldLogAFileWhoseOtherNamesGo() throws IOException {
    Path a = root.resolve("a");
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE)) {
      channel.write(bytes("one"));
      Files.delete(Files.createLink(root.resolve("b"), a));
      channel.write(bytes(" two"));
      assertThat(log().stats().records()).isEqualTo(2);
      Files.createLink(root.resolve("b"), a);
      Files.move(Files.createFile(root.resolve("c")), root.resolve("b"), REPLACE_EXISTING);
      channel.write(bytes(" three"));
      assertThat(log().stats().records()).isEqualTo(3);
    }
    assertThat(drained("a")).hasContent("one two three");
  }

  /** A recovery finds it by its other name. */
  @Test
  void shouldLogAFileThatHasLostItsFirstName() throws IOException {
    Path a = root.resolve("a");
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE)) {
      channel.write(bytes("one"));
      Files.createLink(root.resolve("b"), a);
      Files.delete(a);
      channel.write(bytes(" two"));
      assertThat(log().stats().records()).isEqualTo(2);
      Files.createLink(root.resolve("c"), root.resolve("b"));
      Files.move(Files.createFile(root.resolve("d")), root.resolve("b"), REPLACE_EXISTING);
      channel.write(bytes(" three"));
      assertThat(log().stats().records()).isEqualTo(3);
      Files.delete(root.resolve("c"));
      channel.write(bytes(" four"));
      assertThat(log().stats().records()).as("without a name").isEqualTo(3);
    }
  }

  @Test
  void shouldNotLogAFile_WhenOneOfItsNamesIsOpenToBeDeleted() throws IOException {
    Path a = root.resolve("a");
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE)) {
      channel.write(bytes("one"));
      Files.createLink(root.resolve("b"), a);
      try (FileChannel past = FileChannel.open(root.resolve("b"), WRITE, DELETE_ON_CLOSE)) {
        past.write(bytes("two"));
        channel.write(bytes(" more"));
        assertThat(log().stats().records()).isEqualTo(1);
      }
    }
    assertThat(drained("a")).hasContent("two more");
  }

  /** Another file has the name that it was opened by. */
  @Test
  void shouldLogAFile_WhenItsFirstNameIsRenamedThatIsAnotherFilesNow() throws IOException {
    Path a = root.resolve("a");
    try (FileChannel channel = FileChannel.open(a, CREATE, WRITE)) {
      channel.write(bytes("one"));
      Files.createLink(root.resolve("b"), a);
      Files.delete(a);
      Files.createFile(a);
      Files.move(a, root.resolve("c"));
      channel.write(bytes(" two"));
      assertThat(log().stats().records()).isEqualTo(2);
    }
    assertThat(drained("b")).hasContent("one two");
  }

  /** A longer path would reach into what the log knows of another file. */
  @Test
  void shouldRefuseToRenameAnOpenFileToAPathThatIsTooLong() throws IOException {
    Path deep = root;
    for (int i = 0; i < 4; i++) {
      deep = Files.createDirectories(deep.resolve("d".repeat(220)));
    }
    Path sub = Files.createDirectory(root.resolve("sub"));
    Path target = deep.resolve("s".repeat(100));
    try (FileChannel channel = FileChannel.open(sub.resolve("a"), CREATE, WRITE)) {
      channel.write(bytes("one"));
      assertThatThrownBy(() -> Files.move(sub.resolve("a"), target)).hasMessageContaining("960");
      assertThatThrownBy(() -> Files.move(sub, target)).hasMessageContaining("960");
      channel.write(bytes(" two"));
    }
    assertThat(drained("sub/a")).hasContent("one two");
    assertThat(target).doesNotExist();
  }

  @Test
  void shouldListAndDescribeFiles() throws IOException {
    Files.writeString(root.resolve("a"), "x");
    Files.write(root.resolve("b"), List.of("1", "2"));
    try (Stream<Path> entries = Files.list(root)) {
      assertThat(entries.toList()).containsExactlyInAnyOrder(root.resolve("a"), root.resolve("b"));
    }
    assertThat(Files.readAllLines(root.resolve("b"))).containsExactly("1", "2");
    assertThat(Files.size(root.resolve("a"))).isEqualTo(1);
    assertThat(Files.isSameFile(root.resolve("a"), root.resolve("x/../a").normalize())).isTrue();
    assertThat(Files.getFileStore(root)).isEqualTo(Files.getFileStore(plain));
    assertThat(root.resolve("a").toUri().getScheme()).isEqualTo("nvlog");
    assertThat(Path.of(root.resolve("a").toUri()).equals(root.resolve("a"))).isTrue();
    assertThat(root.resolve("a").compareTo(root.resolve("b"))).isNegative();
    assertThat(root.startsWith(plain)).isFalse();
    assertThat(root.resolve("a").startsWith(root)).isTrue();
  }

  @Test
  void shouldHoldTheBytesOfManyRandomChanges() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] model = new byte[0];
    try (FileChannel channel = FileChannel.open(root.resolve("a"), CREATE, READ, WRITE)) {
      for (int i = 0; i < 2000; i++) {
        if (random.nextInt(10) == 0) {
          int size = random.nextInt(model.length + 10);
          channel.truncate(size);
          model = Arrays.copyOf(model, Math.min(size, model.length));
        } else {
          byte[] chunk = new byte[random.nextInt(3000)];
          random.nextBytes(chunk);
          int at = random.nextInt(20_000);
          channel.write(ByteBuffer.wrap(chunk), at);
          if (chunk.length > 0) {
            model = Arrays.copyOf(model, Math.max(model.length, at + chunk.length));
            System.arraycopy(chunk, 0, model, at, chunk.length);
          }
        }
        assertThat(channel.size()).as("seed %d", seed).isEqualTo(model.length);
        int from = random.nextInt(model.length + 1);
        ByteBuffer read = ByteBuffer.allocate(random.nextInt(9000));
        int n = Math.max(0, channel.read(read, from));
        assertThat(n).isEqualTo(Math.min(read.capacity(), model.length - from));
        assertThat(Arrays.copyOf(read.array(), n))
            .as("seed %d, change %d", seed, i)
            .isEqualTo(Arrays.copyOfRange(model, from, from + n));
      }
      assertThat(Files.readAllBytes(drained("a"))).as("seed %d", seed).isEqualTo(model);
    }
  }

  @Test
  void shouldRefuseKeysThatItDoesNotKnow() {
    WriteLogFileSystemProvider provider = new WriteLogFileSystemProvider();
    URI uri = URI.create("nvlog:///");
    assertThatThrownBy(() -> provider.newFileSystem(uri, Map.of("nvcache.writelog.pth", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nvcache.writelog.pth")
        .hasMessageContaining("roots");
    assertThatThrownBy(() -> provider.newFileSystem(uri, Map.of()))
        .hasMessageContaining("nvcache.writelog.path is not set");
  }
}
