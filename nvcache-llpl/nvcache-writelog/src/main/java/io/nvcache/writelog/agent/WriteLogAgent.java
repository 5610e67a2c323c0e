// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the Java agent. It opens the log, which recovers it, before the program's main
 * method, and weaves it into the JDK's file classes. If that fails it ends the JVM: a program that
 * relies on the log must not see files that are not recovered.
 */
public final class WriteLogAgent {
  private static final String START = "io.nvcache.writelog.nio.AgentStart";
  private static final int FAILED = 1;

  private WriteLogAgent() {}

  /**
   * Called by the JVM before the program's main method.
   *
   * @param arguments what follows the jar's name and {@code =} on the command line
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      start(arguments == null ? "" : arguments, instrumentation);
    } catch (InvocationTargetException e) {
      end(e.getCause() == null ? e : e.getCause());
    } catch (Exception | LinkageError e) {
      end(e);
    }
  }

  private static void start(String arguments, Instrumentation instrumentation) throws Exception {
    URI jar = WriteLogAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    // Never closed: the log lives in it as long as the process does.
    @SuppressWarnings("resource")
    IsolatedLoader loader = IsolatedLoader.over(jar);
    Method start =
        Class.forName(START, true, loader)
            .getDeclaredMethod("start", String.class, Instrumentation.class);
    start.setAccessible(true);
    Thread thread = Thread.currentThread();
    ClassLoader ofProgram = thread.getContextClassLoader();
    thread.setContextClassLoader(loader); // Where its logger finds its settings.
    try {
      start.invoke(null, arguments, instrumentation);
    } finally {
      thread.setContextClassLoader(ofProgram);
    }
  }

  /** Its exception would end the JVM as well, but with a core dump. */
  private static void end(Throwable reason) {
    boolean saysEnough =
        reason instanceof IOException || reason instanceof IllegalArgumentException;
    // The message of a file system is a path alone.
    boolean isSentence = saysEnough && !(reason instanceof FileSystemException);
    System.err.println(
        "the write log was not opened, and the program was not started: "
            + (isSentence ? reason.getMessage() : reason.toString()));
    if (!saysEnough) {
      reason.printStackTrace();
    }
    System.exit(FAILED);
  }
}
