// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.weave;

import java.lang.reflect.Method;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Calls a static method first, with the method's object and arguments, and returns what it says:
 *
 * <table>
 *   <caption>By what the called method returns</caption>
 *   <tr><td>nothing</td><td>continues</td></tr>
 *   <tr><td>an object</td><td>returns it; continues with null</td></tr>
 *   <tr><td>a number</td><td>continues with 0; else returns, and true if it is odd</td></tr>
 * </table>
 */
final class WovenMethod extends MethodVisitor {
  private final String descriptor;
  private final Method call;

  WovenMethod(MethodVisitor to, String descriptor, Method call) {
    super(Opcodes.ASM9, to);
    this.descriptor = descriptor;
    this.call = call;
  }

  @Override
  public void visitCode() {
    super.visitCode();
    int end = call(call);
    if (call.getReturnType() == void.class) {
      return;
    }
    boolean isObject = !call.getReturnType().isPrimitive();
    Label goOn = new Label();
    visitVarInsn(isObject ? Opcodes.ASTORE : Opcodes.ISTORE, end);
    visitVarInsn(isObject ? Opcodes.ALOAD : Opcodes.ILOAD, end);
    visitJumpInsn(isObject ? Opcodes.IFNULL : Opcodes.IFEQ, goOn);
    Type result = Type.getReturnType(descriptor);
    if (result.getSort() == Type.VOID) {
      visitInsn(Opcodes.RETURN);
    } else {
      visitVarInsn(isObject ? Opcodes.ALOAD : Opcodes.ILOAD, end);
      if (!isObject) {
        visitInsn(Opcodes.ICONST_1);
        visitInsn(Opcodes.IAND);
      }
      visitInsn(result.getOpcode(Opcodes.IRETURN));
    }
    visitLabel(goOn);
    visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    visitInsn(Opcodes.NOP); // The method's own code may begin with a frame.
  }

  /** Returns the first place behind the arguments. */
  private int call(Method target) {
    visitVarInsn(Opcodes.ALOAD, 0);
    int place = 1;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      visitVarInsn(argument.getOpcode(Opcodes.ILOAD), place);
      place += argument.getSize();
    }
    visitMethodInsn(
        Opcodes.INVOKESTATIC,
        Type.getInternalName(target.getDeclaringClass()),
        target.getName(),
        Weaving.descriptorOf(target),
        false);
    return place;
  }

  /**
   * Makes a body for a method that was native. HotSpot lets a class change a method so that is
   * loaded already.
   */
  void standForNative(Method plain) {
    visitCode();
    call(plain);
    visitInsn(Opcodes.RETURN);
    visitMaxs(0, 0);
    visitEnd();
  }
}
