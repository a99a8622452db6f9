import { formatMoney } from '../../lib/format';
import type { Order, Period, Plan } from './api';

const INTERVALS = { monthly: 'month', yearly: 'year' } as const;

/** The plan that is paid so often. */
export const planFor = (plans: readonly Plan[], period: Period): Plan | undefined => plans.find(({ billingInterval }) => billingInterval === INTERVALS[period]);

/** '$96 per year', in its two halves. */
export const priceOf = ({ priceCents, billingInterval }: Plan) => ({ amount: formatMoney(priceCents), interval: `per ${billingInterval}` });

/** 'Save $24 a year (20%)' against twelve monthly payments, or null where nothing is saved. */
export function savingText(plans: readonly Plan[]): string | null {
  const [monthly, yearly] = [planFor(plans, 'monthly'), planFor(plans, 'yearly')];
  if (!monthly || !yearly) return null;
  const twelve = monthly.priceCents * 12;
  const saved = twelve - yearly.priceCents;
  return saved > 0 ? `Save ${formatMoney(saved)} a year (${Math.round((saved / twelve) * 100)}%)` : null;
}

/** What to ask for, where the plan has a price at the provider. */
export function orderOf(plan: Plan | undefined): Order | null {
  if (!plan?.stripePriceId) return null;
  return { priceId: plan.stripePriceId, billingPeriod: plan.billingInterval === 'year' ? 'yearly' : 'monthly' };
}
