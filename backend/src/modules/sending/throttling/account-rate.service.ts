import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { ProviderAccounts } from '../providers/provider-accounts.service.js';
import { ProviderRateLimiter } from './provider-rate-limiter.service.js';

const ALL = '*';
const GROUPS_A_SECOND = 4;

/** Messages a second over all workers: SEND_RATE, and what an account's settings say. Steady from the first second on. */
@Injectable()
export class AccountRate {
  constructor(
    private readonly settings: Settings,
    private readonly limiter: ProviderRateLimiter,
    private readonly accounts: ProviderAccounts,
  ) {}

  /** So that a wait is never much longer than a moment. */
  get largestGroup(): number {
    const rate = Math.min(this.settings.sendRate || Infinity, this.accounts.rateOfFirst ?? Infinity);
    return rate === Infinity ? Infinity : Math.max(1, Math.floor(rate / GROUPS_A_SECOND));
  }

  /** Waits until that many messages may go out by an account. */
  async take(account: string, messages: number): Promise<void> {
    if (messages === 0) return;
    const { sendRate } = this.settings;
    const perSecond = this.accounts.rateOf(account);
    await Promise.all([sendRate > 0 ? this.takeOf(ALL, messages, sendRate) : undefined, perSecond ? this.takeOf(account, messages, perSecond) : undefined]);
  }

  private async takeOf(account: string, messages: number, perSecond: number): Promise<void> {
    for (let left = messages; left > 0; ) {
      const reservation = (await this.limiter.reserve(account, [{ provider: ALL, wanted: left, most: perSecond, lookaheadMs: Infinity }])).get(ALL)!;
      left -= reservation.granted;
      if (reservation.startsInMs > 0) await pause(reservation.startsInMs);
    }
  }
}
