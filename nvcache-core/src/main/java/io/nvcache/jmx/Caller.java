// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.security.Principal;
import java.util.stream.Collectors;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/** The originator of the call that the current thread is in; the audit log has it. */
final class Caller {
  private Caller() {}

  /** Returns the authenticated user, if any, and the host of a remote call, or else the thread. */
  static String describe() {
    String user = user();
    String place = place();
    return user.isEmpty() ? place : user + " from " + place;
  }

  /** Returns whether the call comes over a JMX connection. */
  static boolean isRemote() {
    try {
      RemoteServer.getClientHost();
      return true;
    } catch (ServerNotActiveException e) {
      return false;
    }
  }

  private static String place() {
    try {
      return "host " + RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      return "thread " + Thread.currentThread().getName() + " of this JVM";
    }
  }

  private static String user() {
    Subject subject = subject();
    return subject == null
        ? ""
        : subject.getPrincipals().stream().map(Principal::getName).collect(Collectors.joining("+"));
  }

  /**
   * JDK 18 has {@code Subject.current}, which later ones support alone; before it there is the way
   * over the access control context, which later ones lack.
   */
  private static @Nullable Subject subject() {
    try {
      return (Subject) Subject.class.getMethod("current").invoke(null);
    } catch (NoSuchMethodException e) {
      return subjectOfAccessControl();
    } catch (IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }

  private static @Nullable Subject subjectOfAccessControl() {
    try {
      Class<?> context = Class.forName("java.security.AccessControlContext");
      Method current = Class.forName("java.security.AccessController").getMethod("getContext");
      return (Subject)
          Subject.class.getMethod("getSubject", context).invoke(null, current.invoke(null));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
