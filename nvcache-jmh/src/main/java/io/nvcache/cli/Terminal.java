// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is known of the streams that the process was started with. */
final class Terminal {
  private static final Path STDERR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /** Whether the error stream is a terminal; Java can't tell it from the others, Linux can. */
  // Since JDK 22 there always is a console: where /proc is missing, bars then go to logs as well.
  @SuppressWarnings("SystemConsoleNull")
  static boolean errorsAreSeen() {
    if (Files.isSymbolicLink(STDERR)) {
      try {
        String target = Files.readSymbolicLink(STDERR).toString();
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
      } catch (IOException e) {
        return false;
      }
    }
    return System.console() != null;
  }

  /** The charset of the output stream. */
  static Charset charset() {
    // JDK 17 sets the second on terminals only, and uses the default charset otherwise.
    for (String property : new String[] {"stdout.encoding", "sun.stdout.encoding"}) {
      String name = System.getProperty(property);
      if (name != null && Charset.isSupported(name)) {
        return Charset.forName(name);
      }
    }
    return Charset.defaultCharset();
  }
}
