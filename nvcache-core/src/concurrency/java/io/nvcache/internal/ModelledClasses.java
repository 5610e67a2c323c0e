// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.regions.AppendBuffer;
import io.nvcache.memory.SwitchingMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Copies the product's classes with their accesses to native memory led through {@link
 * SwitchingMemory}; nothing else of them is changed, but for the one check that a broken variant
 * goes without.
 */
final class ModelledClasses {
  private static final String MEMORY = "io/nvcache/memory/RawMemory";
  private static final String BUCKET = Type.getInternalName(Bucket.class);
  private static final String BUFFER = Type.getInternalName(AppendBuffer.class);
  private static final Set<String> SWITCHING =
      Arrays.stream(SwitchingMemory.class.getDeclaredMethods())
          .map(Method::getName)
          .collect(Collectors.toSet());

  /** Whether readers ask if what they read still stands. */
  enum Reader {
    CHECKS,
    BELIEVES
  }

  private ModelledClasses() {}

  static void write(Path from, Path to, Reader reader) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(from)) {
      files = found.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.write(copy, rewritten(file, reader));
    }
  }

  private static byte[] rewritten(Path file, Reader reader) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      ClassReader read = new ClassReader(bytes);
      if (read.getClassName().equals(MEMORY)) {
        return bytes;
      }
      ClassWriter writer = new ClassWriter(0);
      read.accept(new Rewriter(writer, reader), 0);
      return writer.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Rewriter extends ClassVisitor {
    private final Reader reader;

    Rewriter(ClassVisitor next, Reader reader) {
      super(Opcodes.ASM9, next);
      this.reader = reader;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String method, String type, boolean ofInterface) {
          if (owner.equals(MEMORY) && SWITCHING.contains(method)) {
            super.visitMethodInsn(
                opcode, Type.getInternalName(SwitchingMemory.class), method, type, ofInterface);
          } else if (reader == Reader.BELIEVES
              && owner.equals(BUCKET)
              && method.equals("isUnchanged")) {
            super.visitInsn(Opcodes.POP); // The version.
            super.visitInsn(Opcodes.POP2); // The bucket's address.
            super.visitInsn(Opcodes.ICONST_1);
          } else if (reader == Reader.BELIEVES
              && owner.equals(BUFFER)
              && method.equals("stillHolds")) {
            super.visitInsn(Opcodes.POP2); // The position.
            super.visitInsn(Opcodes.POP); // The buffer.
            super.visitInsn(Opcodes.ICONST_1);
          } else {
            super.visitMethodInsn(opcode, owner, method, type, ofInterface);
          }
        }
      };
    }
  }
}
