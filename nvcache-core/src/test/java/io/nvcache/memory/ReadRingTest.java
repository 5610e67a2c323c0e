// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads by io_uring of a kernel that fails as a test has it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class ReadRingTest {
  private static final int LENGTH = 64;
  private static final Path PATH = Path.of("file");
  private static final int EPERM = 1;
  private static final int EIO = 5;
  private static final int ENOSYS = 38;

  private static final long SEED = 1;

  private final FakeUring kernel = new FakeUring(SEED);
  private final OffHeapBytes memory = OffHeapBytes.zeroed((long) ReadRing.MOST * LENGTH, 64);
  private ReadRings rings;
  private ReadRing ring;

  @BeforeEach
  void open() throws IOException {
    rings = ReadRings.open(kernel, PATH);
    ring = rings.take();
  }

  @AfterEach
  void close() {
    if (ring != null) {
      rings.giveBack(ring);
    }
    rings.close();
    assertThat(kernel.rings).isEmpty();
    memory.close();
  }

  private long address(int number) {
    return memory.address() + (long) number * LENGTH;
  }

  private static long position(int number) {
    return 4096L * (number + 1);
  }

  private void add(int count) {
    ring.clear();
    RawMemory.fill(memory.address(), memory.sizeBytes(), (byte) 0);
    for (int i = 0; i < count; i++) {
      ring.add(position(i), address(i), LENGTH);
    }
  }

  private void assertRead(int number) {
    assertThat(ring.isRead(number)).as("read %d", number).isTrue();
    for (int i = 0; i < LENGTH; i++) {
      assertThat(RawMemory.getByte(address(number) + i))
          .isEqualTo(FakeUring.byteAt(position(number) + i));
    }
  }

  private void assertAllRead(int count) {
    for (int i = 0; i < count; i++) {
      assertRead(i);
    }
  }

  @Test
  void shouldReadAllWithOneCallOfTheKernel() {
    for (int round = 0; round < 20; round++) { // Round the rings, past their ends.
      add(37);
      int before = kernel.entries;
      ring.read();
      assertThat(kernel.entries).isEqualTo(before + 1);
      assertAllRead(37);
    }
  }

  @Test
  void shouldTakeAsManyAsThereAreAndNoMore() {
    add(ReadRing.MOST);
    assertThat(ring.isFull()).isTrue();
    assertThatThrownBy(() -> ring.add(0, address(0), LENGTH))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("64 reads");
    ring.read();
    assertAllRead(ReadRing.MOST);
  }

  @Test
  void shouldTellWhichReadsFailedOrWereShort() {
    kernel.faults.put(position(1), -EIO);
    kernel.faults.put(position(3), LENGTH / 2);
    kernel.faults.put(position(4), 0);
    add(6);
    ring.read();
    for (int i = 0; i < 6; i++) {
      assertThat(ring.isRead(i)).isEqualTo(i != 1 && i != 3 && i != 4);
    }
    assertThat(ring.result(1)).isEqualTo("error 5");
    assertThat(ring.result(3)).isEqualTo("32 bytes");
    assertThat(ring.isUsable()).isTrue();
  }

  @Test
  void shouldGoOnWaitingAfterSignals() {
    kernel.script.add((its, taken, complete) -> -UringCalls.EINTR); // Before it takes any.
    kernel.script.add(
        (its, taken, complete) -> {
          its.take(taken);
          its.complete(2);
          return taken; // As the kernel does if a signal comes while it waits.
        });
    for (int i = 0; i < 20; i++) {
      kernel.script.add((its, taken, complete) -> -UringCalls.EINTR);
    }
    add(8);
    ring.read();
    assertAllRead(8);
    assertThat(kernel.script).isEmpty();
  }

  @Test
  void shouldHandOverTheRestIfTheKernelTakesAFew() {
    for (int i = 0; i < 8; i++) {
      kernel.script.add(
          (its, taken, complete) -> {
            its.take(1);
            return 1;
          });
    }
    add(8);
    ring.read();
    assertAllRead(8);
  }

  @ParameterizedTest
  @ValueSource(ints = {UringCalls.EAGAIN, UringCalls.EBUSY})
  void shouldTryAgainWhileTheKernelIsShortOfSomething(int error) {
    for (int i = 0; i < 5; i++) {
      kernel.script.add((its, taken, complete) -> -error);
    }
    add(4);
    ring.read();
    assertAllRead(4);
    assertThat(ring.isUsable()).isTrue();
  }

  /** What was taken back must not be read by the next call, into buffers that others have. */
  @ParameterizedTest
  @ValueSource(ints = {UringCalls.EAGAIN, UringCalls.EBUSY, UringCalls.EINTR, 0})
  void shouldTakeBackWhatTheKernelNeverTakes(int error) {
    kernel.script.add(
        (its, taken, complete) -> {
          its.take(3);
          return 3;
        });
    for (int i = 0; i < 100; i++) {
      kernel.script.add(
          (its, taken, complete) -> {
            its.complete(1);
            return -error;
          });
    }
    add(8);
    ring.read();
    for (int i = 0; i < 8; i++) {
      assertThat(ring.isRead(i)).isEqualTo(i < 3);
    }
    assertThat(ring.result(7)).isEqualTo("the kernel did not take it");
    kernel.script.clear();

    add(5);
    ring.read();
    assertAllRead(5);
    assertThat(RawMemory.getByte(address(5))).isZero();
  }

  @Test
  void shouldUseNoRingAgainThatTheKernelRefuses() {
    kernel.script.add((its, taken, complete) -> -EPERM);
    add(3);
    ring.read();
    assertThat(ring.isRead(0)).isFalse();
    assertThat(ring.isUsable()).isFalse();
    ReadRing refused = ring;
    rings.giveBack(refused);

    ring = rings.take();
    assertThat(ring).isNotSameAs(refused);
    add(3);
    ring.read();
    assertAllRead(3);
  }

  /** Or the buffers would be another's when the kernel writes to them. */
  @Test
  void shouldNotReturnWhileReadsAreUnderWayWhateverFails() {
    kernel.script.add(
        (its, taken, complete) -> {
          its.take(taken);
          return -EIO;
        });
    for (int i = 0; i < 50; i++) {
      kernel.script.add((its, taken, complete) -> -EIO);
    }
    Thread.currentThread().interrupt(); // Is kept, and has it not spin.
    add(6);
    ring.read();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(kernel.script).isEmpty();
    assertAllRead(6);
    assertThat(ring.isUsable()).isFalse();
  }

  @Test
  void shouldIgnoreCompletionsOfNoReadOfTheCall() {
    kernel.script.add(
        (its, taken, complete) -> {
          its.take(taken);
          its.post(0x7777_0000_0001L, LENGTH);
          its.post(-1, LENGTH);
          its.complete(1);
          return taken;
        });
    add(4);
    ring.read();
    assertAllRead(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {EPERM, ENOSYS})
  void shouldSayWhyTheKernelRefusesAndOpenNothing(int error) {
    kernel.setupError = error;
    kernel.closed.clear();
    assertThatThrownBy(() -> ReadRings.open(kernel, PATH))
        .isInstanceOf(IOException.class)
        .hasMessage("the kernel refuses io_uring: error " + error);
    assertThat(kernel.closed).isEmpty();
  }

  @Test
  void shouldRefuseAnOlderKernel() {
    kernel.features = 1;
    assertThatThrownBy(() -> ReadRings.open(kernel, PATH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("5.6 or later");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldLeaveNothingOpenIfMemoryCanNotBeMapped(int mapping) throws IOException {
    FakeUring poor = new FakeUring(SEED);
    poor.failedMapping = mapping;
    assertThatThrownBy(() -> ReadRings.open(poor, PATH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("error 12");
    assertThat(poor.rings).isEmpty();
    assertThat(poor.closed).hasSize(1);
  }

  @Test
  void shouldSayIfTheKernelKnowsNoReads() {
    kernel.faults.put(0L, -22);
    assertThatThrownBy(() -> rings.probe(0, address(0), LENGTH))
        .isInstanceOf(IOException.class)
        .hasMessage("a read by io_uring failed: error 22");
    kernel.faults.clear();
    assertThat(kernel.rings).hasSize(1);
  }

  @Test
  void shouldLendAsManyRingsAsThereMayBe() {
    ReadRing[] lent = new ReadRing[ReadRings.MOST - 1];
    for (int i = 0; i < lent.length; i++) {
      lent[i] = rings.take();
      assertThat(lent[i]).isNotNull();
    }
    assertThat(rings.take()).isNull();
    rings.giveBack(lent[5]);
    assertThat(rings.take()).isSameAs(lent[5]);
    kernel.setupError = 24;
    assertThat(rings.take()).isNull();
    for (ReadRing each : lent) {
      rings.giveBack(each);
    }
    assertThat(kernel.rings).hasSize(ReadRings.MOST);
  }

  @Test
  void shouldReadRightWhateverTheKernelDoes() {
    Seeds.each(3000, this::readOnce);
  }

  private void readOnce(Random random) {
    int count = 1 + random.nextInt(ReadRing.MOST);
    kernel.faults.clear();
    kernel.script.clear();
    for (int i = random.nextInt(4); i > 0; i--) {
      kernel.faults.put(position(random.nextInt(count)), random.nextInt(LENGTH) - LENGTH / 2);
    }
    for (int i = random.nextInt(12); i > 0; i--) {
      int takes = random.nextInt(count + 1);
      int completes = random.nextInt(count + 1);
      int answer = new int[] {0, -UringCalls.EINTR, -UringCalls.EAGAIN, takes}[random.nextInt(4)];
      kernel.script.add(
          (its, taken, complete) -> {
            its.take(Math.min(taken, takes));
            its.complete(completes);
            return answer;
          });
    }
    add(count);
    ring.read();
    for (int i = 0; i < count; i++) {
      if (ring.isRead(i)) {
        assertRead(i);
      }
      assertThat(ring.isRead(i) && kernel.faults.containsKey(position(i))).isFalse();
    }
    for (int i = count; i < ReadRing.MOST; i++) {
      assertThat(RawMemory.getLong(address(i))).isZero();
    }
    assertThat(kernel.rings.values()).allMatch(its -> its.underWay.isEmpty());
  }
}
