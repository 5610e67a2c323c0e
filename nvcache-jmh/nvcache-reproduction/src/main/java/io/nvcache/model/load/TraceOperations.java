// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

import io.nvcache.Source;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceOp;

/** The requests of a trace, one after the other, to whichever client asks next. */
public final class TraceOperations implements OperationSource {
  private final Trace trace;
  private int next;

  public TraceOperations(Trace trace) {
    this.trace = trace;
  }

  @Override
  public void next(ClientStep operation) {
    while (next < trace.records() && trace.op(next).isOfRewrite()) {
      next++; // The model rewrites no files.
    }
    if (next == trace.records()) {
      operation.kind = ClientStep.Kind.END;
      return;
    }
    int record = next++;
    operation.page = trace.block(record);
    operation.pages = 1;
    operation.source = trace.op(record) == TraceOp.SCAN ? Source.SCAN : Source.READ;
    operation.kind =
        switch (trace.op(record)) {
          case READ -> ClientStep.Kind.READ;
          case SCAN -> ClientStep.Kind.SCAN;
          case WRITE -> ClientStep.Kind.WRITE;
          case FREE -> ClientStep.Kind.FREE;
          case REWRITE_READ, REWRITE_WROTE, REWRITE_END -> throw new AssertionError(record);
        };
  }
}
