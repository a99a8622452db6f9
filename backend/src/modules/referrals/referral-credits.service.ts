import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock/clock.js';
import { newId } from '../../shared/database/queries/columns.js';
import { changed, rows } from '../../shared/database/queries/rows.js';
import { hashToken } from '../../shared/tokens/tokens.js';
import { Attribution } from './attribution.service.js';
import { type CreditMonth, closeGap, appendMonth } from './credit-months.js';
import { ReferralCredit } from './referrals.entities.js';

/** First payment of a possibly referred person. */
export interface FirstPayment {
  referredUserId: string;
  /** Stripe's id of the paid invoice, which has the billing reason `subscription_create` and an amount above zero. */
  invoiceId: string;
  /** Time of the payment. */
  at: Date;
  /** Stripe's fingerprint of the card used. */
  cardFingerprint?: string | null;
  /** Fingerprints of the referrer's own cards, if known. */
  referrerCards?: readonly string[];
}

export type CreditOutcome =
  | { earned: true; referrerUserId: string; credit: CreditMonth }
  | { earned: false; reason: 'not_referred' | 'already' | 'same_card' | 'yearly_limit'; referrerUserId: string | null };

/** Full refund or lost dispute of a referred person's first invoice. */
export interface ClawBack {
  invoiceId: string;
  /** Time of the refund, or when the dispute opened. */
  at: Date;
  reason: 'refund' | 'dispute';
}

/** A revoked month in its previous state. If the month was credited, billing reverses the credit. */
export interface RevokedCredit {
  userId: string;
  was: CreditMonth;
}

/** How a referred person registered. */
export interface Signup {
  id: string;
  referred: string;
  referrer: string;
  /** Id of the invite; null for a referral link. */
  invite: string | null;
  refused: 'same_card' | null;
}

const MAX_CREDITS_PER_YEAR = 12;
const CLAW_BACK_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Earned months, for billing. Works in the caller's transaction. One transaction at a time changes a referrer's months:
 * read them with `creditsOf(…, { lock: true })` first.
 */
@Injectable()
export class ReferralCredits {
  constructor(
    private readonly attribution: Attribution,
    private readonly clock: Clock,
  ) {}

  /** Id of an account's referrer. @returns null if the account was not referred */
  async referrerOf(em: EntityManager, userId: string): Promise<string | null> {
    return (await this.signupOf(em, userId))?.referrer ?? null;
  }

  /** Whether a first payment of this person could still earn a month, so that billing must look for its invoice. */
  async awaitsFirstPayment(em: EntityManager, { referred, refused }: Signup): Promise<boolean> {
    return refused === null && !(await this.hasPaid(em, referred));
  }

  /** Records the first payment: the `paid` conversion and a month for the referrer. Idempotent. */
  async recordFirstPayment(em: EntityManager, payment: FirstPayment): Promise<CreditOutcome> {
    const signup = await this.signupOf(em, payment.referredUserId);
    if (!signup) return { earned: false, reason: 'not_referred', referrerUserId: null };
    const not = (reason: 'already' | 'same_card' | 'yearly_limit'): CreditOutcome => ({
      earned: false,
      reason,
      referrerUserId: signup.referrer,
    });
    const months = await this.creditsOf(em, signup.referrer, { lock: true });
    if (signup.refused) return not(signup.refused);
    if (await this.hasPaid(em, payment.referredUserId)) return not('already');
    if (await this.isOwnCard(em, signup, payment)) {
      await changed(
        em,
        `update referral_conversions set metadata = coalesce(metadata, '{}') || '{"refused": "same_card"}' where id = ?`,
        [signup.id],
      );
      return not('same_card');
    }
    const conversionId = await this.convert(em, signup, payment);
    if (!conversionId) return not('already');
    if (months.filter((month) => isWithinYear(month, payment.at)).length >= MAX_CREDITS_PER_YEAR)
      return not('yearly_limit');
    return {
      earned: true,
      referrerUserId: signup.referrer,
      credit: await this.grant(em, signup.referrer, conversionId, months, payment),
    };
  }

  /**
   * Revokes the month of an invoice that was refunded within 30 days of its payment; later months move forward.
   * @returns null if nothing was revoked
   */
  async clawBack(em: EntityManager, { invoiceId, at, reason }: ClawBack): Promise<RevokedCredit | null> {
    const [found] = await rows<{ id: string; user_id: string }>(
      em,
      `select id, user_id from referral_credits where source_invoice_id = ?`,
      [invoiceId],
    );
    if (!found) return null;
    const months = await this.creditsOf(em, found.user_id, { lock: true });
    const was = months.find((month) => month.id === found.id);
    if (!was || was.state === 'revoked' || Number(at) - Number(was.earnedAt) > CLAW_BACK_DAYS * DAY_MS) return null;
    const revoked: CreditMonth = {
      ...was,
      state: 'revoked',
      reason: was.state === 'consumed' ? 'uncollected' : reason,
    };
    await this.save(em, [revoked, ...closeGap(months, was, this.clock.now())]);
    await changed(
      em,
      `update referral_conversions c set metadata = coalesce(c.metadata, '{}') || jsonb_build_object('takenBack', ?::text)
       from referral_credits r where r.id = ? and c.id = r.conversion_id`,
      [reason, was.id],
    );
    return { userId: was.userId, was };
  }

  /** A user's months, oldest first; `lock` prevents other changes until the transaction ends. */
  async creditsOf(em: EntityManager, userId: string, { lock = false } = {}): Promise<CreditMonth[]> {
    if (lock)
      await rows(em, `select pg_advisory_xact_lock(hashtextextended('referrals.credits:' || ?::text, 0))`, [userId]);
    const found = await em.find(
      ReferralCredit,
      { userId },
      { orderBy: { earnedAt: 'asc', id: 'asc' }, disableIdentityMap: true },
    );
    return found.map(monthOf);
  }

  /** Saves months that the rules of credit-months.ts changed. */
  async save(em: EntityManager, months: readonly CreditMonth[]): Promise<void> {
    for (const { id, userId, state, startsAt, endsAt, balanceTxnId, cents, n, reason } of months) {
      await em.nativeUpdate(
        ReferralCredit,
        { id, userId },
        { state, startsAt, endsAt, balanceTxnId, cents, n, reason },
      );
    }
  }

  private async grant(
    em: EntityManager,
    userId: string,
    conversionId: string,
    months: CreditMonth[],
    payment: FirstPayment,
  ): Promise<CreditMonth> {
    const earned: CreditMonth = {
      id: newId(),
      userId,
      state: 'scheduled',
      startsAt: null,
      endsAt: null,
      balanceTxnId: null,
      cents: null,
      n: 0,
      reason: null,
      earnedAt: payment.at,
    };
    const credit = appendMonth(earned, months, this.clock.now());
    await em.insert(ReferralCredit, { ...credit, conversionId, sourceInvoiceId: payment.invoiceId });
    return credit;
  }

  private async convert(em: EntityManager, signup: Signup, payment: FirstPayment): Promise<string | null> {
    const metadata = {
      invoiceId: payment.invoiceId,
      ...(payment.cardFingerprint && { card: hashToken(payment.cardFingerprint) }),
    };
    const [made] = await rows<{ id: string }>(
      em,
      `insert into referral_conversions (referrer_user_id, invite_id, referred_user_id, conversion_type, converted_at, metadata) values (?, ?, ?, 'paid', ?, ?)
       on conflict (referred_user_id, conversion_type) do nothing returning id`,
      [signup.referrer, signup.invite, payment.referredUserId, payment.at, JSON.stringify(metadata)],
    );
    return made?.id ?? null;
  }

  /** Whether the card belongs to the referrer, or already paid for another account referred by the same person. */
  private async isOwnCard(
    em: EntityManager,
    { referrer }: Signup,
    { cardFingerprint, referrerCards = [] }: FirstPayment,
  ): Promise<boolean> {
    if (!cardFingerprint) return false;
    if (referrerCards.includes(cardFingerprint)) return true;
    const sql = `select 1 from referral_conversions where referrer_user_id = ? and conversion_type = 'paid' and metadata ->> 'card' = ? limit 1`;
    return (await rows(em, sql, [referrer, hashToken(cardFingerprint)])).length > 0;
  }

  private async hasPaid(em: EntityManager, userId: string): Promise<boolean> {
    return (
      (
        await rows(em, `select 1 from referral_conversions where referred_user_id = ? and conversion_type = 'paid'`, [
          userId,
        ])
      ).length > 0
    );
  }

  /**
   * How this person registered. Creates the conversion if a crash prevented it.
   * @returns null if nobody referred the person
   */
  async signupOf(em: EntityManager, userId: string): Promise<Signup | null> {
    await this.attribution.settle(em, userId);
    const [found] = await rows<Signup>(
      em,
      `select id, referred_user_id as referred, referrer_user_id as referrer, invite_id as invite, metadata ->> 'refused' as refused
       from referral_conversions where referred_user_id = ? and conversion_type = 'signup'`,
      [userId],
    );
    return found ?? null;
  }
}

const isWithinYear = (month: CreditMonth, at: Date): boolean =>
  month.state !== 'revoked' && Number(month.earnedAt) > Number(at) - 365 * DAY_MS;

function monthOf(row: ReferralCredit): CreditMonth {
  const {
    id,
    userId,
    state,
    startsAt = null,
    endsAt = null,
    balanceTxnId = null,
    cents = null,
    n,
    reason = null,
    earnedAt,
  } = row;
  return { id, userId, state, startsAt, endsAt, balanceTxnId, cents, n, reason, earnedAt: earnedAt as unknown as Date };
}
