// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.testing.ArenaBuffer;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each implementation that this JVM has, and allows, does the same. */
final class AddressedMemoryTest {
  private static final int SIZE = 4096;

  @TempDir Path directory;

  static List<AddressedMemory> implementations() {
    List<AddressedMemory> all = new ArrayList<>(List.of(RawMemory.MEMORY));
    try {
      AddressedMemory other = new UnsafeMemory();
      if (!other.name().equals(RawMemory.MEMORY.name())) {
        all.add(other);
      }
    } catch (LinkageError e) {
      // The JVM denies it.
    }
    return all;
  }

  private static MemoryOwner owner(boolean fileBacked) {
    return new MemoryOwner() { // Not a lambda, of which the JVM may keep one for ever.
      @Override
      public boolean isFileBacked() {
        return fileBacked;
      }
    };
  }

  private static ByteBuffer numbered(ByteBuffer buffer) {
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, (byte) (i * 7));
    }
    return buffer;
  }

  @Test
  void shouldBeTheOneOfTheJdk() {
    boolean foreign =
        AddressedMemory.class.getResource("/io/nvcache/memory/ForeignMemory.class") != null
            && Runtime.version().feature() >= 22;
    assertThat(MemoryAccess.api()).isEqualTo(foreign ? "java.lang.foreign" : "sun.misc.Unsafe");
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void shouldReadWhatItWrote(AddressedMemory memory) {
    AddressedMemory.Range range = memory.allocate(SIZE);
    long at = (range.address() + 63) & -64;
    memory.fill(at, 256, (byte) 0);
    memory.putLong(at + 1, 0x0102_0304_0506_0708L);
    memory.putInt(at + 11, 0x1112_1314);
    memory.putShort(at + 17, (short) 0x2122);
    memory.putByte(at + 21, (byte) 0x31);
    assertThat(memory.getLong(at + 1)).isEqualTo(0x0102_0304_0506_0708L);
    assertThat(memory.getInt(at + 11)).isEqualTo(0x1112_1314);
    assertThat(memory.getShort(at + 17)).isEqualTo((short) 0x2122);
    assertThat(memory.getByte(at + 21)).isEqualTo((byte) 0x31);
    assertThat(memory.getByteVolatile(at + 21)).isEqualTo((byte) 0x31);
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    assertThat(memory.getByte(at + 1)).isEqualTo((byte) (little ? 8 : 1));
    memory.putIntRelease(at + 64, 5);
    assertThat(memory.compareAndSwapInt(at + 64, 4, 9)).isFalse();
    assertThat(memory.compareAndSwapInt(at + 64, 5, 9)).isTrue();
    assertThat(memory.getAndAddInt(at + 64, -2)).isEqualTo(9);
    assertThat(memory.getIntVolatile(at + 64)).isEqualTo(7);
    assertThat(Integer.bitCount(memory.pageBytes())).isOne();
    assertThat(memory.pageBytes()).isGreaterThanOrEqualTo(SIZE);
    range.release();
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void shouldCopyBytesOfEachLength(AddressedMemory memory) {
    AddressedMemory.Range range = memory.allocate(2 * SIZE);
    long at = range.address();
    for (int length : new int[] {0, 1, 7, 8, 9, 63, 64, 65, 1000, SIZE - 3}) {
      byte[] bytes = numbered(ByteBuffer.allocate(SIZE)).array();
      byte[] copy = new byte[SIZE];
      memory.fill(at, 2 * SIZE, (byte) -1);
      memory.copyIn(bytes, 3, at + 1, length);
      memory.copy(at + 1, at + SIZE, length);
      memory.copyOut(at + SIZE, copy, 2, length);
      assertThat(ByteBuffer.wrap(copy, 2, length)).isEqualTo(ByteBuffer.wrap(bytes, 3, length));
      assertThat(copy[length + 2]).isZero();
      byte[] words = new byte[SIZE];
      memory.copyWordsOut(at + SIZE, words, 2, length);
      assertThat(words).isEqualTo(copy);
      assertThat(memory.getByte(at)).isEqualTo((byte) -1);
      assertThat(memory.getByte(at + 1 + length)).isEqualTo((byte) -1);
    }
    range.release();
  }

  /** Whatever their position and limit, which another thread may move. */
  @ParameterizedTest
  @MethodSource("implementations")
  void shouldFindTheBytesOfBuffers(AddressedMemory memory) {
    ByteBuffer direct = numbered(ByteBuffer.allocateDirect(SIZE)).slice(5, 100);
    direct.position(70).limit(70);
    long address = memory.bufferAddress(direct);
    assertThat(memory.getByte(address + 9)).isEqualTo((byte) (14 * 7));
    assertThat(memory.bufferAddress(direct.asReadOnlyBuffer())).isEqualTo(address);

    ByteBuffer hidden = numbered(ByteBuffer.allocate(SIZE)).slice(5, 100).asReadOnlyBuffer();
    hidden.position(70).limit(70);
    byte[] array = memory.array(hidden);
    if (array == null) {
      memory.copyHiddenIn(hidden, 9, address, 50);
    } else {
      memory.copyIn(array, memory.arrayOffset(hidden) + 9, address, 50);
    }
    assertThat(memory.getByte(address)).isEqualTo((byte) (14 * 7));
    for (ByteBuffer bytes : new ByteBuffer[] {direct, hidden}) {
      CRC32C expected = new CRC32C();
      expected.update(bytes.duplicate().clear().position(3).limit(43));
      CRC32C crc = new CRC32C();
      memory.sum(crc, bytes, 3, 40);
      assertThat(crc.getValue()).isEqualTo(expected.getValue());
    }
    assertThat(direct.position()).isEqualTo(70);
    assertThat(hidden.limit()).isEqualTo(70);
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void shouldTellMemoryThatStaysFromThatWhichMayNot(AddressedMemory memory) throws Exception {
    ByteBuffer plain = ByteBuffer.allocateDirect(SIZE);
    AddressedMemory.Range range = memory.allocate(SIZE);
    ByteBuffer nativeView = memory.view(range.address(), SIZE, owner(false));
    for (ByteBuffer stays : new ByteBuffer[] {plain, nativeView}) {
      assertThat(memory.mayVanish(stays)).isFalse();
      assertThat(memory.mayVanish(stays.slice(1, 2))).isFalse();
      assertThat(memory.mayVanish(stays.asReadOnlyBuffer().duplicate())).isFalse();
    }
    ByteBuffer fileView = memory.view(range.address(), SIZE, owner(true));
    Path file = Files.write(directory.resolve("file"), new byte[SIZE]);
    ByteBuffer mapped;
    try (FileChannel channel = FileChannel.open(file)) {
      mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, SIZE);
    }
    for (ByteBuffer vanishes : new ByteBuffer[] {fileView, mapped}) {
      assertThat(memory.mayVanish(vanishes)).isTrue();
      assertThat(memory.mayVanish(vanishes.slice(1, 2))).isTrue();
      assertThat(memory.mayVanish(vanishes.duplicate())).isTrue();
    }
    range.release();
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void shouldKnowTheMemoryOfAnArena(AddressedMemory memory) throws Exception {
    assumeTrue(Runtime.version().feature() >= 22, "JDK 17 has no arenas");
    ArenaBuffer arena = new ArenaBuffer(SIZE);
    assertThat(memory.mayVanish(arena.buffer())).isTrue();
    assertThat(memory.mayVanish(arena.buffer().slice(7, 9).asReadOnlyBuffer())).isTrue();
    arena.close();
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void shouldShowMemoryThatItsOwnerKeeps(AddressedMemory memory) throws Exception {
    AddressedMemory.Range range = memory.allocate(SIZE);
    memory.fill(range.address(), SIZE, (byte) 9);
    MemoryOwner owner = owner(false);
    WeakReference<MemoryOwner> collected = new WeakReference<>(owner);
    ByteBuffer first = memory.view(range.address(), 8, owner);
    ByteBuffer rest = memory.view(range.address() + 8, SIZE - 8, owner).slice(8, 8);
    assertThat(first.isReadOnly()).isTrue();
    assertThat(first.getLong(0)).isEqualTo(0x0909_0909_0909_0909L);
    owner = null;
    first = null;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(collected.get()).isNotNull();
    assertThat(rest.get(0)).isEqualTo((byte) 9);
    rest = null;
    for (int i = 0; i < 500 && collected.get() != null; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(collected.get()).isNull();
    range.release();
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void shouldMapAFile(AddressedMemory memory) throws Exception {
    memory.requireMapping();
    int length = memory.pageBytes();
    Path file = Files.write(directory.resolve("file"), new byte[length]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      AddressedMemory.Range range = memory.map(channel, length);
      memory.putByte(range.address() + 5, (byte) 42);
      range.release();
    }
    assertThat(Files.readAllBytes(file)[5]).isEqualTo((byte) 42);
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void shouldKeepAChannelOpenUnderAnInterrupt(AddressedMemory memory) throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[1]);
    try (FileChannel channel = FileChannel.open(file)) {
      memory.makeUninterruptible(channel);
      Thread.currentThread().interrupt();
      channel.read(ByteBuffer.allocate(1), 0);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(channel.isOpen()).isTrue();
    }
  }
}
