import { Injectable } from '@nestjs/common';
import type { ContactType } from '../../shared/words/contact-type.js';
import { Audience, type MailableContact, type Recheck, type RecheckedContact, type SqlPart } from '../lists/index.js';
import { NetworkCap } from './network-cap.service.js';
import { type AcceptedSend, SendRight } from './send-right.service.js';

export interface CheckedRecipients {
  mailable: Map<string, MailableContact>;
  /** Contact id → why it is left out now, in words. */
  skipped: Map<string, string>;
}

type CheckedSend = AcceptedSend & { contactType: ContactType };

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

/** Who may still be mailed when a delivery's turn has come: consent is looked at again, the sender's account and plan, and the network's daily cap. */
@Injectable()
export class RecipientCheck {
  constructor(
    private readonly audience: Audience,
    private readonly cap: NetworkCap,
    private readonly right: SendRight,
  ) {}

  /** What has to be known of one contact, as a query for the statement that marks its delivery. @param contactId the column that names the contact */
  questionSql(send: CheckedSend, contactId: string): SqlPart {
    return this.audience.recheckSql(`= ${contactId}`, send.userId);
  }

  /** Draws from the answers to `questionSql` who may be mailed. The deliveries are of one send; only these claims take places with the network's cap. */
  async judge(send: CheckedSend, claims: readonly CheckedClaim[], found: readonly RecheckedContact[]): Promise<CheckedRecipients> {
    const { mailable, skipped } = this.audience.rechecked(found, claims.map((claim) => claim.contactId), send.userId, send.contactType);
    const reasons = new Map([...skipped].map(([contactId, why]) => [contactId, SKIPPED[why]]));
    if (mailable.size > 0 && !(await this.right.holds(send))) {
      for (const contactId of mailable.keys()) reasons.set(contactId, PLAN_ENDED);
      return { mailable: new Map(), skipped: reasons };
    }
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
}
