// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

/** Hears of a log's conditions, on the thread that drains it; what it throws is logged. */
public interface WriteLogListener {
  /** Called once when a condition begins. */
  void begun(WriteLogCondition condition, String reason);

  /** Called once when a condition has ended. */
  void ended(WriteLogCondition condition);
}
