// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.File;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs in a JVM whose default file system goes through a log; prints a line for each that fits. */
public final class DefaultProviderProgram {
  private DefaultProviderProgram() {}

  /** Takes the root and a directory outside of it. */
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    Path outside = Path.of(args[1]);
    say("provider", FileSystems.getDefault().provider() instanceof WriteLogFileSystemProvider);
    try (FileChannel in = open(root.resolve("a"));
        FileChannel out = open(outside.resolve("b"))) {
      in.write(ByteBuffer.wrap(new byte[10]));
      say("logged", in instanceof LoggedFileChannel);
      say("platform", out.getClass().getName().equals("sun.nio.ch.FileChannelImpl"));
    }
    say("size", Files.size(root.resolve("a")) == 10); // Has java.io see it, too.
    say("file", new File(args[0], "a").toPath().toFile().length() == 10);
    say("uri", Path.of(URI.create("file:///tmp/x")).equals(new File("/tmp/x").toPath()));
    try (FileSystem zip =
        FileSystems.newFileSystem(root.resolve("z.zip"), Map.of("create", "true"))) {
      Files.writeString(zip.getPath("/entry"), "text");
    }
    try (FileSystem zip = FileSystems.newFileSystem(root.resolve("z.zip"))) {
      say("zip", Files.readString(zip.getPath("/entry")).equals("text"));
    }
    try (WatchService watch = FileSystems.getDefault().newWatchService()) {
      root.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Files.createFile(root.resolve("seen"));
      WatchKey key = watch.poll(30, TimeUnit.SECONDS);
      say("watch", key.watchable().equals(root));
      say("event", key.pollEvents().get(0).context().equals(Path.of("seen")));
    }
    Path temporary = Files.createTempFile(root, "t", ".tmp");
    Files.delete(temporary);
    say("temporary", Files.notExists(temporary));
    System.out.println("end");
  }

  private static FileChannel open(Path path) throws java.io.IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void say(String what, boolean fits) {
    System.out.println(fits ? what : "WRONG " + what);
  }
}
