// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What is known of the streams that the process was started with. */
public final class Terminal {
  private static final Path STDERR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /** Whether the error stream is a terminal; Java can't tell it from the others, Linux can. */
  // Since JDK 22 there always is a console: where /proc is missing, bars then go to logs as well.
  @SuppressWarnings("SystemConsoleNull")
  public static boolean errorsAreSeen() {
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
  public static Charset charset() {
    // JDK 17 sets the second on terminals only, and uses the default charset otherwise.
    for (String property : new String[] {"stdout.encoding", "sun.stdout.encoding"}) {
      String name = System.getProperty(property);
      if (name != null && Charset.isSupported(name)) {
        return Charset.forName(name);
      }
    }
    return Charset.defaultCharset();
  }

  /** Prints tables, and notes on what they say. */
  public static void print(PrintWriter out, List<ResultTable> tables, List<String> notes) {
    TextTable drawer = new TextTable(charset());
    for (ResultTable table : tables) {
      out.println();
      out.println(drawer.draw(table));
    }
    out.println();
    for (String note : notes) {
      out.println(drawer.plain(TextTable.wrap("* " + note)));
    }
    out.flush();
  }

  /**
   * Returns what shows how far a command is: a bar on a terminal, and lines elsewhere.
   *
   * @param err the error stream
   */
  public static Progress progress(PrintWriter err) {
    return errorsAreSeen() ? new BarProgress(charset()) : Progress.lines(err);
  }
}
