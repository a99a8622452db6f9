import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/** A reason that is applied only when a message is about to leave, and whom it leaves out now. */
export interface LateReason {
  /** Code of the reason; written into the statement without quotes. */
  code: string;
  /** SQL condition: the judged addresses `j` to which the reason can apply. */
  only: string;
  /** SQL of the addresses that it leaves out now. Column: email_hash. */
  addresses: SqlPart;
}

/**
 * Registry of the reasons that leave people out when their message is about to leave. Forecasts count them. Modules register theirs at start, in
 * the order in which workers apply them.
 */
@Injectable()
export class LateReasons {
  private readonly reasons: ((userId: string) => LateReason)[] = [];

  add(reason: (userId: string) => LateReason): void {
    this.reasons.push(reason);
  }

  of(userId: string): LateReason[] {
    return this.reasons.map((reason) => reason(userId));
  }
}
