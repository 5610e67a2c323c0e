// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.Watchable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The platform's watch service, whose keys and events speak of logged paths. */
final class LoggedWatchService implements WatchService {
  private final WatchService platform;
  private final Map<WatchKey, Key> keys = new HashMap<>();

  LoggedWatchService(WatchService platform) {
    this.platform = platform;
  }

  WatchKey register(LoggedPath path, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
      throws IOException {
    synchronized (keys) { // An event may come before the key is known here.
      WatchKey key = path.platform().register(platform, events, modifiers);
      return keys.computeIfAbsent(key, k -> new Key(k, path));
    }
  }

  @Override
  public void close() throws IOException {
    platform.close();
  }

  @Override
  public @Nullable WatchKey poll() {
    return wrap(platform.poll());
  }

  @Override
  public @Nullable WatchKey poll(long timeout, TimeUnit unit) throws InterruptedException {
    return wrap(platform.poll(timeout, unit));
  }

  @Override
  public WatchKey take() throws InterruptedException {
    while (true) {
      WatchKey key = wrap(platform.take());
      if (key != null) {
        return key;
      }
    }
  }

  private @Nullable WatchKey wrap(@Nullable WatchKey key) {
    if (key == null) {
      return null;
    }
    synchronized (keys) {
      return keys.get(key);
    }
  }

  private record Key(WatchKey key, LoggedPath path) implements WatchKey {
    @Override
    public boolean isValid() {
      return key.isValid();
    }

    @Override
    public List<WatchEvent<?>> pollEvents() {
      return key.pollEvents().stream().<WatchEvent<?>>map(e -> Event.of(e, path)).toList();
    }

    @Override
    public boolean reset() {
      return key.reset();
    }

    @Override
    public void cancel() {
      key.cancel();
    }

    @Override
    public Watchable watchable() {
      return path;
    }
  }

  private record Event<T>(WatchEvent<T> event, @Nullable T context) implements WatchEvent<T> {
    @SuppressWarnings("unchecked") // what is a path of the platform becomes one of ours
    private static <T> WatchEvent<T> of(WatchEvent<T> event, LoggedPath directory) {
      T context = event.context();
      if (context instanceof Path name) {
        context = (T) ((LoggedFileSystem) directory.getFileSystem()).wrap(name);
      }
      return new Event<>(event, context);
    }

    @Override
    public Kind<T> kind() {
      return event.kind();
    }

    @Override
    public int count() {
      return event.count();
    }
  }
}
