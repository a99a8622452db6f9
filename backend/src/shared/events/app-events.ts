/** What modules tell each other upwards; the types live here so that a listener never imports its emitter. */
export interface AppEvents {
  /** Who sent the person waits on the users row (auth's ReferralRefs), not here: an event may be lost. */
  'user.registered': { userId: string; email: string };
  'user.verified': { userId: string };
  'user.suspended': { userId: string };
  /** The account's rows are gone; what lives elsewhere (a paid plan at Stripe) ends now. */
  'user.deleted': { userId: string; stripeCustomerId: string | null };
  'contact.confirmed': { contactId: string; emailListId: string };
  'contact.unsubscribed': { contactId: string | null; addressHash: Buffer; ownerId: string | null };
  'send.accepted': { sendId: string };
  'send.settled': { sendId: string; userId: string };
}

export type AppEventName = keyof AppEvents;
