import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../../shared/clock/clock.js';
import { removeOld } from '../../shared/retention/retention.js';
import { SingleRunner } from '../../shared/database/single-runner.js';
import { PlanFacts } from '../auth/index.js';
import { ClosedAccounts } from './closed-accounts.service.js';
import { BillingTurns } from './billing-turns.service.js';
import { PlanRecords } from './plan-records.service.js';
import { PlanSync } from './plan-sync.service.js';
import { StripeGateway } from './stripe-gateway.js';
import { Webhooks } from './webhook.service.js';

const DAY_MS = 86_400_000;
const BATCH = 500;
/** Stripe tries to deliver an event for three days. */
const MISSED_FOR_MS = 4 * DAY_MS;

/** Finds what no event told: at night and, since a laptop sleeps at night, every hour. */
@Injectable()
export class PlanReconcile {
  private readonly log = new Logger(PlanReconcile.name);

  constructor(
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
    private readonly records: PlanRecords,
    private readonly turns: BillingTurns,
    private readonly sync: PlanSync,
    private readonly webhooks: Webhooks,
    private readonly closed: ClosedAccounts,
    private readonly gateway: StripeGateway,
    private readonly facts: PlanFacts,
    private readonly clock: Clock,
  ) {}

  @Cron('23 * * * *')
  async run(): Promise<void> {
    if (this.gateway.mode === 'off') return;
    await this.runner.run('billing.reconcile', () => this.reconcile()).catch((error: unknown) => this.log.error(error));
  }

  async reconcile(): Promise<void> {
    const em = this.em.fork();
    for (const customerId of await this.records.orphans(em)) await this.one(() => this.closed.end(customerId));
    for (const notice of await this.gateway.missedEvents(new Date(Date.now() - MISSED_FOR_MS))) await this.one(() => this.webhooks.take(notice));
    for (const userId of await this.records.doubtful(em, this.clock.now(), BATCH)) {
      await this.one(() => this.turns.run(userId, (inside) => this.sync.run(inside, userId)));
    }
    await this.facts.refreshTiers(em, this.clock.now());
    await removeOld(em, { table: 'stripe_events', where: `t.received_at < now() - interval '90 days'` });
  }

  /** One that fails keeps no other from its turn. */
  private async one(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.log.error({ err: error }, 'an account could not be reconciled'));
  }
}
