import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/**
 * Tells the forecast whom a reason leaves out at present, for a reason that is applied only right before a message
 * leaves.
 */
export interface ForecastPart {
  /** Code of the reason. It becomes part of the SQL unescaped. */
  code: string;
  /** SQL condition on the judged addresses `j`: the reason can apply to them. */
  only: string;
  /** SQL of the addresses that the reason leaves out. Column: email_hash. */
  addresses: SqlPart;
}

/**
 * Registry of reasons that leave people out right before their message leaves. Modules register their reasons at start,
 * in the order in which workers apply them.
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
