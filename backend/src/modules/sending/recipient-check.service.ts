import { Injectable } from '@nestjs/common';
import type { ContactType } from '../../shared/words/contact-type.js';
import { Accounts } from '../auth/index.js';
import { Audience, type MailableContact, type Recheck } from '../lists/index.js';
import { NetworkCap } from './network-cap.service.js';

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
};

/** Said of every recipient whom a suspended sender did not reach (decisions.md D42). */
export const SENDER_SUSPENDED = 'The account of the sender is suspended';

/** A sender's account is asked for again after so long: groups follow each other much quicker. */
const STANDING_MS = 1_000;
const KEPT_STANDINGS = 100;

/** Who may still be mailed when a delivery's turn has come: consent is looked at again, the sender's account (decisions.md D42), and the network's daily cap. */
@Injectable()
export class RecipientCheck {
  private readonly standings = new Map<string, { isSuspended: Promise<boolean>; until: number }>();

  constructor(
    private readonly audience: Audience,
    private readonly cap: NetworkCap,
    private readonly accounts: Accounts,
  ) {}

  /** Call it right before handing over; the deliveries are of one send. */
  async of(send: { userId: string; contactType: ContactType }, claims: readonly { id: string; contactId: string }[]): Promise<CheckedRecipients> {
    const [isSuspended, { mailable, skipped }] = await Promise.all([
      this.isSuspended(send.userId),
      this.audience.recheck(claims.map((claim) => claim.contactId), send.userId, send.contactType),
    ]);
    if (isSuspended) return { mailable: new Map(), skipped: new Map(claims.map(({ contactId }) => [contactId, SENDER_SUSPENDED])) };
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

  private isSuspended(userId: string): Promise<boolean> {
    const known = this.standings.get(userId);
    if (known && performance.now() < known.until) return known.isSuspended;
    if (this.standings.size >= KEPT_STANDINGS) this.standings.clear();
    const isSuspended = this.accounts.isSuspended(userId);
    this.standings.set(userId, { isSuspended, until: performance.now() + STANDING_MS });
    isSuspended.catch(() => this.standings.delete(userId));
    return isSuspended;
  }
}
