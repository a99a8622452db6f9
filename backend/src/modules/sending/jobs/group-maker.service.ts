import { Injectable } from '@nestjs/common';
import type { ReadyMessage } from '../../../shared/mail/bulk-transport.js';
import type { MailableContact } from '../../lists/index.js';
import { type Claim, DeliveryClaims } from '../delivery-claims.service.js';
import { DomainLanes } from '../domain-lanes.service.js';
import { ProviderAccounts } from '../providers/provider-accounts.service.js';
import { RecipientCheck } from '../recipient-check.service.js';
import { SendRate } from '../send-rate.service.js';
import { GroupJournal, type GroupRecord } from './group-journal.service.js';

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
}

/** Makes groups of claims ready: what has to wait waits, the others are asked for again, and marked. */
@Injectable()
export class GroupMaker {
  constructor(
    private readonly claims: DeliveryClaims,
    private readonly lanes: DomainLanes,
    private readonly accounts: ProviderAccounts,
    private readonly rate: SendRate,
    private readonly recipients: RecipientCheck,
    private readonly groups: GroupJournal,
  ) {}

  get largest(): number {
    return this.rate.largestGroup;
  }

  /** Consent is looked at right before each group, so that nobody who left minutes ago is still mailed. */
  async make(send: Parameters<RecipientCheck['of']>[0] & { id: string }, claims: Claim[]): Promise<MadeGroup> {
    const { now, later } = await this.lanes.admit(send.id, claims);
    const { granted, pauseSeconds, placeWith } = await this.accounts.takePlaces(now.length);
    const admitted = now.slice(0, granted);
    await this.claims.postpone([...later, ...now.slice(granted).map((claim) => ({ claim, pauseSeconds }))]);
    await this.rate.take(admitted.length);
    const since = performance.now();
    const { mailable, skipped } = await this.recipients.of(send, admitted);
    const { ours, record } = await this.mark(send.id, admitted);
    const marked = admitted.filter(({ id }) => ours.has(id)).map((claim) => ({ claim, contact: mailable.get(claim.contactId), reason: skipped.get(claim.contactId) }));
    return { marked, placeWith, since, record };
  }

  private async mark(sendId: string, claims: Claim[]): Promise<{ ours: Set<string>; record?: GroupRecord }> {
    if (claims.length === 0) return { ours: new Set() };
    const record = this.groups.open(claims);
    try {
      const ours = await this.claims.markTransmitting(sendId, claims);
      // Of those that another worker was first to mark, nothing is known here.
      if (ours.size < claims.length) for (const { id } of claims) if (!ours.has(id)) record?.begin(id);
      return { ours, record };
    } catch (error) {
      // It may be marked all the same.
      record?.close({ keep: true });
      throw error;
    }
  }
}
