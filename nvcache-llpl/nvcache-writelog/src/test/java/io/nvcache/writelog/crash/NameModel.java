// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import io.nvcache.writelog.log.NameChanges;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What must be there after a crash, by what POSIX, the JDK and the log promise. Names are a history
 * of states, of which an end is not durable yet: after a loss of power one of these states is
 * there, after a kill the last one. Whatever name leads to a file, it holds what was acknowledged.
 *
 * <p>Promises that reach up to a state: the force of a directory; a change of a name through the
 * log; the first write of a created file; and a force, where a file was deleted that got its first
 * bytes since the last drain.
 */
final class NameModel {
  /** Where the bytes are of files that left the roots. */
  enum Saved {
    /** In the files. */
    NOWHERE,
    /** There are orphans. */
    IN_ORPHANS,
    /** The page cache had them after a kill, and the power went before the system wrote them. */
    PERHAPS
  }

  /** A file, whatever its names are. */
  static final class Node {
    private FileModel content = new FileModel();
    private @Nullable FileModel underWay;
    private final long birth;
    private final int createdAt;

    /** The number of the last record before the first of this file. */
    private long before = Long.MAX_VALUE;

    private Node(int createdAt, long birth) {
      this.createdAt = createdAt;
      this.birth = birth;
    }

    long birth() {
      return birth;
    }

    /** It is mapped, and leaves the log. */
    void left() {
      before = Long.MAX_VALUE - 1;
    }

    FileModel content() {
      return content;
    }

    /** A write begins: after a crash its bytes may be there. */
    void begin(FileModel after) {
      underWay = after;
    }

    void end(FileModel after) {
      content = after;
      underWay = null;
    }

    private @Nullable String fault(byte[] actual) {
      String wrong = content.fault(actual);
      String after = underWay == null || wrong == null ? wrong : underWay.fault(actual);
      return after == null ? null : wrong;
    }
  }

  private final List<Map<Path, Node>> states = new ArrayList<>(List.of(Map.of()));
  private int promised;

  /** The last state that a force of the directory made durable. */
  private int forced;

  private boolean underWay;
  private @Nullable Path stranger;

  int now() {
    return states.size() - 1;
  }

  private Map<Path, Node> names() {
    return states.get(now());
  }

  @Nullable Node at(Path path) {
    return names().get(path);
  }

  Node newNode(long birth) {
    return new Node(states.size(), birth);
  }

  Map<Path, Node> with(Path path, Node node) {
    Map<Path, Node> after = new TreeMap<>(names());
    after.put(path, node);
    return after;
  }

  Map<Path, Node> without(Path path) {
    Map<Path, Node> after = new TreeMap<>(names());
    after.remove(path);
    return after;
  }

  Map<Path, Node> moved(Path from, Path to) {
    Map<Path, Node> after = new TreeMap<>(names());
    Node node = after.remove(from);
    if (node != null) {
      after.put(to, node);
    }
    return after;
  }

  /** A change of names: a crash meanwhile finds the state before it or after it. */
  void change(Map<Path, Node> after, NameChanges.Change action) throws IOException {
    states.add(after);
    underWay = true;
    action.run();
    underWay = false;
  }

  /** The states before this one can't be there after a crash. */
  void promise(int state) {
    promised = Math.max(promised, state);
  }

  /** The directory was forced. */
  void forced() {
    promise(now());
    forced = now();
  }

  /** A file has got bytes through the log. */
  void written(Node node, long before) {
    if (node.before == Long.MAX_VALUE) {
      node.before = before;
    }
    promise(node.createdAt);
  }

  /** Returns the state that a force makes durable: of files that are new to the log. */
  int promiseOfForce(long drained) {
    int promise = promised;
    for (int state = promised + 1; state < states.size(); state++) {
      for (Map.Entry<Path, Node> name : states.get(state - 1).entrySet()) {
        Node node = name.getValue();
        boolean isYoung = node.before < Long.MAX_VALUE - 1 && node.before >= drained;
        if (isYoung && states.get(state).get(name.getKey()) != node && !isAnywhere(node)) {
          promise = state;
        }
      }
    }
    return promise;
  }

  private boolean isAnywhere(Node node) {
    return names().containsValue(node);
  }

  /** A file that no program of this model made. */
  void stranger(Path path) {
    stranger = path;
  }

  /** Returns what is wrong on a disk; null if nothing is. */
  @Nullable String fault(CrashDisk disk, boolean killed, Saved saved) {
    Map<Path, Long> actual = new TreeMap<>(disk.births());
    actual.keySet().removeIf(path -> path.startsWith(NamesRun.ORPHANS) || path.equals(stranger));
    int first = killed ? now() - (underWay ? 1 : 0) : promised;
    String wrong = null;
    for (int state = now(); state >= first; state--) {
      if (births(states.get(state)).equals(actual)) {
        String fault = contents(disk, states.get(state), saved);
        if (fault == null) {
          return null;
        }
        wrong = fault;
      }
    }
    if (wrong != null) {
      return wrong;
    }
    List<Map<Path, Long>> allowed = new ArrayList<>();
    states.subList(first, states.size()).forEach(state -> allowed.add(births(state)));
    return "the names are " + actual + ", and one of these was promised: " + allowed;
  }

  private Map<Path, Long> births(Map<Path, Node> names) {
    Map<Path, Long> births = new TreeMap<>();
    names.forEach((path, node) -> births.put(path, node.birth));
    births.remove(stranger == null ? Path.of("/") : stranger);
    return births;
  }

  private @Nullable String contents(CrashDisk disk, Map<Path, Node> names, Saved saved) {
    for (Map.Entry<Path, Node> name : names.entrySet()) {
      byte[] bytes = disk.read(name.getKey());
      String wrong =
          bytes == null || name.getKey().equals(stranger) ? null : name.getValue().fault(bytes);
      boolean isSaved = saved != Saved.NOWHERE && !name.getKey().startsWith(NamesRun.ROOT);
      if (wrong != null && !isSaved) {
        return name.getKey() + ": " + wrong;
      }
    }
    Set<Node> gone = new HashSet<>();
    states.subList(forced, states.size()).forEach(state -> gone.addAll(state.values()));
    boolean mayBeGone =
        gone.stream()
            .anyMatch(
                node ->
                    names.entrySet().stream()
                        .noneMatch(
                            name ->
                                name.getValue() == node
                                    && name.getKey().startsWith(NamesRun.ROOT)));
    return saved == Saved.IN_ORPHANS && !mayBeGone
        ? "there are orphans, and all files have their names"
        : null;
  }

  /** Begins another life with what is on the disk. */
  void begin(CrashDisk disk) {
    Map<Long, Node> nodes = new HashMap<>();
    Map<Path, Node> names = new TreeMap<>();
    disk.births()
        .forEach(
            (path, birth) -> {
              if (!path.startsWith(NamesRun.ORPHANS)) {
                Node node = nodes.computeIfAbsent(birth, number -> new Node(0, birth));
                node.content = FileModel.of(Objects.requireNonNull(disk.read(path)));
                names.put(path, node);
              }
            });
    states.clear();
    states.add(names);
    promised = 0;
    forced = 0;
    underWay = false;
    stranger = null;
  }
}
