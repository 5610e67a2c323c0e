// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links, secure directories, and roots that are not there yet. */
class LoggedPlacesTest {
  @TempDir private Path directory;
  private Path plain;
  private FileSystem files;
  private Path root;

  @BeforeEach
  void open() throws IOException {
    plain = directory.toRealPath().resolve("missing/root");
    files =
        FileSystems.newFileSystem(
            URI.create("nvlog:///"),
            Map.of(
                "nvcache.writelog.path",
                directory.resolve("log").toString(),
                "nvcache.writelog.roots",
                plain.toString(),
                "nvcache.writelog.capacityBytes",
                "1048576",
                "nvcache.writelog.persistence",
                "EMULATED",
                "nvcache.writelog.propagation",
                "DEFERRED"));
    root = files.getPath(plain.toString());
  }

  @AfterEach
  void close() throws IOException {
    files.close();
  }

  private LogEngine engine() {
    WriteLog log = ((WriteLogFileSystemProvider) files.provider()).log();
    assertThat(log).isNotNull();
    return log.engine();
  }

  private static void write(SeekableByteChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void shouldLogFilesOfARootThatIsMadeLater() throws IOException {
    assertThat(root).doesNotExist();
    Files.createDirectories(root.resolve("sub"));
    Files.writeString(root.resolve("sub/a"), "acknowledged");
    assertThat(engine().stats().records()).isEqualTo(1);
  }

  @Test
  void shouldLogFilesOfARootThatIsMadePastTheLog() throws IOException {
    assertThat(plain.toFile().mkdirs()).isTrue();
    Files.writeString(root.resolve("a"), "acknowledged");
    assertThat(engine().stats().records()).isEqualTo(1);
  }

  @Test
  void shouldRefuseARootThatIsALinkToNothing() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), plain);
    assertThatThrownBy(
            () ->
                WriteLog.builder(directory.resolve("other"))
                    .root(link)
                    .capacityBytes(1 << 20)
                    .persistence(Persistence.EMULATED)
                    .open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is a link to nothing");
  }

  @Test
  void shouldLogAFileThatIsMadeThroughALink() throws IOException {
    Files.createDirectories(root);
    Path target = root.resolve("target");
    Path link = Files.createSymbolicLink(root.resolve("link"), target);
    try (FileChannel channel = FileChannel.open(link, CREATE, WRITE)) {
      write(channel, "acknowledged");
      assertThat(engine().stats().records()).isEqualTo(1);
      assertThat(engine().files()).allMatch(file -> file.path().endsWith("target"));
    }
    assertThat(Files.readString(target)).isEqualTo("acknowledged");
    Path nowhere = Files.createSymbolicLink(root.resolve("nowhere"), root.resolve("no/where"));
    assertThatThrownBy(() -> FileChannel.open(nowhere, CREATE, WRITE))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> FileChannel.open(nowhere, CREATE_NEW, WRITE))
        .isInstanceOf(IOException.class);
  }

  @Test
  void shouldDeleteAndRenameInASecureDirectory() throws IOException {
    Path sub = Files.createDirectories(root.resolve("sub"));
    try (FileChannel a = FileChannel.open(sub.resolve("a"), CREATE, WRITE);
        FileChannel b = FileChannel.open(sub.resolve("b"), CREATE, WRITE);
        DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      assertThat(entries).isInstanceOf(SecureDirectoryStream.class);
      SecureDirectoryStream<Path> secure = (SecureDirectoryStream<Path>) entries;
      write(a, "of a");
      write(b, "of b");
      try (SecureDirectoryStream<Path> below =
          secure.newDirectoryStream(files.getPath("sub"), LinkOption.NOFOLLOW_LINKS)) {
        below.deleteFile(files.getPath("a"));
        assertThat(((LoggedFileChannel) a).file().hasLeft()).isTrue();
        below.move(files.getPath("b"), secure, files.getPath("c"));
        assertThat(((LoggedFileChannel) b).file().path()).isEqualTo(plain.resolve("c"));
        secure.deleteDirectory(files.getPath("sub"));
      }
    }
    assertThat(Files.exists(sub)).isFalse();
    assertThat(Files.readString(root.resolve("c"))).isEqualTo("of b");
  }

  @Test
  void shouldKeepOffAFileThatIsWrittenInASecureDirectory() throws IOException {
    Files.createDirectories(root);
    try (FileChannel logged = FileChannel.open(root.resolve("a"), CREATE, WRITE);
        DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      write(logged, "logged");
      SecureDirectoryStream<Path> secure = (SecureDirectoryStream<Path>) entries;
      Path name = files.getPath("a");
      try (SeekableByteChannel channel = secure.newByteChannel(name, Set.of(WRITE))) {
        write(channel, "newer");
        write(logged, "!");
        assertThat(engine().stats().records()).isEqualTo(1);
      }
      try (SeekableByteChannel channel = secure.newByteChannel(name, Set.of())) {
        assertThat(channel.size()).isEqualTo(7);
      }
    }
    assertThat(Files.readString(root.resolve("a"))).isEqualTo("newerd!");
  }

  @Test
  void shouldSayOnceThatTheLogCanNotBeOpened() {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setProperty("nvcache.writelog.path", directory.toString());
    System.setProperty("nvcache.writelog.roots", directory.resolve("more").toString());
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      LogOpening opening = LogOpening.ofSystem(FileSystems.getDefault());
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> opening.ready(directory.resolve("more/a")))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("not a plain file");
      }
    } finally {
      System.setErr(before);
      System.clearProperty("nvcache.writelog.path");
      System.clearProperty("nvcache.writelog.roots");
    }
    assertThat(said.toString(StandardCharsets.UTF_8)).containsOnlyOnce("can't be opened");
  }
}
