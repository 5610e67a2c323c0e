// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Does what two native methods of {@code java.io} did that are woven over on JDK 17, by the native
 * methods below the JDK's channels.
 */
final class NativeCalls {
  private static final String DISPATCHER = "sun.nio.ch.FileDispatcherImpl";

  private final MethodHandle force;
  private final MethodHandle truncate;
  private final MethodHandle seek;

  private NativeCalls(MethodHandle force, MethodHandle truncate, MethodHandle seek) {
    this.force = force;
    this.truncate = truncate;
    this.seek = seek;
  }

  /** Finds them; the JDK's package must be open to this one. */
  static NativeCalls find() throws ReflectiveOperationException {
    Class<?> type = Class.forName(DISPATCHER);
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    Class<?> owner = type;
    try {
      return of(lookup, owner);
    } catch (NoSuchMethodException e) {
      owner = Class.forName("sun.nio.ch.UnixFileDispatcherImpl"); // Since JDK 20.
      return of(MethodHandles.privateLookupIn(owner, MethodHandles.lookup()), owner);
    }
  }

  private static NativeCalls of(MethodHandles.Lookup lookup, Class<?> owner)
      throws ReflectiveOperationException {
    Class<?> descriptor = FileDescriptor.class;
    return new NativeCalls(
        lookup.findStatic(
            owner, "force0", MethodType.methodType(int.class, descriptor, boolean.class)),
        lookup.findStatic(
            owner, "truncate0", MethodType.methodType(int.class, descriptor, long.class)),
        lookup.findStatic(
            owner, "seek0", MethodType.methodType(long.class, descriptor, long.class)));
  }

  void sync(FileDescriptor descriptor) throws IOException {
    try {
      int unused = (int) force.invokeExact(descriptor, true);
    } catch (Throwable e) {
      throw asItIs(e);
    }
  }

  /** As the native method: a place behind the end becomes the end. */
  void setLength(FileDescriptor descriptor, long bytes) throws IOException {
    try {
      long place = (long) seek.invokeExact(descriptor, -1L); // Says where it stands.
      int unused = (int) truncate.invokeExact(descriptor, bytes);
      if (place > bytes) {
        place = (long) seek.invokeExact(descriptor, bytes);
      }
    } catch (Throwable e) {
      throw asItIs(e);
    }
  }

  private static IOException asItIs(Throwable thrown) {
    if (thrown instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof IOException known ? known : new IOException(thrown);
  }
}
