// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A program that mixes {@code java.io} with channels, ends as if killed, and looks at the next
 * start. Its class path has nothing of the log's.
 */
public final class AgentPrograms {
  private AgentPrograms() {}

  /** Takes a directory, and "exhaust", or "write" to write and to end as if killed. */
  public static void main(String[] args) throws Exception {
    File root = new File(args[0]);
    if (args[1].equals("exhaust")) {
      exhaust(new File(root, "a"));
      return;
    }
    if (args[1].equals("write")) {
      delete(new File(root, "deleted"));
      replace(new File(root, "replaced"), new File(root, "replaced.tmp"));
      undo(new File(root, "undone"), new File(root, "cut"));
      protect(new File(root, "protected"), new File(root, "born-protected"));
      say(isLoggedOnceRenamedIn(root, new File(root.getParentFile(), "log")));
      say(UnixDomainSocketAddress.of(root.toPath()).getPath().equals(root.toPath()));
      say(slf4j());
      relink(root, new File(root.getParentFile(), "elsewhere"));
    } else {
      for (String name :
          List.of(
              "deleted",
              "replaced",
              "replaced.tmp",
              "undone",
              "cut",
              "protected",
              "born-protected")) {
        File seen = new File(root, name);
        say(
            name
                + " "
                + (seen.exists()
                    ? seen.length() + " " + Files.readString(seen.toPath()).substring(0, 3)
                    : "missing"));
      }
    }
    first(new File(root, "store"));
    System.out.flush();
    if (args[1].equals("write")) {
      Runtime.getRuntime().halt(9);
    }
  }

  /**
   * Turns a link into the root that led elsewhere a moment ago, as a store turns its current one.
   */
  private static void relink(File root, File elsewhere) throws IOException {
    say(elsewhere.mkdir());
    File link = new File(elsewhere, "current");
    File turned = new File(elsewhere, "turned");
    Files.createSymbolicLink(link.toPath(), elsewhere.toPath());
    Files.createSymbolicLink(turned.toPath(), root.toPath());
    File file = new File(link, "linked");
    say(channelOf(file));
    say(turned.renameTo(link));
    say(channelOf(file));
  }

  private static String channelOf(File file) throws IOException {
    try (RandomAccessFile random = new RandomAccessFile(file, "rw")) {
      return random.getChannel().getClass().getSimpleName();
    }
  }

  /** Cuts a file while no descriptor is left. */
  private static void exhaust(File file) throws IOException {
    List<FileInputStream> all = new ArrayList<>();
    try (FileChannel channel =
        FileChannel.open(file.toPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      boolean refused = false;
      for (int attempt = 0; attempt < 100 && !refused; attempt++) {
        channel.write(ByteBuffer.wrap("precious".getBytes(StandardCharsets.US_ASCII)), 0);
        takeDescriptors(all);
        refused = isRefused(file); // Unless the log's thread gave a descriptor back meanwhile.
      }
      say(refused ? "refused" : "opened");
    }
    for (FileInputStream one : all) {
      one.close();
    }
    say(Files.readString(file.toPath()));
  }

  private static void takeDescriptors(List<FileInputStream> all) {
    try {
      while (true) {
        all.add(new FileInputStream("/dev/null"));
      }
    } catch (FileNotFoundException none) {
      all.get(0); // Keeps them.
    }
  }

  private static boolean isRefused(File file) throws IOException {
    try (FileOutputStream output = new FileOutputStream(file)) {
      return false;
    } catch (FileNotFoundException e) {
      return true;
    }
  }

  private static void delete(File journal) throws IOException {
    put(journal, "old");
    say(journal.delete());
  }

  private static void replace(File file, File replacement) throws IOException {
    put(file, "old".repeat(1000));
    put(replacement, "new".repeat(1000));
    say(replacement.renameTo(file));
    try (FileChannel channel =
        FileChannel.open(file.getParentFile().toPath(), StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void undo(File file, File other) throws IOException {
    put(file, "old-old-old");
    try (FileOutputStream output = new FileOutputStream(file)) {
      output.write("new".getBytes(StandardCharsets.US_ASCII));
      output.getFD().sync();
    }
    try (RandomAccessFile random = new RandomAccessFile(other, "rw")) {
      random.write("0123456789".getBytes(StandardCharsets.US_ASCII));
      random.setLength(4);
      random.getFD().sync();
      random.seek(2);
      random.write("xyz".getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** Takes the right to write away, and tries to write without it, unless it is the superuser. */
  private static void protect(File file, File other) throws IOException {
    put(file, "old");
    say(file.setReadOnly());
    if (!file.canWrite()) {
      try (FileOutputStream output = new FileOutputStream(file)) {
        say("it may be written");
      } catch (FileNotFoundException e) {
        // As it should.
      }
    }
    try (FileChannel channel =
        FileChannel.open(
            other.toPath(),
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--")))) {
      channel.write(ByteBuffer.wrap("new".getBytes(StandardCharsets.US_ASCII)));
    }
  }

  /** Returns whether the log has what is written to an open file that an open directory renamed. */
  private static boolean isLoggedOnceRenamedIn(File root, File log) throws IOException {
    File file = new File(root, "renamed.tmp");
    String after = "written after the renaming";
    try (FileOutputStream output = new FileOutputStream(file);
        DirectoryStream<Path> names = Files.newDirectoryStream(root.toPath())) {
      output.write(1);
      SecureDirectoryStream<Path> open = (SecureDirectoryStream<Path>) names;
      open.move(Path.of("renamed.tmp"), open, Path.of("renamed"));
      output.write(after.getBytes(StandardCharsets.ISO_8859_1));
    }
    return Files.readString(log.toPath(), StandardCharsets.ISO_8859_1).contains(after);
  }

  /** Looks by {@code java.io} first, and makes the store if it seems to be missing. */
  private static void first(File store) throws IOException {
    boolean isNew = store.length() == 0;
    say("new " + isNew);
    if (isNew) {
      put(store, "account");
    }
  }

  private static String slf4j() {
    try {
      return Class.forName("org.slf4j.LoggerFactory").getName();
    } catch (ClassNotFoundException e) {
      return "no SLF4J";
    }
  }

  private static void put(File file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file.toPath(),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
  }

  private static void say(Object line) {
    System.out.println(line);
  }
}
