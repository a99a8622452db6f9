import { formatMoney } from '../../lib/format';
import type { NewSubscription, Period, Plan } from './api';

const INTERVALS = { monthly: 'month', yearly: 'year' } as const;

/** The plan with this billing period. */
export const planFor = (plans: readonly Plan[], period: Period): Plan | undefined =>
  plans.find(({ billingInterval }) => billingInterval === INTERVALS[period]);

/** '$96' and 'per year'. */
export const priceOf = ({ priceCents, billingInterval }: Plan) => ({
  amount: formatMoney(priceCents),
  interval: `per ${billingInterval}`,
});

/**
 * 'Save $24 a year (20%)' compared with twelve monthly payments.
 * @returns null if nothing is saved, or if only one of the plans is offered
 */
export function savingText(plans: readonly Plan[]): string | null {
  const [monthly, yearly] = [planFor(plans, 'monthly'), planFor(plans, 'yearly')];
  if (!monthly || !yearly) return null;
  const monthlyForYear = monthly.priceCents * 12;
  const saved = monthlyForYear - yearly.priceCents;
  return saved > 0 ? `Save ${formatMoney(saved)} a year (${Math.round((saved / monthlyForYear) * 100)}%)` : null;
}

/**
 * The order of a plan.
 * @returns null if no plan is given or the payment provider has no price for it
 */
export function orderOf(plan: Plan | undefined): NewSubscription | null {
  if (!plan?.stripePriceId) return null;
  return { priceId: plan.stripePriceId, billingPeriod: plan.billingInterval === 'year' ? 'yearly' : 'monthly' };
}
