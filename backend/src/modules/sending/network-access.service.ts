import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock/clock.js';
import { Settings } from '../../shared/config/settings.js';
import type { RequestUser } from '../../shared/http/index.js';
import { Accounts } from '../auth/index.js';
import { networkNotOpen } from './sending.errors.js';

const DAY_MS = 86_400_000;

/** Who may send to the shared network: accounts of NETWORK_MIN_ACCOUNT_DAYS and older, those who pay, and admins. */
@Injectable()
export class NetworkAccess {
  constructor(
    private readonly accounts: Accounts,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws 403 where the network is among the lists and not open to the account yet */
  async assertOpen(user: RequestUser, lists: readonly { isDefault: boolean }[]): Promise<void> {
    const days = this.settings.networkMinAccountDays;
    if (days === 0 || user.isAdmin || !lists.some(({ isDefault }) => isDefault)) return;
    const account = await this.accounts.byId(user.id);
    const opensAt = new Date(Number(new Date((account?.createdAt ?? this.clock.now()) as Date)) + days * DAY_MS);
    if (opensAt <= this.clock.now()) return;
    if ((await this.accounts.entitlementsOf(user.id)).plan === 'free') throw networkNotOpen(days, opensAt);
  }
}
