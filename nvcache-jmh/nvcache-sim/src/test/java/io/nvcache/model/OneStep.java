// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

/** Somebody to charge, who does nothing else. */
final class OneStep extends Activity {
  @Override
  void proceed() {
    end();
  }

  /** Lets time pass until all charges are paid. */
  void settle(ModelMachine machine) {
    resume();
    machine.run(Double.POSITIVE_INFINITY);
  }
}
