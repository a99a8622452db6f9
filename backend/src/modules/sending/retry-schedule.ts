import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';

/** When a message is tried again (guide/email.md §6). */
@Injectable()
export class RetrySchedule {
  constructor(private readonly settings: Settings) {}

  /**
   * Seconds to the next try after so many that failed, with 20 % jitter so that a batch does not come back at once.
   * @returns null where the message has been tried for long enough
   */
  pauseAfter(failures: number, secondsSinceFirst: number, asked = 0): number | null {
    if (secondsSinceFirst >= this.settings.retryGiveUp) return null;
    const planned = this.settings.retrySchedule[Math.min(failures, this.settings.retrySchedule.length) - 1]!;
    return Math.max(planned * (0.8 + Math.random() * 0.4), Math.min(asked, 86_400));
  }

  /** The schedule as an array literal, for recovery in SQL. */
  get literal(): string {
    return `{${this.settings.retrySchedule.join(',')}}`;
  }
}
