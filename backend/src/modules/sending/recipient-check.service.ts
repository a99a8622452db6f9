import { Injectable } from '@nestjs/common';
import type { ContactType } from '../../shared/words/contact-type.js';
import { Audience, type MailableContact, type Recheck } from '../lists/index.js';
import { NetworkCap } from './network-cap.service.js';
import { type AcceptedSend, SendRight } from './send-right.service.js';

export interface CheckedRecipients {
  mailable: Map<string, MailableContact>;
  /** Contact id → why it is left out now, in words. */
  skipped: Map<string, string>;
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

  /** Call it right before handing over; the deliveries are of one send. */
  async of(send: AcceptedSend & { contactType: ContactType }, claims: readonly { id: string; contactId: string }[]): Promise<CheckedRecipients> {
    if (!(await this.right.holds(send))) return { mailable: new Map(), skipped: new Map(claims.map(({ contactId }) => [contactId, PLAN_ENDED])) };
    const { mailable, skipped } = await this.audience.recheck(claims.map((claim) => claim.contactId), send.userId, send.contactType);
    const reasons = new Map([...skipped].map(([contactId, why]) => [contactId, SKIPPED[why]]));
    const wishes = claims.flatMap(({ id, contactId }) => {
      const addressHash = mailable.get(contactId)?.networkHash;
      return addressHash ? [{ deliveryId: id, contactId, addressHash }] : [];
    });
    const granted = await this.cap.take(wishes);
    for (const { deliveryId, contactId } of wishes) {
      if (granted.has(deliveryId)) continue;
      mailable.delete(contactId);
      reasons.set(contactId, this.cap.reason);
    }
    return { mailable, skipped: reasons };
  }
}
