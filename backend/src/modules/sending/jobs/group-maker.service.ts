import { Injectable } from '@nestjs/common';
import type { ReadyMessage } from '../../../shared/mail/bulk-transport.js';
import type { MailableContact, RecheckedContact } from '../../lists/index.js';
import { type Claim, DeliveryClaims } from '../delivery-claims.service.js';
import { AccountRate } from '../throttling/account-rate.service.js';
import { ProviderAccounts } from '../providers/provider-accounts.service.js';
import { RecipientCheck } from '../recipient-check.service.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { GroupJournal, type GroupRecord } from './group-journal.service.js';

/** An account that is full is asked again so often: its limits may change. */
const LONGEST_HOLD_SECONDS = 15;

type MadeFor = Parameters<RecipientCheck['judge']>[0];

export interface Marked {
  claim: Claim;
  /** Undefined where it must not be mailed any more, for that reason. */
  contact?: MailableContact;
  reason?: string;
}

export interface MadeGroup {
  marked: Marked[];
  /** The account whose places of the slow start these take. */
  placeWith: ReadyMessage['placeWith'];
  /** When it was asked who may be mailed. */
  since: number;
  record?: GroupRecord;
  /** Claims that have to wait for their provider. */
  later: Claim[];
  /** Claims that nothing was decided about: the account may take no more for now, or the send was stopped. */
  undecided: Claim[];
}

/** Makes groups of claims ready: what has to wait is named, the others are asked for again, and marked. */
@Injectable()
export class GroupMaker {
  private held?: { account: string; until: number };

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly throttles: ProviderThrottles,
    private readonly accounts: ProviderAccounts,
    private readonly rate: AccountRate,
    private readonly recipients: RecipientCheck,
    private readonly groups: GroupJournal,
  ) {}

  /** How long the account in use may take nothing more: its share of the hour or the day is used up. */
  heldForMs(): number {
    return this.held && this.accounts.idOfFirst === this.held.account ? Math.max(0, this.held.until - Date.now()) : 0;
  }

  get largest(): number {
    return this.rate.largestGroup;
  }

  /** Consent is looked at right before each group, so that nobody who left minutes ago is still mailed. @param isAdmitted places with their provider are taken already */
  async make(send: MadeFor, claims: Claim[], isAdmitted: boolean): Promise<MadeGroup> {
    const { now, later } = isAdmitted ? { now: claims, later: [] } : await this.throttles.admit(claims);
    const { granted, pauseSeconds, placeWith } = await this.accounts.takePlaces(now.length);
    if (granted < now.length) this.held = { account: placeWith, until: Date.now() + Math.min(pauseSeconds, LONGEST_HOLD_SECONDS) * 1000 };
    const admitted = now.slice(0, granted);
    await this.rate.take(placeWith, admitted.length);
    const { since, found, record } = await this.mark(send, admitted);
    const ours = admitted.filter(({ id }) => found.has(id));
    const { mailable, skipped } = await this.judge(send, ours, found, record);
    const marked = ours.map((claim) => ({ claim, contact: mailable.get(claim.contactId), reason: skipped.get(claim.contactId) }));
    const undecided = [...now.slice(granted), ...(ours.length < admitted.length ? admitted.filter(({ id }) => !found.has(id)) : [])];
    return { marked, placeWith, since, record, later, undecided };
  }

  /** Marks claims and asks for their consent in one statement. @returns what is known of those that are ours, by the claim's id */
  private async mark(send: MadeFor, claims: Claim[]): Promise<{ since: number; found: Map<string, RecheckedContact>; record?: GroupRecord }> {
    const record = claims.length > 0 ? this.groups.open(claims) : undefined;
    const since = performance.now();
    if (claims.length === 0) return { since, found: new Map() };
    try {
      const found = await this.claims.markTransmitting<RecheckedContact>(send.id, claims, this.recipients.questionSql(send, 'm.contact_id'));
      // Of those that another worker was first to mark, nothing is known here.
      if (found.size < claims.length) for (const { id } of claims) if (!found.has(id)) record?.begin(id);
      return { since, found, record };
    } catch (error) {
      // It may be marked all the same.
      record?.close({ keep: true });
      throw error;
    }
  }

  /** Where it fails nothing goes out, so what is marked is given back. */
  private async judge(send: MadeFor, ours: readonly Claim[], found: ReadonlyMap<string, RecheckedContact>, record?: GroupRecord): ReturnType<RecipientCheck['judge']> {
    try {
      return await this.recipients.judge(send, ours, [...found.values()].filter(({ contactId }) => contactId !== null));
    } catch (error) {
      const isGivenBack = await this.claims.release(ours).then(() => true, () => false);
      record?.close({ keep: !isGivenBack });
      throw error;
    }
  }
}
