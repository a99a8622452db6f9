import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';

/** Times at which a message is tried again; see decisions.md: retry-schedule. */
@Injectable()
export class RetrySchedule {
  constructor(private readonly settings: Settings) {}

  /**
   * Seconds to the next try after `failures` failed ones, with 20 % jitter so that a batch does not return at once.
   * @param asked pause in seconds that the server named
   * @returns null where the time limit is over
   */
  pauseAfter(failures: number, secondsSinceFirst: number, asked = 0): number | null {
    if (secondsSinceFirst >= this.settings.retryGiveUp) return null;
    const planned = this.settings.retrySchedule[Math.min(failures, this.settings.retrySchedule.length) - 1]!;
    return Math.max(planned * (0.8 + Math.random() * 0.4), Math.min(asked, 86_400));
  }

  /** The schedule as a PostgreSQL array literal, for recovery in SQL. */
  get literal(): string {
    return `{${this.settings.retrySchedule.join(',')}}`;
  }
}
