import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/** A reason to leave people out that is applied when a message is about to leave, as a forecast knows it now. */
export interface ForecastPart {
  /** The reason; a name without quotes. */
  code: string;
  /** Condition over the judged address `j` that it is about. */
  only: string;
  /** SQL of the addresses that it leaves out. Column: email_hash. */
  addresses: SqlPart;
}

/** Reasons to leave people out at sending. Modules that have one register it at start, in the order in which workers apply them. */
@Injectable()
export class ForecastParts {
  private readonly parts: ((userId: string) => ForecastPart)[] = [];

  add(part: (userId: string) => ForecastPart): void {
    this.parts.push(part);
  }

  of(userId: string): ForecastPart[] {
    return this.parts.map((part) => part(userId));
  }
}
