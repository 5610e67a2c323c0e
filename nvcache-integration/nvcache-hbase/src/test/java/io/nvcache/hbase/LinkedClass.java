// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the linker of the JVM sees of a class file: its members, what it extends, and what it refers
 * to. It is read and not loaded, for half of what it refers to may be missing.
 */
record LinkedClass(
    String name,
    boolean isAbstract,
    List<String> parents,
    Set<String> members,
    Set<String> abstractMethods,
    Set<Reference> references) {
  private static final int ACC_ABSTRACT = 0x0400;

  /**
   * A class that is named, or a member of it.
   *
   * @param member name and descriptor; empty for the class itself
   */
  record Reference(String owner, String member) {}

  static LinkedClass read(byte[] file) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
    in.skipBytes(8); // Magic number and version.
    Pool pool = new Pool(in);
    int access = in.readUnsignedShort();
    String name = pool.nameOfClass(in.readUnsignedShort());
    List<String> parents = new ArrayList<>();
    int parent = in.readUnsignedShort();
    if (parent != 0) {
      parents.add(pool.nameOfClass(parent));
    }
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      parents.add(pool.nameOfClass(in.readUnsignedShort()));
    }
    Set<String> members = new HashSet<>();
    Set<String> abstractMethods = new HashSet<>();
    readMembers(in, pool, members, new HashSet<>()); // Fields are never abstract.
    readMembers(in, pool, members, abstractMethods);
    return new LinkedClass(
        name, (access & ACC_ABSTRACT) != 0, parents, members, abstractMethods, pool.references());
  }

  private static void readMembers(
      DataInputStream in, Pool pool, Set<String> members, Set<String> abstractOnes)
      throws IOException {
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      int access = in.readUnsignedShort();
      String member = pool.text(in.readUnsignedShort()) + pool.text(in.readUnsignedShort());
      members.add(member);
      if ((access & ACC_ABSTRACT) != 0) {
        abstractOnes.add(member);
      }
      for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
        in.skipBytes(2);
        in.skipBytes(in.readInt());
      }
    }
  }

  /** The constants of a class file. */
  private static final class Pool {
    private final String[] texts;
    private final int[] kinds;
    private final int[] firsts;
    private final int[] seconds;

    Pool(DataInputStream in) throws IOException {
      int count = in.readUnsignedShort();
      texts = new String[count];
      kinds = new int[count];
      firsts = new int[count];
      seconds = new int[count];
      for (int i = 1; i < count; i++) {
        kinds[i] = in.readUnsignedByte();
        switch (kinds[i]) {
          case 1 -> texts[i] = in.readUTF();
          case 3, 4 -> in.skipBytes(4);
          case 5, 6 -> {
            in.skipBytes(8);
            i++; // They take two places.
          }
          case 7, 8, 16, 19, 20 -> firsts[i] = in.readUnsignedShort();
          case 9, 10, 11, 12, 17, 18 -> {
            firsts[i] = in.readUnsignedShort();
            seconds[i] = in.readUnsignedShort();
          }
          case 15 -> in.skipBytes(3);
          default -> throw new IOException("constant of kind " + kinds[i]);
        }
      }
    }

    String text(int index) {
      return texts[index];
    }

    String nameOfClass(int index) {
      return texts[firsts[index]];
    }

    Set<Reference> references() {
      Set<Reference> references = new HashSet<>();
      for (int i = 1; i < kinds.length; i++) {
        if (kinds[i] == 7) {
          references.add(new Reference(nameOfClass(i), ""));
        } else if (kinds[i] >= 9 && kinds[i] <= 11) {
          int member = seconds[i];
          references.add(
              new Reference(
                  nameOfClass(firsts[i]), texts[firsts[member]] + texts[seconds[member]]));
        }
      }
      return references;
    }
  }
}
