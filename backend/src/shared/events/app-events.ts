/** What modules tell each other upwards; the types live here so that a listener never imports its emitter. */
export interface AppEvents {
  /** Who sent the person waits on the users row (auth's ReferralRefs), not here: an event may be lost. */
  'user.registered': { userId: string; email: string };
  'user.verified': { userId: string };
  'user.suspended': { userId: string };
  /**
   * The account is closed for good; what lives elsewhere (a paid plan at Stripe) ends now. Told after the commit that closed it
   * and before its rows are erased, at least once: after a crash it is told again.
   */
  'user.deleted': { userId: string; stripeCustomerId: string | null };
  'contact.confirmed': { contactId: string; emailListId: string };
  'contact.unsubscribed': { contactId: string | null; addressHash: Buffer; ownerId: string | null };
  /** They took their leaving back; what was left since then counts no more. */
  'contact.restored': { contactId: string | null; ownerId: string | null; leftAt: Date };
  /** The mail server refused a system mail for good. */
  'system-mail.refused': { mailId: string; kind: string };
  'send.accepted': { sendId: string };
  'send.settled': { sendId: string; userId: string };
}

export type AppEventName = keyof AppEvents;
