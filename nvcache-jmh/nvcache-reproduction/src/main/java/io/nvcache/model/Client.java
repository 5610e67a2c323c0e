// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.Source;
import io.nvcache.model.Store.Fetch;
import io.nvcache.model.load.ClientStep;
import io.nvcache.model.load.Tally;
import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.ModelMachine;
import org.jspecify.annotations.Nullable;

/** A thread that does one operation after the other. */
public final class Client extends Activity {
  private enum Step {
    REST,
    BEGIN,
    LOAD,
    VISITED
  }

  private final Store store;
  private final ModelMachine machine;
  private final MixSource source;
  private final Tally tally;
  private final double restSeconds;
  private final ClientStep operation = new ClientStep();
  private Step step = Step.REST;
  private double due;
  private int page;
  private int pagesLeft;
  private @Nullable Fetch fetch;

  /**
   * Makes a client.
   *
   * @param tally what to count operations in
   * @param restSeconds from the beginning of one operation to the next one's at least
   */
  public Client(
      Store store, ModelMachine machine, MixSource source, Tally tally, double restSeconds) {
    this.store = store;
    this.machine = machine;
    this.source = source;
    this.tally = tally;
    this.restSeconds = restSeconds;
  }

  @Override
  public void proceed() {
    switch (step) {
      case REST -> rest();
      case BEGIN -> begin();
      case LOAD -> load();
      case VISITED -> goOn();
    }
  }

  private void rest() {
    double now = machine.simulation().nowSeconds();
    if (restSeconds > 0) {
      due += restSeconds;
      pay(machine.simulation().delay(), due - now);
    }
    machine.compute(this, machine.parameters().operationSeconds());
    step = Step.BEGIN;
  }

  private void begin() {
    source.next(operation);
    page = operation.kind == ClientStep.Kind.INSERT ? store.pageOfNewRecord(this) : operation.page;
    pagesLeft = operation.pages;
    visit();
  }

  private void visit() {
    if (store.visit(page, this)) {
      apply();
    } else {
      fetch = store.fetch(page, this);
      step = Step.LOAD;
    }
  }

  private void load() {
    Fetch fetched = fetch;
    if (fetched != null) {
      boolean isFirst = pagesLeft == operation.pages;
      store.load(page, fetched, isFirst ? Source.READ : Source.SCAN, this);
    }
    apply();
  }

  private void apply() {
    if (operation.kind == ClientStep.Kind.UPDATE || operation.kind == ClientStep.Kind.INSERT) {
      store.change(page, this);
    }
    pagesLeft--;
    step = Step.VISITED;
  }

  private void goOn() {
    if (pagesLeft > 0) {
      page++;
      visit();
      return;
    }
    tally.count(operation.kind);
    step = Step.REST;
  }
}
