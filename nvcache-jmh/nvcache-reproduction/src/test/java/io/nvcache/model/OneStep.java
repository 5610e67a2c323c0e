// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.ModelMachine;

/** Somebody to charge, who does nothing else. */
public final class OneStep extends Activity {
  @Override
  public void proceed() {
    end();
  }

  /** Lets time pass until all charges are paid. */
  public void settle(ModelMachine machine) {
    resume();
    machine.run(Double.POSITIVE_INFINITY);
  }
}
