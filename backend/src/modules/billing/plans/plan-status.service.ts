import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { Accounts } from '../../auth/index.js';
import { BillingLock } from '../billing-lock.service.js';
import type { SubscriptionStatusDto } from '../dto/billing.dto.js';
import { PlanRecords } from './plan-records.service.js';
import { PlanSync } from './plan-sync.service.js';
import { mayBeOutdated, isLive, type PlanTerm, primaryOf } from './plan-terms.js';
import { StripeGateway } from '../stripe-gateway.js';

/** Least time in ms between two queries to Stripe for the status of one account. */
const MIN_STRIPE_QUERY_INTERVAL_MS = 5_000;

/**
 * What an account has bought. Asks Stripe first if stored rows may be outdated, so that a lost webhook does not harm
 * the user.
 */
@Injectable()
export class PlanStatus {
  private readonly log = new Logger(PlanStatus.name);
  private readonly asked = new Map<string, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly records: PlanRecords,
    private readonly sync: PlanSync,
    private readonly lock: BillingLock,
    private readonly gateway: StripeGateway,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  async of(userId: string): Promise<SubscriptionStatusDto> {
    let primary = await this.stored(userId);
    if (primary && mayBeOutdated(primary, this.clock.now()) && this.mayAsk(userId)) {
      await this.repair(userId);
      primary = await this.stored(userId);
    }
    const live = primary && isLive(primary) ? primary : null;
    return {
      hasSubscription: live !== null,
      referralCreditsMonths: await this.accounts.freeMonthsOf(userId),
      subscription: live && {
        status: live.status,
        currentPeriodEnd: Math.floor(Number(live.periodEnd) / 1000),
        cancelAtPeriodEnd: live.isEnding,
      },
    };
  }

  private async stored(userId: string): Promise<PlanTerm | null> {
    return primaryOf(await this.records.termsOf(this.em.fork(), userId));
  }

  private async repair(userId: string): Promise<void> {
    try {
      await this.lock.run(userId, (em) => this.sync.run(em, userId));
    } catch (error) {
      this.log.warn(`what is stored has to do: ${(error as Error).message}`);
    }
  }

  /** Whether Stripe may be asked about this account now: at most once per MIN_STRIPE_QUERY_INTERVAL_MS. */
  private mayAsk(userId: string): boolean {
    const now = Date.now();
    if (this.gateway.mode === 'off' || now - (this.asked.get(userId) ?? 0) < MIN_STRIPE_QUERY_INTERVAL_MS) return false;
    for (const [id, at] of this.asked) if (now - at >= MIN_STRIPE_QUERY_INTERVAL_MS) this.asked.delete(id);
    this.asked.set(userId, now);
    return true;
  }
}
