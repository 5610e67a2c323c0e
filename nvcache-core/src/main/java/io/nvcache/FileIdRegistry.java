// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;

/**
 * Gives each incarnation of a file a 64-bit id that is never used again, so that a block of a
 * deleted file can't answer for a new file of the same name.
 *
 * <p>Holds one entry for each live name. Thread-safe.
 */
public final class FileIdRegistry {
  private final ConcurrentMap<String, Long> ids = new ConcurrentHashMap<>();
  private final AtomicLong next = new AtomicLong(1);
  private final ObjLongConsumer<String> whenNew;

  /** Makes a registry without a name. */
  public FileIdRegistry() {
    this((name, id) -> {});
  }

  /**
   * Makes a registry that says when an incarnation begins, so that it can be {@linkplain
   * BlockCache#identify identified} before anybody has its id.
   *
   * @param whenNew called with each new id and its name, before {@link #idOf} returns it to
   *     anybody; must not use this registry
   */
  public FileIdRegistry(ObjLongConsumer<String> whenNew) {
    this.whenNew = Objects.requireNonNull(whenNew, "whenNew");
  }

  /**
   * Returns the id of the file that has this name now; a new one if the name is unknown or retired.
   */
  public long idOf(String name) {
    Long known = ids.get(Objects.requireNonNull(name, "name"));
    return known != null ? known : ids.computeIfAbsent(name, this::begin);
  }

  private long begin(String name) {
    long id = next.getAndIncrement();
    whenNew.accept(name, id);
    return id;
  }

  /** Returns the id of the file that has this name now; empty if the name is unknown or retired. */
  public OptionalLong find(String name) {
    Long id = ids.get(Objects.requireNonNull(name, "name"));
    return id == null ? OptionalLong.empty() : OptionalLong.of(id);
  }

  /** Returns whether the name still means this incarnation. */
  public boolean isCurrent(String name, long id) {
    Long known = ids.get(Objects.requireNonNull(name, "name"));
    return known != null && known == id;
  }

  /**
   * Ends one incarnation, unless the name means another one by now.
   *
   * @return whether it was ended
   */
  public boolean retire(String name, long id) {
    return ids.remove(Objects.requireNonNull(name, "name"), id);
  }

  /** Visits all live names; one that comes or goes during the visit may be visited or not. */
  public void forEach(ObjLongConsumer<String> visitor) {
    Objects.requireNonNull(visitor, "visitor");
    ids.forEach((name, id) -> visitor.accept(name, id));
  }

  /**
   * Ends the incarnation that has this name: the file was deleted or replaced.
   *
   * @return the id that ended, for {@link BlockCache#invalidateFile}; empty if the name is unknown
   */
  public OptionalLong retire(String name) {
    Long id = ids.remove(Objects.requireNonNull(name, "name"));
    return id == null ? OptionalLong.empty() : OptionalLong.of(id);
  }

  /** Returns how many names are live. */
  public int size() {
    return ids.size();
  }
}
