// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.PersistentHeap;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose path it is, and what is said where it can't be had. */
@NeedsPmdk
final class HeapFileTest {
  private static final long MIB = 1 << 20;

  private static final List<String> WITHOUT_PRIVILEGE =
      List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search");

  @TempDir Path directory;

  private Path file() {
    return directory.resolve("heap");
  }

  private void assertRefused(Path path, String... parts) {
    assertThatThrownBy(() -> LlplHeapMedium.create(path, MIB))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining(path.toString())
        .message()
        .contains(parts)
        .doesNotContain("\n");
  }

  @Test
  void shouldReplaceWhatAKilledProcessLeft() throws Exception {
    killHolder(startHolder());
    assertThat(file()).hasSize(MIB + MIB / 64 + 16 * MIB);

    try (Medium medium = LlplHeapMedium.create(file(), 4 * MIB)) {
      assertThat(file()).hasSize(4 * MIB + 4 * MIB / 64 + 16 * MIB);
      ByteBuffer read = ByteBuffer.allocate(1);
      medium.read(0, read, 1);
      assertThat(read.get(0)).as("of the new heap").isZero();
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldLeaveNothingOfAHeapThatCouldNotBeMarked() throws IOException {
    HeapFile.Marking failing =
        heap -> {
          throw new HeapException("no transaction");
        };
    assertThatThrownBy(() -> HeapFile.create(file(), 32 * MIB, failing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no transaction");
    assertThat(HeapAccess.isOpen(directory.toRealPath().resolve("heap").toString())).isFalse();
    assertThat(directory).isEmptyDirectory();
    LlplHeapMedium.create(file(), MIB).close();
  }

  @Test
  void shouldRefuseAHeapThatAnotherProcessHolds() throws Exception {
    Process holder = startHolder();
    try {
      assertRefused(file(), "held by another cache or process; give each cache its own file");
      assertThat(holder.isAlive()).isTrue();
      assertThat(file()).exists();
    } finally {
      killHolder(holder);
    }
    LlplHeapMedium.create(file(), MIB).close();
  }

  private Process startHolder() throws IOException {
    Process holder = ChildJvm.start(HeapHolder.class, List.of(), Map.of(), file().toString());
    String line = "";
    while (line != null && !line.equals("held")) { // The log comes first.
      line = holder.inputReader().readLine();
    }
    assertThat(line).isEqualTo("held");
    return holder;
  }

  private static void killHolder(Process holder) throws InterruptedException {
    holder.destroyForcibly();
    assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldRefuseAHeapThatThisProcessHoldsUnderAnyNameOfIts() throws IOException {
    Path alias = Files.createSymbolicLink(directory.resolve("alias"), directory);
    Path hardLink = directory.resolve("link");
    try (Medium first = LlplHeapMedium.create(file(), MIB)) {
      Files.createLink(hardLink, file());
      first.write(0, ByteBuffer.wrap(new byte[] {42}));

      assertRefused(file(), "held by another cache or process");
      assertThatThrownBy(() -> LlplHeapMedium.create(alias.resolve("heap"), MIB))
          .hasMessageContaining("held by another cache or process");
      assertRefused(hardLink, "held by another cache or process");

      ByteBuffer read = ByteBuffer.allocate(1);
      first.read(0, read, 1);
      assertThat(read.get(0)).as("left as it was").isEqualTo((byte) 42);
    }
    LlplHeapMedium.create(file(), MIB).close();
  }

  @Test
  void shouldNotTouchAFileThatIsNoHeap() throws IOException {
    byte[] text = "x".repeat(20 << 20).getBytes(StandardCharsets.US_ASCII);
    Files.write(file(), text);

    assertRefused(file(), "not the heap of a cache", "or delete the file if a process was killed");

    assertThat(Files.readAllBytes(file())).isEqualTo(text);
  }

  @Test
  void shouldNotTouchAnEmptyFile() throws IOException {
    Files.createFile(file());

    assertRefused(file(), "not the heap of a cache");

    assertThat(file()).isEmptyFile();
  }

  @Test
  void shouldNotTouchAHeapThatWasCutShort() throws Exception {
    killHolder(startHolder());
    try (RandomAccessFile heap = new RandomAccessFile(file().toFile(), "rw")) {
      heap.setLength(9 * MIB);
    }

    assertRefused(file(), "not the heap of a cache");

    assertThat(file()).hasSize(9 * MIB);
  }

  @Test
  void shouldNotTouchAHeapOfAnotherProgram() throws IOException {
    Heap other = Heap.createHeap(file().toString(), 16 * MIB);
    HeapAccess.close(other);
    assertRefused(file(), "it is a heap of another program");

    other = Heap.openHeap(file().toString());
    other.setRoot(other.allocateMemoryBlock(64).handle());
    HeapAccess.close(other);
    assertRefused(file(), "it is a heap of another program");

    assertThat(file()).hasSize(16 * MIB);
  }

  @Test
  void shouldNotTouchAHeapOfAnotherKind() throws IOException {
    PersistentHeap.createHeap(file().toString(), 16 * MIB);
    Path copy = Files.copy(file(), directory.resolve("copy"));

    assertRefused(copy, "not the heap of a cache", "header and length of an LLPL heap");

    assertThat(copy).exists();
  }

  @Test
  void shouldLeaveAFileThatTookThePlaceOfItsOwn() throws IOException {
    Medium medium = LlplHeapMedium.create(file(), MIB);
    Files.delete(file());
    Files.writeString(file(), "another's");

    medium.close();

    assertThat(file()).hasContent("another's");
  }

  @Test
  void shouldSayThatTheDirectoryIsMissing() {
    assertRefused(
        directory.resolve("nowhere/heap"), "its directory does not exist; create it, or name");
  }

  @Test
  void shouldSayThatThePathIsNoFile() throws IOException {
    assertRefused(directory, "it is not a regular file; name another path");
    Path link = Files.createSymbolicLink(file(), directory.resolve("target"));
    assertRefused(link, "it is a symbolic link; name the file or directory itself");
  }

  @Test
  void shouldRefuseAndLeaveNothingWhenTheDiskIsTooSmall() {
    assertThatThrownBy(() -> LlplHeapMedium.create(file(), 1L << 46))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("no space for " + file())
        .hasMessageContaining(" available; lower the capacity or free some");
    assertThat(directory).isEmptyDirectory();
  }

  /** Root may do anything, so it is run without that privilege. */
  @Test
  void shouldSayThatItMayNotWriteToTheDirectory() throws Exception {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));

    assertThat(openUnder(WITHOUT_PRIVILEGE, closed))
        .contains("can't create " + closed.resolve("a") + ": permission denied; let this user");
    assertThat(closed).isEmptyDirectory();
  }

  @Test
  void shouldSayThatItMayNotReadWhatIsThere() throws Exception {
    killHolder(startHolder());
    Path heap = Files.move(file(), directory.resolve("a"));
    Files.setPosixFilePermissions(heap, Set.of());

    assertThat(openUnder(WITHOUT_PRIVILEGE, directory))
        .contains("can't open " + heap + ": permission denied; let this user");
    assertThat(heap).exists();
  }

  /** A limit stands in for a disk that fills up after its space was looked at. */
  @Test
  void shouldSayThatThereIsNoSpaceAndLeaveNothingWhenTheSpaceGoesMeanwhile() throws Exception {
    assertThat(openUnder(List.of("prlimit", "--fsize=10000000"), directory))
        .contains("no space for " + directory.resolve("a") + ": ")
        .contains("; lower the capacity or free some");
    assertThat(directory).isEmptyDirectory();
  }

  /** What a JVM says that is started by a command of Linux, if the machine has it. */
  private static String openUnder(List<String> command, Path directory) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin", command.get(0))), "no command " + command.get(0));
    boolean root = "root".equals(System.getProperty("user.name"));
    List<String> under = command == WITHOUT_PRIVILEGE && !root ? List.of() : command;
    return ChildJvm.runUnder(under, MediumOpener.class, directory.toString());
  }

  /** What LLPL said when each of these was provoked; see the tests above for some. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          open   | open "f": Permission denied                   | can't open f: permission denied; let
          create | open "f": Permission denied                   | can't create f: permission denied; let
          create | posix_fallocate "f", 9: No space left on device | no space for f:
          open   | flock "f": Resource temporarily unavailable   | held by another cache or process
          create | open "f": File exists                         | held by another cache or process
          create | open "f": Read-only file system               | can't create a heap in f: open "f": Read-
          open   | flock "f": die Ressource ist nicht verfügbar  | not the heap of a cache (flock
          """)
  void shouldExplainWhatTheLibrarySays(String action, String said, String explained) {
    assertThat(HeapFile.explain(action, Path.of("f"), new HeapException(said)))
        .hasMessageContaining(explained);
  }
}
