import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/** A reason that is applied only right before a message leaves, and whom it leaves out at present. */
export interface LateReason {
  /** Code of the reason. It becomes part of the SQL unescaped. */
  code: string;
  /** SQL condition on the judged addresses `j`: the reason can apply to them. */
  only: string;
  /** SQL of the addresses that the reason leaves out. Column: email_hash. */
  addresses: SqlPart;
}

/**
 * Registry of reasons that leave people out right before their message leaves. Forecasts count them. Modules register
 * their reasons at start, in the order in which workers apply them.
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
