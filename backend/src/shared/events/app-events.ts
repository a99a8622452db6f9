/**
 * Events that a module emits to the modules above it. The types live here so that a listener need not import the
 * emitter.
 */
export interface AppEvents {
  /**
   * An account was registered. The event does not carry the referrer, because an event may be lost: the users row holds
   * the referral references (see auth's PendingReferrals).
   */
  'user.registered': { userId: string; email: string };
  'user.verified': { userId: string };
  'user.suspended': { userId: string };
  /**
   * The account is closed for good, so external state, such as a paid plan at Stripe, must end. Emitted after the
   * account was closed and before its rows are erased; emitted again after a crash, so listeners must be idempotent.
   */
  'user.deleted': { userId: string; stripeCustomerId: string | null };
  'contact.confirmed': { contactId: string; emailListId: string };
  'contact.unsubscribed': { contactId: string | null; addressHash: Buffer; ownerId: string | null };
  /** An unsubscribe was undone. Everything that was derived from the unsubscribe since `leftAt` is void. */
  'contact.restored': { contactId: string | null; ownerId: string | null; leftAt: Date };
  /** The mail server permanently refused a system mail. */
  'system-mail.refused': { mailId: string; kind: string };
  'send.accepted': { sendId: string };
  'send.settled': { sendId: string; userId: string };
}

export type AppEventName = keyof AppEvents;
