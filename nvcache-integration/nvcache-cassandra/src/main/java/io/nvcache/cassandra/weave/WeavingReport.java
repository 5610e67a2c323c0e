// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/** A report on which classes were woven, and what went wrong. Thread-safe. */
public final class WeavingReport extends AgentBuilder.Listener.Adapter {
  private static final List<String> WANTED =
      List.of(Weaving.CHANNEL, Weaving.BUILDER, Weaving.CLEANUP);

  private static final List<String> WANTED_FOR_HEAT =
      List.of(
          Weaving.COMPACTION,
          Weaving.CHUNKS,
          Weaving.TABLE_WRITER,
          Weaving.CHUNK_WRITER,
          Weaving.QUERY);

  private final Set<String> woven = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String failure;
  private volatile @Nullable String heatFailure;

  WeavingReport() {}

  @Override
  public void onTransformation(
      TypeDescription type,
      @Nullable ClassLoader loader,
      @Nullable JavaModule module,
      boolean loaded,
      DynamicType dynamicType) {
    woven.add(type.getName());
  }

  @Override
  public void onError(
      String typeName,
      @Nullable ClassLoader loader,
      @Nullable JavaModule module,
      boolean loaded,
      Throwable error) {
    if (WANTED.contains(typeName)) {
      failure = typeName + " could not be woven: " + error;
    } else if (WANTED_FOR_HEAT.contains(typeName)) {
      heatFailure = typeName + " could not be woven: " + error;
    }
  }

  /**
   * Returns what keeps the heat of compactions from being followed, as far as it is known: classes
   * that are not loaded yet are woven later. Null if all is well.
   */
  public @Nullable String heatProblem() {
    return heatFailure;
  }

  /**
   * Returns what keeps the cache from working, now that a first data file was opened and all three
   * classes must be loaded; null if all is well.
   */
  public @Nullable String problem() {
    if (failure != null) {
      return failure;
    }
    return WANTED.stream()
        .filter(name -> !woven.contains(name))
        .findFirst()
        .map(name -> name + " was not woven: it was loaded before the agent, or by another loader")
        .orElse(null);
  }
}
