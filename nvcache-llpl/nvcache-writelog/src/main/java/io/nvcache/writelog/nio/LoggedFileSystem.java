// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The platform's file system, with writes below the roots of a log going through it. */
final class LoggedFileSystem extends FileSystem {
  private final WriteLogFileSystemProvider provider;
  private final FileSystem platform;
  private final boolean isDefault;

  LoggedFileSystem(WriteLogFileSystemProvider provider, FileSystem platform, boolean isDefault) {
    this.provider = provider;
    this.platform = platform;
    this.isDefault = isDefault;
  }

  /** Returns whether it is the JVM's default. */
  boolean isDefault() {
    return isDefault;
  }

  /** Returns the URI of a path whose URI on the platform is this. */
  URI uri(URI file) {
    return isDefault ? file : URI.create(provider.getScheme() + "://" + file.getRawPath());
  }

  Path wrap(Path path) {
    return new LoggedPath(this, path);
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  /** The default file system can't be closed; closing another one closes its log. */
  @Override
  public void close() throws IOException {
    if (isDefault) {
      throw new UnsupportedOperationException("the default file system can't be closed");
    }
    provider.closeLog();
  }

  @Override
  public boolean isOpen() {
    return isDefault || provider.isLogOpen();
  }

  @Override
  public boolean isReadOnly() {
    return platform.isReadOnly();
  }

  @Override
  public String getSeparator() {
    return platform.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    List<Path> roots = new ArrayList<>();
    platform.getRootDirectories().forEach(root -> roots.add(wrap(root)));
    return roots;
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return platform.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return platform.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return wrap(platform.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    PathMatcher matcher = platform.getPathMatcher(syntaxAndPattern);
    return path -> matcher.matches(WriteLogFileSystemProvider.platform(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return platform.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() throws IOException {
    return new LoggedWatchService(platform.newWatchService());
  }
}
