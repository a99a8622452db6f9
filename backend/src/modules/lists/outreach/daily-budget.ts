/** Mails to strangers of one kind, from the accounts of one mailbox, over the last 90 days. */
export interface OutreachRecord {
  /** Number of mails sent. */
  sent: number;
  /** Number of sent mails whose recipients have had at least two full UTC days to answer. */
  answerable: number;
  /** Number of `answerable` mails that were confirmed. */
  confirmed: number;
  /** Number of `sent` mails that bounced or were refused. */
  bounced: number;
}

export interface BudgetFacts {
  /** Mails that a new account on the plan may cause in 24 hours. */
  base: number;
  /** Age of the account in days. */
  days: number;
  /** Mails to people whom the owner added. */
  own: OutreachRecord;
  /** Mails to people entered on the owner's public pages. */
  visitors: OutreachRecord;
}

/** Why mails of a kind are stopped: too few confirmations, or too many bounces. */
export type OutreachStop = 'few_confirmed' | 'many_bounced';

export interface DailyBudget {
  /** Maximum number of mails in 24 hours. */
  total: number;
  /** Maximum number of these mails that the owner causes: added contacts, imports, invites. */
  ownMost: number;
  /** Maximum number of these mails that visitors of the owner's pages request. */
  visitorsMost: number;
  ownStop: OutreachStop | null;
  visitorsStop: OutreachStop | null;
}

const FULL_AGE_WEEKS = 8;
/** Minimum number of answerable mails for the confirmed share to count; with fewer mails, the share is 0. */
const SHARE_FROM = 20;
/** Weight of the confirmed share: with all confirmed, the budget is five times as large. */
const SHARE_WEIGHT = 4;
/** Minimum number of mails before anything is stopped. */
const MIN_MAILS_FOR_RATES = 100;
const MIN_CONFIRMED_SHARE = 0.05;
const MAX_BOUNCED_SHARE = 0.05;
/** Share reserved for visitors, so that people can subscribe after the owner used the rest. */
const MIN_SHARE_FOR_VISITORS = 0.2;
/** Maximum share for visitors, so that strangers on a form cannot use up the owner's budget. */
const MAX_SHARE_FOR_VISITORS = 0.5;

/**
 * Mails to strangers that an account may cause in 24 hours: base × (1 + min(whole weeks of age, 8) / 8) × (1 + 4 ×
 * confirmed share). Age alone at most doubles the budget; if all people confirm, it reaches ten times the base. The
 * confirmed share counts only mails with at least two full days to answer, so that the first day's import has no
 * effect; with fewer than 20 such mails it is 0. The owner's mails stop while less than 5 % of at least 100 answerable
 * mails are confirmed, or more than 5 % of at least 100 mails bounced. Visitors' mails are judged separately by the
 * same rule, so that a rival who enters strangers on a form cannot stop the owner's mails.
 */
export function dailyBudget({ base, days, own, visitors }: BudgetFacts): DailyBudget {
  const weeks = Math.min(Math.max(0, Math.floor(days / 7)), FULL_AGE_WEEKS);
  const answerable = own.answerable + visitors.answerable;
  const share = answerable >= SHARE_FROM ? (own.confirmed + visitors.confirmed) / answerable : 0;
  const total = Math.floor(base * (1 + weeks / FULL_AGE_WEEKS) * (1 + SHARE_WEIGHT * share));
  return {
    total,
    ownMost: total - Math.ceil(total * MIN_SHARE_FOR_VISITORS),
    visitorsMost: Math.floor(total * MAX_SHARE_FOR_VISITORS),
    ownStop: stopOf(own),
    visitorsStop: stopOf(visitors),
  };
}

function stopOf({ sent, answerable, confirmed, bounced }: OutreachRecord): OutreachStop | null {
  if (sent >= MIN_MAILS_FOR_RATES && bounced > sent * MAX_BOUNCED_SHARE) return 'many_bounced';
  return answerable >= MIN_MAILS_FOR_RATES && confirmed < answerable * MIN_CONFIRMED_SHARE ? 'few_confirmed' : null;
}
