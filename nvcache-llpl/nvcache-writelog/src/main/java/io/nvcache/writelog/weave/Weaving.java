// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.weave;

import io.nvcache.writelog.woven.WovenPaths;
import io.nvcache.writelog.woven.WovenStreams;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Method;
import java.nio.file.spi.FileSystemProvider;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Has methods of the JDK's file classes call {@link WovenPaths} or {@link WovenStreams} first. The
 * public methods are woven, which are alike in all JDKs, and not the native ones below; only two
 * have nothing below on JDK 17.
 */
public final class Weaving {
  private static final String PATH = "Ljava/nio/file/Path;";
  private static final String SET = "Ljava/util/Set;";
  private static final String ATTRIBUTES = "[Ljava/nio/file/attribute/FileAttribute;";
  private static final String OPTIONS = "[Ljava/nio/file/LinkOption;";
  private static final String COPY_OPTIONS = "[Ljava/nio/file/CopyOption;";
  private static final String FILE_CHANNEL = "Ljava/nio/channels/FileChannel;";
  private static final String BYTE_CHANNEL = "Ljava/nio/channels/SeekableByteChannel;";
  private static final String TIME = "Ljava/nio/file/attribute/FileTime;";
  private static final String READ = "Ljava/nio/file/attribute/BasicFileAttributes;";

  /** By classes, then by a method's name and descriptor: the name of the method that it calls. */
  private final Map<Class<?>, Map<String, String>> calls = new HashMap<>();

  private final Map<Class<?>, Set<String>> woven = new HashMap<>();
  private final List<Throwable> failures = new ArrayList<>();

  private Weaving() {}

  /** Whether readers may have to wait until what they read is in the page cache. */
  public enum Readers {
    WOVEN,
    LEFT_ALONE
  }

  /**
   * Weaves.
   *
   * @param provider the platform's
   * @throws IllegalStateException if this JDK's classes are not as they should be
   */
  public static void install(
      Instrumentation instrumentation, FileSystemProvider provider, Readers readers) {
    Weaving weaving = new Weaving();
    weaving.addProvider(provider.getClass(), readers);
    weaving.addDirectories();
    weaving.addViews(readers);
    weaving.addStreams(readers);
    weaving.run(instrumentation);
  }

  private void addProvider(Class<?> provider, Readers readers) {
    for (Class<?> type = provider;
        type != null && type != FileSystemProvider.class;
        type = type.getSuperclass()) {
      add(type, "newFileChannel", "(" + PATH + SET + ATTRIBUTES + ")" + FILE_CHANNEL);
      add(type, "newByteChannel", "(" + PATH + SET + ATTRIBUTES + ")" + BYTE_CHANNEL);
      add(
          type,
          "newAsynchronousFileChannel",
          "("
              + PATH
              + SET
              + "Ljava/util/concurrent/ExecutorService;"
              + ATTRIBUTES
              + ")Ljava/nio/channels/AsynchronousFileChannel;");
      add(type, "delete", "(" + PATH + ")V");
      add(type, "deleteIfExists", "(" + PATH + ")Z");
      add(type, "move", "(" + PATH + PATH + COPY_OPTIONS + ")V");
      add(type, "copy", "(" + PATH + PATH + COPY_OPTIONS + ")V");
      add(type, "createDirectory", "(" + PATH + ATTRIBUTES + ")V");
      add(type, "createLink", "(" + PATH + PATH + ")V");
      add(type, "createSymbolicLink", "(" + PATH + PATH + ATTRIBUTES + ")V");
      if (readers == Readers.WOVEN) {
        String read = "(" + PATH + "Ljava/lang/Class;" + OPTIONS + ")" + READ;
        add(type, "readAttributes", read);
        add(type, "readAttributesIfExists", read, "readAttributes");
        add(
            type,
            "readAttributes",
            "(" + PATH + "Ljava/lang/String;" + OPTIONS + ")Ljava/util/Map;",
            "readNamedAttributes");
      }
    }
  }

  private void addDirectories() {
    Class<?> type = found("sun.nio.fs.UnixSecureDirectoryStream");
    add(type, "deleteFile", "(" + PATH + ")V", "deleteIn");
    add(
        type,
        "move",
        "(" + PATH + "Ljava/nio/file/SecureDirectoryStream;" + PATH + ")V",
        "moveBetween");
    add(type, "newByteChannel", "(" + PATH + SET + ATTRIBUTES + ")" + BYTE_CHANNEL, "openIn");
  }

  private void addViews(Readers readers) {
    Class<?> basic = found("sun.nio.fs.UnixFileAttributeViews$Basic");
    add(basic, "setTimes", "(" + TIME + TIME + TIME + ")V");
    if (readers == Readers.WOVEN) {
      add(basic, "readAttributes", "()" + READ, "readView");
      add(
          found("sun.nio.fs.UnixFileAttributeViews$Posix"),
          "readAttributes",
          "()Lsun/nio/fs/UnixFileAttributes;",
          "readView");
    }
  }

  private static Class<?> found(String name) {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("this JDK has no " + name + ", which would be woven", e);
    }
  }

  private void addStreams(Readers readers) {
    add(File.class, "delete", "()Z", "deleteFile");
    add(File.class, "renameTo", "(Ljava/io/File;)Z");
    add(File.class, "mkdir", "()Z");
    add(File.class, "setLastModified", "(J)Z");
    add(FileOutputStream.class, "open", "(Ljava/lang/String;Z)V", "openOutput");
    add(FileOutputStream.class, "close", "()V", "closeOutput");
    add(FileOutputStream.class, "write", "(I)V", "writeByte");
    add(FileOutputStream.class, "write", "([B)V", "writeAll");
    add(FileOutputStream.class, "write", "([BII)V", "writeSome");
    add(FileOutputStream.class, "getChannel", "()" + FILE_CHANNEL, "channelOfOutput");
    add(RandomAccessFile.class, "open", "(Ljava/lang/String;I)V", "openRandomAccess");
    add(RandomAccessFile.class, "close", "()V", "closeRandomAccess");
    add(RandomAccessFile.class, "write", "(I)V", "putByte");
    add(RandomAccessFile.class, "write", "([B)V", "putAll");
    add(RandomAccessFile.class, "write", "([BII)V", "putSome");
    add(RandomAccessFile.class, "writeBytes", "(Ljava/lang/String;)V", "putBytes");
    add(RandomAccessFile.class, "writeChars", "(Ljava/lang/String;)V", "putChars");
    add(RandomAccessFile.class, "setLength", "(J)V");
    add(RandomAccessFile.class, "getChannel", "()" + FILE_CHANNEL, "channelOfRandomAccess");
    add(FileDescriptor.class, "sync", "()V");
    if (readers == Readers.WOVEN) {
      add(File.class, "length", "()J", "look");
      add(File.class, "lastModified", "()J", "look");
      add(FileInputStream.class, "open", "(Ljava/lang/String;)V", "openInput");
      add(FileInputStream.class, "close", "()V", "closeInput");
    }
  }

  private void add(Class<?> type, String method, String descriptor) {
    add(type, method, descriptor, method);
  }

  private void add(Class<?> type, String method, String descriptor, String call) {
    calls.computeIfAbsent(type, unused -> new HashMap<>()).put(method + descriptor, call);
  }

  private void run(Instrumentation instrumentation) {
    ClassFileTransformer transformer = new Transformer();
    instrumentation.addTransformer(transformer, true);
    try {
      instrumentation.retransformClasses(calls.keySet().toArray(Class<?>[]::new));
    } catch (UnmodifiableClassException | LinkageError e) {
      failures.add(e);
    } finally {
      instrumentation.removeTransformer(transformer);
    }
    requireAll();
  }

  /** Of the provider's classes any may have a method, of the others each must. */
  private void requireAll() {
    Set<String> missing = new HashSet<>();
    Set<String> ofProvider = new HashSet<>();
    Set<String> wovenOfProvider = new HashSet<>();
    calls.forEach(
        (type, methods) -> {
          Set<String> done = woven.getOrDefault(type, Set.of());
          if (FileSystemProvider.class.isAssignableFrom(type)) {
            ofProvider.addAll(methods.keySet());
            wovenOfProvider.addAll(done);
          } else {
            methods.keySet().stream()
                .filter(method -> !done.contains(method))
                .forEach(method -> missing.add(type.getName() + "." + method));
          }
        });
    ofProvider.removeAll(wovenOfProvider);
    ofProvider.removeIf(method -> method.startsWith("readAttributesIfExists")); // Since JDK 20.
    missing.addAll(ofProvider);
    if (!missing.isEmpty() || !failures.isEmpty()) {
      IllegalStateException failed =
          new IllegalStateException(
              "this JDK's file classes can't be woven"
                  + (missing.isEmpty() ? "" : "; these are missing: " + missing));
      failures.forEach(failed::addSuppressed);
      throw failed;
    }
  }

  /** A failure in here would be silent. */
  private final class Transformer implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        String name,
        @Nullable Class<?> type,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      Map<String, String> methods = type == null ? null : calls.get(type);
      if (type == null || methods == null) {
        return null;
      }
      try {
        return weave(type, methods, bytes);
      } catch (RuntimeException | LinkageError e) {
        failures.add(e);
        return null;
      }
    }
  }

  private byte[] weave(Class<?> type, Map<String, String> methods, byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    Set<String> done = woven.computeIfAbsent(type, unused -> new HashSet<>());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public @Nullable MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            String call = methods.get(name + descriptor);
            if (call == null || (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_BRIDGE)) != 0) {
              return super.visitMethod(access, name, descriptor, signature, exceptions);
            }
            done.add(name + descriptor);
            if ((access & Opcodes.ACC_NATIVE) != 0) {
              MethodVisitor body =
                  super.visitMethod(
                      access & ~Opcodes.ACC_NATIVE, name, descriptor, signature, exceptions);
              new WovenMethod(body, descriptor, target(call))
                  .standForNative(target(call + "Plain"));
              return null;
            }
            return new WovenMethod(
                super.visitMethod(access, name, descriptor, signature, exceptions),
                descriptor,
                target(call));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static Method target(String call) {
    return Stream.of(WovenPaths.class, WovenStreams.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(method -> method.getName().equals(call))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no call " + call));
  }

  /** Returns the descriptor of a method. */
  static String descriptorOf(Method method) {
    return Type.getMethodDescriptor(method);
  }
}
