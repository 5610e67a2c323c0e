// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.testing.ArenaBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes the buffers of a hunt. Those that cost something to make serve again and again. */
final class Buffers {
  static final boolean ARENAS = Runtime.version().feature() >= 22;

  private static final int MARGIN = 32;
  private static final int ROOM = MARGIN + 2 * Contents.MAX_LENGTH + MARGIN;
  private static final int CUT_BYTES = 256 << 10;

  /** What is left of a file is its first page. */
  private static final int PAGE = 4096;

  /** Memory of this size goes back to the system when it is freed. */
  private static final int ARENA_BYTES = 4 << 20;

  private final List<BufferKind> sources = new ArrayList<>();
  private final List<BufferKind> rooms = new ArrayList<>();
  private final ByteBuffer direct = ByteBuffer.allocateDirect(ROOM);
  private final ByteBuffer shared = ByteBuffer.allocateDirect(ROOM + PAGE);
  private final MappedByteBuffer mapped;
  private final MappedByteBuffer privately;
  private final MappedByteBuffer readOnly;
  private final MappedByteBuffer cut;
  private @Nullable ByteBuffer arena;
  private @Nullable ByteBuffer closedArena;
  private @Nullable ByteBuffer confined;

  Buffers(Path directory) throws Exception {
    mapped = map(directory.resolve("sound"), ROOM, ROOM, MapMode.READ_WRITE);
    privately = map(directory.resolve("private"), ROOM, ROOM, MapMode.PRIVATE);
    readOnly = map(directory.resolve("readonly"), ROOM, ROOM, MapMode.READ_ONLY);
    cut = map(directory.resolve("cut"), CUT_BYTES, 100, MapMode.READ_WRITE);
    for (BufferKind kind : BufferKind.values()) {
      if (ARENAS || !kind.name().startsWith("ARENA")) {
        sources.add(kind);
        rooms.add(kind);
      }
    }
    if (ARENAS) {
      arena = new ArenaBuffer(ROOM).buffer();
      ArenaBuffer freed = new ArenaBuffer(ARENA_BYTES);
      closedArena = freed.buffer();
      freed.close();
      confined = ArenaBuffer.confinedElsewhere(ARENA_BYTES);
    }
  }

  private static MappedByteBuffer map(Path file, int length, int left, MapMode mode)
      throws Exception {
    Files.write(file, new byte[length]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapping = channel.map(mode, 0, length);
      channel.truncate(left);
      return mapping;
    }
  }

  /** A separate mapping, to be cut short by {@link #cutNow}. */
  static MappedByteBuffer toBeCut(Path file) throws Exception {
    return map(file, CUT_BYTES, CUT_BYTES, MapMode.READ_WRITE);
  }

  static void cutNow(Path file) throws Exception {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(100);
    }
  }

  /** A buffer that has these bytes, or, where a buffer of its kind can't, others. */
  HostileBuffer source(Random random, World world, byte[] content) {
    BufferKind kind = sources.get(random.nextInt(sources.size()));
    if (random.nextInt(3) == 0) {
      kind = BufferKind.HEAP; // Some must succeed, or there is nothing to be hurt.
    }
    ByteBuffer memory = memory(kind, random);
    if (memory != null) {
      place(memory, content.length, random);
      memory.put(memory.position(), content);
      return new HostileBuffer(kind, memory, content, HostileBuffer.ALL);
    }
    return switch (kind) {
      case READ_ONLY_HEAP ->
          new HostileBuffer(
              kind, ByteBuffer.wrap(content).asReadOnlyBuffer(), content, HostileBuffer.ALL);
      case READ_ONLY_DIRECT -> {
        ByteBuffer copy = direct.duplicate().limit(content.length).put(0, content);
        yield new HostileBuffer(kind, copy.asReadOnlyBuffer(), content, HostileBuffer.ALL);
      }
      case MAPPED_READ_ONLY ->
          new HostileBuffer(
              kind,
              readOnly.duplicate().limit(content.length),
              new byte[content.length],
              HostileBuffer.ALL);
      case PINNED, STALE, TIERED -> world.relics().view(kind, random);
      default -> vanished(kind, content.length, random);
    };
  }

  /** A buffer with so much room, or, where a buffer of its kind has none to spare, with other. */
  HostileBuffer room(Random random, World world, int room) {
    BufferKind kind = rooms.get(random.nextInt(rooms.size()));
    ByteBuffer memory = memory(kind, random);
    if (memory != null) {
      fill(memory);
      place(memory, room, random);
      return new HostileBuffer(kind, memory, null, HostileBuffer.ALL);
    }
    return switch (kind) {
      case READ_ONLY_HEAP ->
          new HostileBuffer(kind, ByteBuffer.allocate(room).asReadOnlyBuffer(), null, 0);
      case READ_ONLY_DIRECT ->
          new HostileBuffer(kind, direct.duplicate().limit(room).asReadOnlyBuffer(), null, 0);
      case MAPPED_READ_ONLY -> new HostileBuffer(kind, readOnly.duplicate().limit(room), null, 0);
      case PINNED, STALE, TIERED -> {
        HostileBuffer view = world.relics().view(kind, random);
        yield new HostileBuffer(view.kind(), view.buffer(), null, 0);
      }
      default -> vanished(kind, room, random);
    };
  }

  private HostileBuffer vanished(BufferKind kind, int length, Random random) {
    return switch (kind) {
      case CUT -> {
        int at = random.nextInt(4) == 0 ? random.nextInt(PAGE) : PAGE + random.nextInt(4 * PAGE);
        ByteBuffer buffer = cut.duplicate().position(at).limit(at + length);
        yield new HostileBuffer(kind, buffer, null, Math.max(0, PAGE - at));
      }
      case ARENA_CLOSED -> unusable(kind, closedArena, length, random);
      case ARENA_CONFINED -> unusable(kind, confined, length, random);
      default -> new HostileBuffer(BufferKind.NULL, null, null, 0);
    };
  }

  private static HostileBuffer unusable(
      BufferKind kind, @Nullable ByteBuffer memory, int length, Random random) {
    if (memory == null) {
      return new HostileBuffer(BufferKind.NULL, null, null, 0);
    }
    int at = random.nextInt(PAGE);
    ByteBuffer buffer = memory.duplicate().position(at).limit(at + length);
    return new HostileBuffer(kind, buffer, null, 0);
  }

  /** All the memory of a buffer that the hunt itself may write to and look at; else null. */
  private @Nullable ByteBuffer memory(BufferKind kind, Random random) {
    return switch (kind) {
      case HEAP -> ByteBuffer.allocate(ROOM);
      case HEAP_SLICE -> ByteBuffer.wrap(new byte[ROOM + 64], 1 + random.nextInt(63), ROOM).slice();
      case DIRECT -> direct.duplicate();
      case DIRECT_SLICE -> shared.slice(random.nextInt(PAGE), ROOM);
      case LITTLE_ENDIAN ->
          (random.nextBoolean() ? direct.duplicate() : ByteBuffer.allocate(ROOM))
              .order(ByteOrder.LITTLE_ENDIAN);
      case MAPPED -> mapped.duplicate();
      case MAPPED_PRIVATE -> privately.duplicate();
      case ARENA -> arena == null ? null : arena.duplicate();
      default -> null;
    };
  }

  private static void place(ByteBuffer memory, int length, Random random) {
    int at = random.nextInt(memory.capacity() - length + 1);
    memory.clear().position(at).limit(at + length);
  }

  private static final byte[] UNTOUCHED = new byte[ROOM];

  static {
    java.util.Arrays.fill(UNTOUCHED, HostileBuffer.UNTOUCHED);
  }

  private static void fill(ByteBuffer memory) {
    memory.clear().put(0, UNTOUCHED, 0, memory.capacity());
  }
}
