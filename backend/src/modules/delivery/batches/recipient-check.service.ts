import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { ContactType } from '../../../shared/enums.js';
import { SenderRules } from '../../contacts/index.js';
import {
  Audience,
  type ContactField,
  type MailableContact,
  type Recheck,
  type RecheckedContact,
} from '../../lists/index.js';
import { AttachmentRegistry, type AttachmentWithdrawal, WITHDRAWN } from '../message/attachment.registry.js';
import { NetworkCap } from './network-cap.service.js';
import { type AcceptedSend, SendEntitlement } from './send-entitlement.service.js';

export interface CheckedRecipients {
  mailable: Map<string, MailableContact>;
  /** Why a contact is skipped now, in words, by contact id. */
  skipped: Map<string, string>;
}

type CheckedSend = AcceptedSend & {
  contactType: ContactType;
  /** Whether files are attached to the send's messages. */
  attached?: boolean;
  /** Why the attached files may not be sent, if the caller knows it already. */
  withdrawal?: AttachmentWithdrawal;
  /** Merge tags of the message whose values come from the contact. */
  tags?: readonly ContactField[];
};

interface CheckedClaim {
  id: string;
  contactId: string;
}

const SKIPPED: Record<Recheck['skipped'] extends Map<string, infer Why extends string> ? Why : never, string> = {
  unsubscribed: 'Unsubscribed before the message went out',
  bounced: 'The address bounced before',
  complained: 'The recipient reported mail as spam before',
  unconfirmed: 'No longer confirmed',
  deleted: 'No longer on the list',
  suspended: 'The account of the sender is suspended',
};

const PLAN_ENDED = 'The plan that allowed this send has ended';

/**
 * Checks right before sending who may still be mailed: consent, the sender's account and plan, attached files,
 * do-not-send rules, and the network's daily cap.
 */
@Injectable()
export class RecipientCheck {
  constructor(
    private readonly audience: Audience,
    private readonly cap: NetworkCap,
    private readonly entitlement: SendEntitlement,
    private readonly rules: SenderRules,
    private readonly attachments: AttachmentRegistry,
  ) {}

  /**
   * SQL that selects everything needed to decide on one contact, for use in the statement that marks the contact's
   * delivery.
   * @param contactId SQL of the column that has the contact's id
   */
  questionSql(send: CheckedSend, contactId: string): SqlPart {
    return this.audience.recheckSql(`= ${contactId}`, send.userId, send.tags);
  }

  /**
   * Decides from the answers to `questionSql` who may be mailed. All deliveries must belong to one send. Only `claims`
   * consume the network's cap.
   */
  async judge(
    send: CheckedSend,
    claims: readonly CheckedClaim[],
    found: readonly RecheckedContact[],
  ): Promise<CheckedRecipients> {
    const { mailable, skipped } = this.audience.rechecked(
      found,
      claims.map((claim) => claim.contactId),
      send.userId,
      send.contactType,
      send.tags,
    );
    const reasons = new Map([...skipped].map(([contactId, why]) => [contactId, SKIPPED[why]]));
    const ended = mailable.size > 0 ? await this.endOf(send) : null;
    if (ended !== null) {
      for (const contactId of mailable.keys()) reasons.set(contactId, ended);
      return { mailable: new Map(), skipped: reasons };
    }
    await this.applyRules(send.userId, mailable, reasons);
    const wishes = claims.flatMap(({ id, contactId }) => {
      const addressHash = mailable.get(contactId)?.networkHash;
      return addressHash ? [{ deliveryId: id, contactId, addressHash }] : [];
    });
    if (wishes.length === 0) return { mailable, skipped: reasons };
    const granted = await this.cap.take(wishes);
    for (const { deliveryId, contactId } of wishes) {
      if (granted.has(deliveryId)) continue;
      mailable.delete(contactId);
      reasons.set(contactId, this.cap.reason);
    }
    return { mailable, skipped: reasons };
  }

  /** @returns why the send may no longer mail anybody, as text; null: it may */
  private async endOf(send: CheckedSend): Promise<string | null> {
    if (!(await this.entitlement.holds(send))) return PLAN_ENDED;
    const withdrawal = send.withdrawal ?? (send.attached ? await this.attachments.withdrawalOf(send.id) : null);
    return withdrawal && WITHDRAWN[withdrawal];
  }

  /**
   * Takes out recipients that the sender's do-not-send rules cover. Such rules may have been added since the audience
   * was frozen.
   */
  private async applyRules(
    userId: string,
    mailable: Map<string, MailableContact>,
    reasons: Map<string, string>,
  ): Promise<void> {
    const check = mailable.size > 0 ? await this.rules.of(userId) : null;
    if (!check) return;
    for (const [contactId, { email, networkHash }] of mailable) {
      const why = check(email.toLowerCase(), networkHash !== null);
      if (why === undefined) continue;
      mailable.delete(contactId);
      reasons.set(contactId, why);
    }
  }
}
