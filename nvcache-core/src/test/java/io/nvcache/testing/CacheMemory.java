// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import io.nvcache.memory.OffHeapBytes;
import io.nvcache.memory.RawMemory;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * All memory that a cache keeps, on the heap and off it, copied at one moment: what its objects'
 * fields hold, its arrays, and its {@link OffHeapBytes}, the medium's among them. Found by walking
 * from the cache through the fields of its classes, so that it does not depend on how those are
 * laid out; of other classes, collections, atomics and arrays are looked into.
 */
public final class CacheMemory {
  private static final String OWN_PACKAGE = "io.nvcache";

  private final Map<String, Object> contents = new LinkedHashMap<>();
  private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());

  private CacheMemory() {}

  /** Copies what is reachable from the cache. No other thread may change it meanwhile. */
  public static CacheMemory of(Object cache) {
    CacheMemory memory = new CacheMemory();
    memory.visit(cache.getClass().getSimpleName(), cache);
    return memory;
  }

  /** How many places were copied; of arrays and off-heap memory each byte or element is one. */
  public long places() {
    return contents.values().stream().mapToLong(CacheMemory::length).sum();
  }

  private static long length(Object content) {
    return content.getClass().isArray() ? Array.getLength(content) : 1;
  }

  /** What differs from a later copy: by the path to it, the indexes that changed, 0 for a field. */
  public Map<String, List<Integer>> changesUntil(CacheMemory later) {
    Map<String, List<Integer>> changes = new TreeMap<>();
    for (Map.Entry<String, Object> before : contents.entrySet()) {
      Object after = later.contents.get(before.getKey());
      List<Integer> changed = changed(before.getValue(), after);
      if (!changed.isEmpty()) {
        changes.put(before.getKey(), changed);
      }
    }
    later.contents.keySet().stream()
        .filter(path -> !contents.containsKey(path))
        .forEach(path -> changes.put(path, List.of(0)));
    return changes;
  }

  private static List<Integer> changed(Object before, Object after) {
    if (after == null
        || before.getClass() != after.getClass()
        || length(before) != length(after)
        || !before.getClass().isArray()) {
      return before.equals(after) ? List.of() : List.of(0);
    }
    return IntStream.range(0, Array.getLength(before))
        .filter(i -> !Array.get(before, i).equals(Array.get(after, i)))
        .boxed()
        .toList();
  }

  private void visit(String path, Object object) {
    if (object == null || object instanceof Enum || object instanceof Class) {
      return;
    }
    Class<?> type = object.getClass();
    if (object instanceof String || (object instanceof Number && !isAtomic(type))) {
      contents.put(path, object);
    } else if (isAtomic(type) && !holdsReferences(object)) {
      contents.put(path, object.toString());
    } else if (visited.add(object)) {
      look(path, object, type);
    }
  }

  private static boolean isAtomic(Class<?> type) {
    return type.getPackageName().equals("java.util.concurrent.atomic");
  }

  private static boolean holdsReferences(Object atomic) {
    return atomic instanceof AtomicReference || atomic instanceof AtomicReferenceArray;
  }

  private void look(String path, Object object, Class<?> type) {
    if (object instanceof OffHeapBytes bytes) {
      contents.put(path, copy(bytes));
    } else if (type.isArray() && type.getComponentType().isPrimitive()) {
      contents.put(path, copy(object));
    } else if (object instanceof Object[] array) {
      for (int i = 0; i < array.length; i++) {
        visit(path + "[" + i + "]", array[i]);
      }
    } else if (object instanceof AtomicReference<?> reference) {
      visit(path + ".get", reference.get());
    } else if (object instanceof AtomicReferenceArray<?> references) {
      for (int i = 0; i < references.length(); i++) {
        if (references.get(i) != null) {
          String place = path + "[" + i + "]";
          contents.put(place + "@", System.identityHashCode(references.get(i)));
          visit(place, references.get(i));
        }
      }
    } else if (object instanceof Map<?, ?> map) {
      map.forEach((key, value) -> visit(path + "{" + key + "}", value));
      contents.put(path + ".size", map.size());
    } else if (object instanceof Collection<?> collection) {
      int i = 0;
      for (Object element : collection) {
        visit(path + "(" + i++ + ")", element);
      }
      contents.put(path + ".size", collection.size());
    } else if (type.getName().startsWith(OWN_PACKAGE)) {
      lookIntoFields(path, object, type);
    }
  }

  private void lookIntoFields(String path, Object object, Class<?> type) {
    for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
      for (Field field : part.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && part.getName().startsWith(OWN_PACKAGE)) {
          String place = path + "." + field.getName();
          Object value = value(field, object);
          if (field.getType().isPrimitive()) {
            contents.put(place, value);
          } else {
            // Another object in the same place is a change even if it looks like the one before.
            contents.put(place + "@", System.identityHashCode(value));
            visit(place, value);
          }
        }
      }
    }
  }

  private static Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a field can't be read", e);
    }
  }

  private static byte[] copy(OffHeapBytes bytes) {
    byte[] copy = new byte[(int) bytes.sizeBytes()];
    RawMemory.copyOut(bytes.address(), ByteBuffer.wrap(copy), copy.length);
    return copy;
  }

  private static Object copy(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }
}
