// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Uses a few files by {@code java.io} and {@code java.nio.file} at once, as a seed says, and prints
 * what it sees. It sees the same with a log and without.
 */
public final class MixedProgram {
  private static final int NAMES = 4;

  private final File directory;
  private final Random random;
  private final StringBuilder line = new StringBuilder();

  private final List<RandomAccessFile> files = new ArrayList<>();
  private final List<FileOutputStream> outputs = new ArrayList<>();
  private final List<FileInputStream> inputs = new ArrayList<>();
  private final List<FileChannel> channels = new ArrayList<>();

  private MixedProgram(File directory, long seed) {
    this.directory = directory;
    this.random = new Random(seed);
  }

  /** Takes a directory, a seed, a number of steps, and "halt" to end as if killed. */
  public static void main(String[] args) throws IOException {
    MixedProgram program = new MixedProgram(new File(args[0]), Long.parseLong(args[1]));
    int steps = Integer.parseInt(args[2]);
    for (int i = 0; i < steps; i++) {
      program.line.setLength(0);
      try {
        program.step();
      } catch (IOException | RuntimeException e) {
        program.say(e.getClass().getName());
      }
      System.out.println(i + " " + program.line);
    }
    if (args.length > 3) {
      System.out.flush();
      Runtime.getRuntime().halt(9);
    }
    program.end();
    look(program.directory);
  }

  /** Prints all files. */
  static void look(File directory) throws IOException {
    String[] names = directory.list();
    Arrays.sort(names);
    for (String name : names) {
      File file = new File(directory, name);
      System.out.println(
          name
              + " "
              + (file.isDirectory()
                  ? "directory"
                  : file.length() + " " + Arrays.hashCode(Files.readAllBytes(file.toPath()))));
    }
  }

  private void end() throws IOException {
    for (List<? extends Closeable> open : List.of(files, outputs, inputs, channels)) {
      for (Closeable closed : open) {
        closed.close();
      }
    }
  }

  private void say(Object what) {
    line.append(what).append(' ');
  }

  private File name() {
    return new File(directory, "f" + random.nextInt(NAMES));
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 20_000 : 300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private <T extends Closeable> void enter(List<T> to, T opened) throws IOException {
    to.add(opened);
    if (to.size() > 3) {
      to.remove(random.nextInt(to.size())).close();
    }
  }

  private void step() throws IOException {
    int choice = random.nextInt(40);
    say(choice);
    switch (choice) {
      case 0, 1 -> {
        String mode = List.of("rw", "r", "rws", "rwd", "rw").get(random.nextInt(5));
        enter(files, new RandomAccessFile(name(), mode));
      }
      case 2, 3 -> enter(outputs, new FileOutputStream(name(), random.nextBoolean()));
      case 4, 5 -> enter(inputs, new FileInputStream(name()));
      case 6, 7 -> enter(channels, open());
      case 8 -> say(name().delete());
      case 9 -> say(name().renameTo(name()));
      case 10 -> say(name().createNewFile());
      case 11, 12 -> say(name().length());
      case 13 -> say(Files.deleteIfExists(name().toPath()));
      case 14 -> Files.move(name().toPath(), name().toPath(), StandardCopyOption.REPLACE_EXISTING);
      case 15 -> Files.write(name().toPath(), bytes());
      case 16 -> Files.copy(name().toPath(), name().toPath(), StandardCopyOption.REPLACE_EXISTING);
      case 17 -> {
        File made = new File(directory, "d" + random.nextInt(2) + "/e");
        say(random.nextBoolean() ? made.mkdirs() : made.delete() && made.getParentFile().delete());
      }
      case 18 -> inDirectory();
      default -> use(choice);
    }
  }

  private FileChannel open() throws IOException {
    Set<StandardOpenOption> options =
        switch (random.nextInt(4)) {
          case 0 -> Set.of(StandardOpenOption.READ);
          case 1 -> Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          case 2 ->
              Set.of(
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.TRUNCATE_EXISTING);
          default ->
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        };
    return FileChannel.open(name().toPath(), options);
  }

  private void inDirectory() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.toPath())) {
      SecureDirectoryStream<Path> open = (SecureDirectoryStream<Path>) entries;
      Path name = Path.of(name().getName());
      switch (random.nextInt(3)) {
        case 0 -> open.deleteFile(name);
        case 1 -> open.move(name, open, Path.of(name().getName()));
        default ->
            open.newByteChannel(name, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))
                .close();
      }
    }
  }

  private void use(int choice) throws IOException {
    switch (choice) {
      case 19, 20, 21 -> any(files).write(bytes());
      case 22 -> {
        RandomAccessFile file = any(files);
        switch (random.nextInt(6)) {
          case 0 -> file.writeLong(random.nextLong());
          case 1 -> file.writeBytes("text\u00e9");
          case 2 -> file.writeChars("text\u1234");
          case 3 -> file.writeUTF("text\u1234");
          case 4 -> file.write(random.nextInt());
          default -> file.writeDouble(random.nextDouble());
        }
        say(file.getFilePointer());
      }
      case 23, 24 -> any(files).seek(random.nextInt(5000));
      case 25 -> {
        RandomAccessFile file = any(files);
        file.setLength(random.nextInt(4000));
        say(file.getFilePointer());
        say(file.length());
      }
      case 26, 27 -> {
        byte[] read = new byte[random.nextInt(500)];
        RandomAccessFile file = any(files);
        say(file.read(read));
        say(Arrays.hashCode(read));
        say(file.getFilePointer());
      }
      case 28 -> any(files).getFD().sync();
      case 29, 30 -> any(outputs).write(bytes());
      case 31 -> any(outputs).write(random.nextInt());
      case 32 -> {
        FileOutputStream output = any(outputs);
        output.getFD().sync();
        FileChannel channel = output.getChannel();
        say(channel.size());
        say(channel == output.getChannel());
        say(channel.write(ByteBuffer.wrap(bytes())));
      }
      case 33 -> say(Arrays.hashCode(any(inputs).readNBytes(random.nextInt(300))));
      case 34, 35 -> say(any(channels).write(ByteBuffer.wrap(bytes()), random.nextInt(4000)));
      case 36 -> {
        ByteBuffer read = ByteBuffer.allocate(random.nextInt(300));
        say(any(channels).read(read));
        say(Arrays.hashCode(read.array()));
      }
      case 37 -> any(channels).force(true);
      default -> {
        RandomAccessFile file = any(files);
        FileChannel channel = file.getChannel();
        say(channel == file.getChannel());
        say(channel.position());
        if (random.nextBoolean()) {
          say(channel.write(ByteBuffer.wrap(bytes())));
          say(file.getFilePointer());
        } else {
          ByteBuffer read = ByteBuffer.allocate(random.nextInt(300));
          say(channel.read(read));
          say(Arrays.hashCode(read.array()));
          say(file.getFilePointer());
        }
        if (random.nextInt(10) == 0) {
          channel.truncate(random.nextInt(3000));
          say(channel.position());
        }
      }
    }
  }
}
