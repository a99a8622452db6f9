import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { AppEvents } from '../../shared/events/app-events.js';
import { OnAppEvent } from '../../shared/events/event-bus.js';
import { PlanRecords } from './plan-records.service.js';
import { StripeGateway } from './stripe-gateway.js';

/** An account that is gone pays no more: its customer at Stripe goes too, and every plan with it. */
@Injectable()
export class ClosedAccounts {
  private readonly log = new Logger(ClosedAccounts.name);

  constructor(private readonly em: EntityManager, private readonly records: PlanRecords, private readonly gateway: StripeGateway) {}

  /** Not awaited: nobody waits for Stripe to see the account gone. What fails here the reconcile finds by its rows. */
  @OnAppEvent('user.deleted')
  onDeleted({ stripeCustomerId }: AppEvents['user.deleted']): void {
    if (!stripeCustomerId || this.gateway.mode === 'off') return;
    void this.end(stripeCustomerId).catch((error: Error) => this.log.warn(`a closed account's plan is still open: ${error.message}`));
  }

  async end(stripeCustomerId: string): Promise<void> {
    await this.gateway.deleteCustomer(stripeCustomerId);
    await this.records.forget(this.em.fork(), stripeCustomerId);
  }
}
