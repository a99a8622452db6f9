import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { ProviderAccounts, ProviderRateLimiter } from '../../mail-accounts/index.js';

const ALL = '*';
const BATCHES_A_SECOND = 4;

/**
 * Rate limiter per mail account over all workers: SEND_RATE and the account's own setting. Grants a steady rate from the first second on.
 */
@Injectable()
export class ConfiguredAccountRate {
  constructor(
    private readonly settings: Settings,
    private readonly limiter: ProviderRateLimiter,
    private readonly accounts: ProviderAccounts,
  ) {}

  /** Limits the size of a batch, so that a wait stays short. */
  get largestBatch(): number {
    const rate = Math.min(this.settings.sendRate || Infinity, this.accounts.rateOfFirst ?? Infinity);
    return rate === Infinity ? Infinity : Math.max(1, Math.floor(rate / BATCHES_A_SECOND));
  }

  /** Waits until an account may send this many messages. */
  async take(account: string, messages: number): Promise<void> {
    if (messages === 0) return;
    const { sendRate } = this.settings;
    const perSecond = this.accounts.rateOf(account);
    await Promise.all([
      sendRate > 0 ? this.takeOf(ALL, messages, sendRate) : undefined,
      perSecond ? this.takeOf(account, messages, perSecond) : undefined,
    ]);
  }

  private async takeOf(account: string, messages: number, perSecond: number): Promise<void> {
    for (let left = messages; left > 0;) {
      const reservation = (
        await this.limiter.reserve(account, [{ provider: ALL, wanted: left, most: perSecond, lookaheadMs: Infinity }])
      ).get(ALL)!;
      left -= reservation.granted;
      if (reservation.startsInMs > 0) await pause(reservation.startsInMs);
    }
  }
}
