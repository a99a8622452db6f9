/** Mails to strangers that the accounts of one mailbox caused over the last 90 days, of one kind. */
export interface OutreachRecord {
  /** Mails sent. */
  sent: number;
  /** Of them, mails whose reader has had two whole UTC days and more to answer. */
  answerable: number;
  /** Of the answerable ones, those confirmed. */
  confirmed: number;
  /** Of all sent, those that bounced or were refused. */
  bounced: number;
}

export interface BudgetFacts {
  /** Mails a day of a new account on its plan. */
  base: number;
  /** Age of the account. */
  days: number;
  /** To people whom the owner added. */
  own: OutreachRecord;
  /** To people who were entered on the owner's public pages. */
  visitors: OutreachRecord;
}

/** Why no mail of a kind goes out: too few people confirm, or too many addresses do not exist. */
export type OutreachStop = 'few_confirmed' | 'many_bounced';

export interface DailyBudget {
  /** Mails a day over all paths. */
  total: number;
  /** Of them, at most so many that the owner causes: added contacts, imports, invites. */
  ownMost: number;
  /** Of them, at most so many that visitors of the owner's pages ask for. */
  visitorsMost: number;
  ownStop: OutreachStop | null;
  visitorsStop: OutreachStop | null;
}

const FULL_AGE_WEEKS = 8;
/** A share of fewer answers says nothing yet. */
const SHARE_FROM = 20;
/** What confirmed people are worth: all of them make it five times as large. */
const SHARE_WEIGHT = 4;
/** Before so many mails nothing is stopped. */
const JUDGED_FROM = 100;
const LEAST_CONFIRMED = 0.05;
const MOST_BOUNCED = 0.05;
/** What an owner cannot use up: visitors who want to subscribe today find it. */
const KEPT_FOR_VISITORS = 0.2;
/** What visitors cannot use up: strangers who fill in an owner's form leave the rest to the owner. */
const MOST_FOR_VISITORS = 0.5;

/**
 * How many mails to strangers an account may cause on a UTC day:
 *
 *     base × (1 + min(whole weeks of age, 8) / 8) × (1 + 4 × confirmed share)
 *
 * so age alone doubles it at most, and a sender whose people all confirm has up to ten times the base. The confirmed share counts only
 * mails whose readers had two whole days to answer, so that the first day's import neither raises nor stops anything; under 20 of them it
 * counts as none. The owner's own mails stop while under 5 % of at least 100 answerable ones are confirmed, or over 5 % of at least 100
 * bounced; visitors' mails are judged by themselves in the same way, so that a rival who enters strangers on a form cannot stop its owner.
 */
export function dailyBudget({ base, days, own, visitors }: BudgetFacts): DailyBudget {
  const weeks = Math.min(Math.max(0, Math.floor(days / 7)), FULL_AGE_WEEKS);
  const answerable = own.answerable + visitors.answerable;
  const share = answerable >= SHARE_FROM ? (own.confirmed + visitors.confirmed) / answerable : 0;
  const total = Math.floor(base * (1 + weeks / FULL_AGE_WEEKS) * (1 + SHARE_WEIGHT * share));
  return {
    total, ownMost: total - Math.ceil(total * KEPT_FOR_VISITORS), visitorsMost: Math.floor(total * MOST_FOR_VISITORS), ownStop: stopOf(own), visitorsStop: stopOf(visitors),
  };
}

function stopOf({ sent, answerable, confirmed, bounced }: OutreachRecord): OutreachStop | null {
  if (sent >= JUDGED_FROM && bounced > sent * MOST_BOUNCED) return 'many_bounced';
  return answerable >= JUDGED_FROM && confirmed < answerable * LEAST_CONFIRMED ? 'few_confirmed' : null;
}
