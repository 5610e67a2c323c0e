// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import org.mockito.MockMakers;
import org.mockito.stubbing.Answer;

/** A path and channels that let a test act, or fail, before the calls that reach the system. */
final class HookedPath {
  private HookedPath() {}

  /** What a test does before each call. */
  interface Hook {
    void before(String method) throws Exception;
  }

  /** Returns what leads to the same file, with a hook before each call to its file system. */
  static Path of(Path path, Hook hook) {
    return of(path, hook, opened -> opened);
  }

  /** Returns the same, with a hook before each call to a channel of the file. */
  static Path ofChannels(Path path, Hook hook) {
    return of(path, method -> {}, opened -> channel((FileChannel) opened, hook));
  }

  private interface Opened {
    Object of(Object channel);
  }

  private static Path of(Path path, Hook hook, Opened opened) {
    FileSystem system = path.getFileSystem();
    FileSystemProvider provider =
        hooked(
            FileSystemProvider.class,
            call -> {
              hook.before(call.getMethod().getName());
              Object[] arguments =
                  Arrays.stream(call.getRawArguments())
                      .map(
                          argument ->
                              argument instanceof Path given && given.getFileSystem() != system
                                  ? path
                                  : argument)
                      .toArray();
              Object result = invoke(system.provider(), call.getMethod(), arguments);
              return call.getMethod().getName().equals("newFileChannel")
                  ? opened.of(result)
                  : result;
            });
    FileSystem hookedSystem =
        hooked(
            FileSystem.class,
            call ->
                call.getMethod().getName().equals("provider")
                    ? provider
                    : invoke(system, call.getMethod(), call.getRawArguments()));
    return hooked(
        Path.class,
        call ->
            call.getMethod().getName().equals("getFileSystem")
                ? hookedSystem
                : invoke(path, call.getMethod(), call.getRawArguments()));
  }

  private static FileChannel channel(FileChannel channel, Hook hook) {
    return hooked(
        FileChannel.class,
        call -> {
          if (call.getMethod().getName().equals("implCloseChannel")) {
            try (channel) {
              hook.before("close");
            }
            return null;
          }
          hook.before(call.getMethod().getName());
          return invoke(channel, call.getMethod(), call.getRawArguments());
        });
  }

  private static Object invoke(Object target, Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** By a subclass, so that the JDK's own classes stay as they are. */
  private static <T> T hooked(Class<T> type, Answer<Object> answer) {
    return mock(
        type,
        withSettings()
            .mockMaker(MockMakers.SUBCLASS)
            .useConstructor()
            .stubOnly()
            .defaultAnswer(answer));
  }
}
