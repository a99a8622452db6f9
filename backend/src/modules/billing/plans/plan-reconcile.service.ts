import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../../shared/clock/clock.js';
import { removeOld } from '../../../shared/retention/retention.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { BillingState } from '../../auth/index.js';
import { ClosedAccounts } from '../customers.service.js';
import { BillingLock } from '../billing-lock.service.js';
import { PlanRecords } from './plan-records.service.js';
import { PlanSync } from './plan-sync.service.js';
import { StripeGateway } from '../stripe-gateway.js';
import { Webhooks } from '../webhooks.service.js';

const DAY_MS = 86_400_000;
const USERS_PER_BATCH = 500;
/** Age up to which missed events are looked for: longer than the three days for which Stripe retries an event. */
const EVENT_LOOKBACK_MS = 4 * DAY_MS;

/** Repairs plan state after missed Stripe events. Runs every hour, because a machine may be off at night. */
@Injectable()
export class PlanReconcile {
  private readonly log = new Logger(PlanReconcile.name);

  constructor(
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
    private readonly records: PlanRecords,
    private readonly lock: BillingLock,
    private readonly sync: PlanSync,
    private readonly webhooks: Webhooks,
    private readonly closed: ClosedAccounts,
    private readonly gateway: StripeGateway,
    private readonly billingState: BillingState,
    private readonly clock: Clock,
  ) {}

  @Cron('23 * * * *')
  async run(): Promise<void> {
    if (this.gateway.mode === 'off') return;
    await this.runner.run('billing.reconcile', () => this.reconcile()).catch((error: unknown) => this.log.error(error));
  }

  async reconcile(): Promise<void> {
    const em = this.em.fork();
    for (const customerId of await this.records.customersOfDeletedAccounts(em))
      await this.one(() => this.closed.end(customerId));
    for (const hint of await this.gateway.missedEvents(new Date(Date.now() - EVENT_LOOKBACK_MS)))
      await this.one(() => this.webhooks.take(hint));
    for (const userId of await this.records.possiblyOutdated(em, this.clock.now(), USERS_PER_BATCH)) {
      await this.one(() => this.lock.run(userId, (inside) => this.sync.run(inside, userId)));
    }
    await this.billingState.refreshTiers(em, this.clock.now());
    await removeOld(em, { table: 'stripe_events', where: `t.received_at < now() - interval '90 days'` });
  }

  /** Isolates failures, so that one account does not block the others. */
  private async one(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.log.error({ err: error }, 'an account could not be reconciled'));
  }
}
