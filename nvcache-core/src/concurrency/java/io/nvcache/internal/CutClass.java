// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.read.MemoryPin;
import io.nvcache.internal.read.ValidatedRead;
import io.nvcache.internal.regions.AppendBuffer;
import io.nvcache.internal.regions.BlockRead;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A class of the product with one check cut out: what it asked another method for is answered for
 * it, always in the same way. A test that does not fail with it, in front of the class path, does
 * not test the check. The method may {@linkplain StateMemory#linger linger} before a call, where
 * what the check is there for would seldom happen otherwise.
 */
enum CutClass {
  /** A pin lets readers in though it is closed. */
  PIN_READ_TOO_LATE(MemoryPin.class, "beginRead", MemoryPin.class, "isClosed", false, ""),

  /** A read does not ask whether the entry still stands once it took what it wants. */
  READ_UNCHECKED(ValidatedRead.class, "read", Bucket.class, "isUnchanged", true, "take"),

  /** A read from the buffer of the regions does not ask whether the buffer still has the block. */
  BUFFER_UNCHECKED(AppendBuffer.class, "copyOut", AppendBuffer.class, "stillHolds", true, "copy"),

  /** A thread joins a read of a block without being counted as one that uses its buffer. */
  READ_JOINED_UNCOUNTED(
      BlockRead.class, "join", AtomicInteger.class, "compareAndSet", true, ""),

  /** Closing does not wait for the calls inside. */
  CLOSE_UNAWAITED(CallGate.class, "awaitEmpty", CallGate.class, "isBusy", false, "");

  private final Class<?> victim;
  private final String method;
  private final String owner;
  private final String check;
  private final boolean answer;
  private final String lingersBefore;

  CutClass(
      Class<?> victim,
      String method,
      Class<?> owner,
      String check,
      boolean answer,
      String lingersBefore) {
    this.victim = victim;
    this.method = method;
    this.owner = Type.getInternalName(owner);
    this.check = check;
    this.answer = answer;
    this.lingersBefore = lingersBefore;
  }

  /** Writes the class to a directory that is to come first in a class path. */
  void write(Path directory) throws IOException {
    String file = Type.getInternalName(victim) + ".class";
    Path copy = directory.resolve(file);
    Files.createDirectories(copy.getParent());
    try (var bytes = victim.getResourceAsStream("/" + file)) {
      ClassReader read = new ClassReader(bytes);
      ClassWriter writer = new ClassWriter(0);
      Cutter cutter = new Cutter(writer);
      read.accept(cutter, 0);
      if (cutter.cuts != 1) {
        throw new IllegalStateException(this + " was cut " + cutter.cuts + " times");
      }
      Files.write(copy, writer.toByteArray());
    }
  }

  private final class Cutter extends ClassVisitor {
    int cuts;

    Cutter(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (!name.equals(method)) {
        return next;
      }
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String calledOwner, String called, String type, boolean ofInterface) {
          if (called.equals(lingersBefore)) {
            String memory = Type.getInternalName(StateMemory.class);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, memory, "linger", "()V", false);
          }
          if (!calledOwner.equals(owner) || !called.equals(check)) {
            super.visitMethodInsn(opcode, calledOwner, called, type, ofInterface);
            return;
          }
          cuts++;
          Type[] arguments = Type.getArgumentTypes(type);
          for (int i = arguments.length - 1; i >= 0; i--) {
            super.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
          }
          if (opcode != Opcodes.INVOKESTATIC) {
            super.visitInsn(Opcodes.POP);
          }
          super.visitInsn(answer ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
        }
      };
    }
  }
}
