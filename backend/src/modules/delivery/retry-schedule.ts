import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';

/** Decides when a message is tried again; see decisions.md: retry-schedule. */
@Injectable()
export class RetrySchedule {
  constructor(private readonly settings: Settings) {}

  /**
   * Seconds until the next try after `failures` failed tries. Adds 20 % jitter, so that a batch does not come back all
   * at once.
   * @param asked pause in seconds that the server asked for
   * @returns null if the time limit for retries has passed
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
