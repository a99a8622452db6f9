import { Injectable } from '@nestjs/common';
import { isUuid } from '../../shared/text/formats.js';
import { Clock } from '../../shared/clock/clock.js';
import { Settings } from '../../shared/config/settings.js';
import type { RequestUser } from '../../shared/http/index.js';
import { Accounts } from '../auth/index.js';
import { networkNotOpen, unknownList } from './sending.errors.js';
import { Lists, type SendableList } from '../lists/index.js';

const DAY_MS = 86_400_000;

/**
 * Decides who may send to the shared network: accounts that are at least NETWORK_MIN_ACCOUNT_DAYS old, accounts with a
 * plan other than Free, and admins.
 */
@Injectable()
export class NetworkAccess {
  constructor(
    private readonly accounts: Accounts,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws 403 if the lists include the network and the account may not send to it yet */
  async assertOpen(user: RequestUser, lists: readonly { isDefault: boolean }[]): Promise<void> {
    const days = this.settings.networkMinAccountDays;
    if (days === 0 || user.isAdmin || !lists.some(({ isDefault }) => isDefault)) return;
    const account = await this.accounts.byId(user.id);
    const opensAt = new Date(Number(new Date((account?.createdAt ?? this.clock.now()) as Date)) + days * DAY_MS);
    if (opensAt <= this.clock.now()) return;
    if ((await this.accounts.entitlementsOf(user.id)).plan === 'free') throw networkNotOpen(days, opensAt);
  }
}

/**
 * Looks up the lists that a send names. If an id is missing, malformed or belongs to another account, refuses the whole
 * send, always with the same error.
 */
@Injectable()
export class ChosenLists {
  constructor(private readonly lists: Lists) {}

  async of(user: RequestUser, ids: readonly string[]): Promise<SendableList[]> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const found = wanted.every((id) => isUuid(id)) ? await this.lists.findSendable(user, wanted) : null;
    if (!found) throw unknownList();
    return found;
  }
}
