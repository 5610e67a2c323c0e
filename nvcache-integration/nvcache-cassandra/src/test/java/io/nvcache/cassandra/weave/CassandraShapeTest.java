// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.MemberRemoval;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CassandraShapeTest {
  private static final String VERSION_FILE = "org/apache/cassandra/config/version.properties";

  /** The Cassandra of the class path with some of its files replaced. */
  private static final class Replaced extends ClassLoader {
    private final Map<String, byte[]> files = new HashMap<>();

    private Replaced() {
      super(CassandraShapeTest.class.getClassLoader());
    }

    private Replaced version(String version) {
      String text = "CassandraVersion=" + version + "\n";
      files.put(VERSION_FILE, text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    }

    private void type(String name, byte[] classFile) {
      files.put(name.replace('.', '/') + ".class", classFile);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      byte[] replaced = files.get(name);
      return replaced == null
          ? super.getResourceAsStream(name)
          : new ByteArrayInputStream(replaced);
    }
  }

  private static DynamicType.Builder<?> redefine(String className) {
    ClassFileLocator files =
        ClassFileLocator.ForClassLoader.of(CassandraShapeTest.class.getClassLoader());
    return new ByteBuddy()
        .redefine(TypePool.Default.of(files).describe(className).resolve(), files);
  }

  @Test
  void shouldKnowTheCassandraItIsCompiledAgainst() {
    CassandraShape shape = new CassandraShape(CassandraShapeTest.class.getClassLoader());
    assertThat(shape.version()).isEqualTo("5.0.2");
    assertThat(shape.problem()).isNull();
    assertThat(shape.heatProblem()).isNull();
  }

  @Test
  void shouldRefuseWhereThereIsNoCassandra() {
    CassandraShape shape = new CassandraShape(ClassLoader.getPlatformClassLoader());
    assertThat(shape.problem()).isEqualTo("there is no Cassandra on the class path");
  }

  @ParameterizedTest
  @CsvSource({"4.1.7", "6.0-alpha2", "5.1-alpha1"})
  void shouldRefuseAnotherLineOfReleases(String version) {
    assertThat(new CassandraShape(new Replaced().version(version)).problem())
        .isEqualTo("this is Cassandra " + version + "; the agent is made for 5.0.x");
  }

  @Test
  void shouldAcceptALaterReleaseOfTheSameShape() {
    assertThat(new CassandraShape(new Replaced().version("5.0.99-SNAPSHOT")).problem()).isNull();
  }

  @Test
  void shouldRefuseAReleaseWithoutAFieldThatTheWovenCodeReads() {
    Replaced cassandra = new Replaced();
    cassandra.type(
        Weaving.BUILDER,
        redefine(Weaving.BUILDER)
            .visit(new MemberRemoval().stripFields(ElementMatchers.named("mmapped")))
            .make()
            .getBytes());
    assertThat(new CassandraShape(cassandra).problem())
        .isEqualTo("Cassandra 5.0.2 has no " + Weaving.BUILDER + ".mmapped Z");
  }

  @Test
  void shouldRefuseAReleaseWhoseMethodHasAnotherType() {
    Replaced cassandra = new Replaced();
    cassandra.type(
        Weaving.CHANNEL,
        new ByteBuddy()
            .subclass(Object.class)
            .name(Weaving.CHANNEL)
            .defineMethod("read", long.class, Visibility.PUBLIC)
            .withParameters(ByteBuffer.class, long.class)
            .intercept(FixedValue.value(0L))
            .make()
            .getBytes());
    assertThat(new CassandraShape(cassandra).problem())
        .isEqualTo("Cassandra 5.0.2 has no " + Weaving.CHANNEL + ".read (Ljava/nio/ByteBuffer;J)I");
  }

  @ParameterizedTest
  @CsvSource({
    Weaving.CHUNK_WRITER + ", chunkOffset, chunkOffset J",
    Weaving.TABLE_WRITER
        + ", dataWriter, dataWriter Lorg/apache/cassandra/io/util/SequentialWriter;",
  })
  void shouldGoWithoutHeatOnAReleaseWithoutAFieldThatHeatIsFollowedBy(
      String type, String name, String missing) {
    assertGoesWithoutHeat(
        type, new MemberRemoval().stripFields(ElementMatchers.named(name)), missing);
  }

  @ParameterizedTest
  @CsvSource({
    Weaving.COMPACTION + ", runMayThrow, runMayThrow ()V",
    Weaving.CHUNKS
        + ", chunkFor, chunkFor (J)Lorg/apache/cassandra/io/compress/CompressionMetadata$Chunk;",
  })
  void shouldGoWithoutHeatOnAReleaseWithoutAMethodThatHeatIsFollowedBy(
      String type, String name, String missing) {
    assertGoesWithoutHeat(
        type, new MemberRemoval().stripMethods(ElementMatchers.named(name)), missing);
  }

  private static void assertGoesWithoutHeat(String type, MemberRemoval removal, String missing) {
    Replaced cassandra = new Replaced();
    cassandra.type(type, redefine(type).visit(removal).make().getBytes());
    CassandraShape shape = new CassandraShape(cassandra);
    assertThat(shape.problem()).as("of the cache itself").isNull();
    assertThat(shape.heatProblem()).isEqualTo("Cassandra 5.0.2 has no " + type + "." + missing);
  }
}
