import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed } from '../../../shared/database/queries/rows.js';
import { otherPeriod, unknownPrice } from '../billing.errors.js';
import type { BillingPeriod, PlanDto } from '../dto/billing.dto.js';
import { Plan } from '../billing.entities.js';
import { StripeGateway } from '../stripe-gateway.js';
import type { RemotePrice } from '../stripe-gateway.objects.js';

const CODES = ['pro_monthly', 'pro_yearly'];
const RETRY_MS = 5_000;

/**
 * Reads the plans on offer. Their prices are at Stripe and are found by configured ids, or by lookup keys, which equal
 * the plan codes.
 */
@Injectable()
export class PlanCatalogue implements OnApplicationBootstrap {
  private readonly log = new Logger(PlanCatalogue.name);
  private matching?: Promise<void>;
  private isMatched = false;
  private triedAt = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly gateway: StripeGateway,
    private readonly settings: Settings,
  ) {}

  /** Does not wait for Stripe, so that start-up does not depend on Stripe. */
  onApplicationBootstrap(): void {
    void this.matched();
  }

  /** Plans that can be bought, monthly first. */
  async onOffer(): Promise<PlanDto[]> {
    const plans = await this.plans();
    return plans.map(({ code, name, priceCents, billingInterval, stripePriceId, features }) => ({
      code,
      name,
      priceCents,
      billingInterval,
      stripePriceId: stripePriceId ?? null,
      features: (features?.texts as string[] | undefined) ?? [],
    }));
  }

  /**
   * The plan to which a Stripe price belongs.
   * @throws unknownPrice; otherPeriod if the price has another interval
   */
  async toBuy(priceId: string, period: BillingPeriod): Promise<Plan & { stripePriceId: string }> {
    const plan = (await this.plans()).find((each) => each.stripePriceId === priceId);
    if (!plan) throw unknownPrice();
    if (plan.billingInterval !== (period === 'monthly' ? 'month' : 'year')) throw otherPeriod();
    return plan as Plan & { stripePriceId: string };
  }

  /** All plans, including those no longer sold, because users may still be on them. */
  async all(): Promise<Plan[]> {
    const stored = await this.stored();
    const matched = this.matched();
    if (this.isMatched || stored.every(({ stripePriceId }) => stripePriceId)) return stored;
    await matched;
    return this.stored();
  }

  /** Prices that the billing portal can switch between. */
  async remotePrices(): Promise<RemotePrice[]> {
    return this.gateway.prices({ ids: (await this.plans()).flatMap(({ stripePriceId }) => stripePriceId ?? []) });
  }

  private async plans(): Promise<Plan[]> {
    return (await this.all()).filter((plan) => plan.isActive);
  }

  private stored(): Promise<Plan[]> {
    return this.em.fork().find(Plan, {}, { orderBy: { priceCents: 'asc' } });
  }

  /** Matches plans with Stripe's prices once per process, and retries after a failure. Never throws. */
  private matched(): Promise<void> {
    const isDue = !this.isMatched && this.gateway.mode !== 'off' && this.triedAt < Date.now() - RETRY_MS;
    if (!isDue) return this.matching ?? Promise.resolve();
    this.triedAt = Date.now();
    this.matching = this.match()
      .catch((error: Error) => this.log.warn(`the prices could not be read: ${error.message}`))
      .finally(() => {
        this.matching = undefined;
      });
    return this.matching;
  }

  private async match(): Promise<void> {
    const { priceMonthly, priceYearly } = this.settings.stripe;
    const named = [priceMonthly, priceYearly];
    const lookupKeys = CODES.filter((_, i) => !named[i]);
    const prices = await this.gateway.prices({ ids: named.filter((id) => id !== undefined), lookupKeys });
    for (const [i, code] of CODES.entries()) {
      const price = prices.find(({ id, lookupKey }) => (named[i] ? id === named[i] : lookupKey === code));
      const interval = i === 0 ? 'month' : 'year';
      if (price?.interval === interval) await this.write(code, price);
      else
        this.log.error(
          `no price for ${code}: name one that is billed by ${interval}, or give it the lookup key ${code}`,
        );
    }
    this.isMatched = true;
  }

  private async write(code: string, price: RemotePrice): Promise<void> {
    const sql = `update subscription_plans set stripe_price_id = ?, price_cents = ?, updated_at = now() where code = ? and (stripe_price_id is distinct from ? or price_cents <> ?)`;
    await changed(this.em.fork(), sql, [price.id, price.cents, code, price.id, price.cents]);
  }
}
