/**
 * Events between modules, towards higher layers. The types live here so that a listener need not import its emitter.
 */
export interface AppEvents {
  /**
   * The referrer is stored on the users row (auth's PendingReferrals) instead of the event, because an event may be
   * lost.
   */
  'user.registered': { userId: string; email: string };
  'user.verified': { userId: string };
  'user.suspended': { userId: string };
  /**
   * The account is closed for good, so external state (a paid plan at Stripe) must end. Emitted after the closing
   * commit and before its rows are erased; at least once, since a crash repeats it.
   */
  'user.deleted': { userId: string; stripeCustomerId: string | null };
  'contact.confirmed': { contactId: string; emailListId: string };
  'contact.unsubscribed': { contactId: string | null; addressHash: Buffer; ownerId: string | null };
  /** An unsubscribe was undone; whatever was derived from it since `leftAt` is void. */
  'contact.restored': { contactId: string | null; ownerId: string | null; leftAt: Date };
  /** The mail server permanently refused a system mail. */
  'system-mail.refused': { mailId: string; kind: string };
  'send.accepted': { sendId: string };
  'send.settled': { sendId: string; userId: string };
}

export type AppEventName = keyof AppEvents;
