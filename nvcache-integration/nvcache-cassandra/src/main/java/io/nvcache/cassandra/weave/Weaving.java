// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import static net.bytebuddy.matcher.ElementMatchers.is;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import io.nvcache.cassandra.agent.CachedFile;
import io.nvcache.cassandra.agent.TaggedChannel;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.util.function.Function;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * Weaves the cache into the three classes of {@code org.apache.cassandra.io.util} through which
 * every buffered read of an SSTable goes, as they are loaded. Classes that are loaded already stay
 * as they are; an agent comes before all of Cassandra's.
 */
public final class Weaving {
  static final String CHANNEL = "org.apache.cassandra.io.util.ChannelProxy";
  static final String BUILDER = "org.apache.cassandra.io.util.FileHandle$Builder";
  static final String CLEANUP = "org.apache.cassandra.io.util.FileHandle$Cleanup";

  private static final String TAG = "nvcacheFile";

  private Weaving() {}

  /**
   * Makes the JVM weave.
   *
   * @param cassandra the loader of Cassandra's classes
   * @return what has become of it so far
   */
  public static WeavingReport install(Instrumentation instrumentation, ClassLoader cassandra) {
    WeavingReport report = new WeavingReport();
    new AgentBuilder.Default(new ByteBuddy())
        .with(AgentBuilder.TypeStrategy.Default.REDEFINE)
        .with(report)
        .type(named(CHANNEL), is(cassandra))
        .transform(change(Weaving::tagAndReadThrough))
        .type(named(BUILDER), is(cassandra))
        .transform(
            change(
                type ->
                    type.visit(
                        Advice.to(TagOnOpen.class)
                            .on(named("complete").and(takesArguments(Function.class))))))
        .type(named(CLEANUP), is(cassandra))
        .transform(
            change(
                type ->
                    type.visit(
                        Advice.to(ReleaseOnTidy.class).on(named("tidy").and(takesNoArguments())))))
        .installOn(instrumentation);
    return report;
  }

  private static DynamicType.Builder<?> tagAndReadThrough(DynamicType.Builder<?> type) {
    ElementMatcher.Junction<net.bytebuddy.description.method.MethodDescription> read =
        named("read");
    return type.defineField(TAG, CachedFile.class, Visibility.PRIVATE)
        .implement(TaggedChannel.class)
        .intercept(FieldAccessor.ofField(TAG))
        .visit(
            Advice.to(ReadThrough.class)
                .on(read.and(takesArguments(ByteBuffer.class, long.class))));
  }

  private static AgentBuilder.Transformer change(
      Function<DynamicType.Builder<?>, DynamicType.Builder<?>> change) {
    return (builder, type, loader, module, domain) -> change.apply(builder);
  }
}
