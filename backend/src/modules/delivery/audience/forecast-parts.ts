import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/** The current state of a reason that is applied when a message is about to leave, for a forecast. */
export interface ForecastPart {
  /** Code of the reason; written into the statement without quotes. */
  code: string;
  /** SQL condition: the judged addresses `j` to which the reason can apply. */
  only: string;
  /** SQL of the addresses that it leaves out. Column: email_hash. */
  addresses: SqlPart;
}

/**
 * Registry of reasons that leave people out when their message is about to leave. Modules register theirs at start, in
 * the order in which workers apply them.
 */
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
