/** Name of the product, as shown to people. */
export const PRODUCT_NAME = 'Staffcast';

/** Jobs of users in the staffing business. */
export const ROLES = ['recruiter', 'bench-sales'] as const;
export type Role = (typeof ROLES)[number];

/**
 * SMTP clients that can send the mail of an account. pipelined: our own client, the faster one; nodemailer: the
 * library's client.
 */
export const SENDING_CLIENTS = ['pipelined', 'nodemailer'] as const;
export type SendingClient = (typeof SENDING_CLIENTS)[number];

/** What a send is about: a job, or candidates. */
export const SEND_TYPES = ['job-post', 'candidate-list'] as const;
export type SendType = (typeof SEND_TYPES)[number];

/** For each role, the send type that its users may send. Admins may send both types. */
export const SEND_TYPE_OF_ROLE: Record<Role, SendType> = {
  recruiter: 'job-post',
  'bench-sales': 'candidate-list',
};

/** Kinds of mail that a contact can agree to receive. */
export const CONTACT_TYPES = ['job-posts', 'candidate-lists'] as const;
export type ContactType = (typeof CONTACT_TYPES)[number];

/** For each send type, the type of the contacts who receive it. A send leaves out contacts of the other type. */
export const CONTACT_TYPE_OF_SEND: Record<SendType, ContactType> = {
  'job-post': 'job-posts',
  'candidate-list': 'candidate-lists',
};

/** Type of the contacts who receive the sends of a role. */
export const contactTypeOfRole = (role: Role): ContactType => CONTACT_TYPE_OF_SEND[SEND_TYPE_OF_ROLE[role]];

/** Status of a whole send (see decisions.md: send-status). */
export const HISTORY_STATUSES = ['pending', 'sent', 'failed'] as const;
export type HistoryStatus = (typeof HISTORY_STATUSES)[number];

/** How a sender stopped a send: paused (can be resumed) or cancelled (final). */
export const SEND_STOPS = ['paused', 'cancelled'] as const;
export type SendStop = (typeof SEND_STOPS)[number];

/** Statuses of a delivery whose outcome is still open. */
export const OPEN_DELIVERY_STATUSES = ['queued', 'sending', 'deferred'] as const;

/** Statuses of a delivery with an outcome. A later report may still change the outcome. */
export const SETTLED_DELIVERY_STATUSES = ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained'] as const;

/** Status of one message to one recipient (see decisions.md: send-status). */
export const DELIVERY_STATUSES = [...OPEN_DELIVERY_STATUSES, ...SETTLED_DELIVERY_STATUSES] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Reasons why an address must not be mailed. */
export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** Scope of a suppression: one owner's lists, the default list for every sender, or all mail. */
export const SUPPRESSION_SCOPES = ['owner', 'network', 'all'] as const;
export type SuppressionScope = (typeof SUPPRESSION_SCOPES)[number];
