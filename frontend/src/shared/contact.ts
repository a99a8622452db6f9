import type { StatusName } from '../ui/status-badge';

export interface ContactState {
  confirmed: boolean;
  /** Why the contact must not be mailed; null if it may be mailed. */
  suppressed: 'unsubscribed' | 'bounced' | 'complained' | null;
}

/** The status to show for a contact: a suppression takes precedence over a confirmation. */
export const contactStatus = ({ confirmed, suppressed }: ContactState): StatusName =>
  suppressed ?? (confirmed ? 'confirmed' : 'pending');

/** Only a pending contact can be sent the confirmation again. */
export const mayResend = ({ confirmed, suppressed }: ContactState) => !confirmed && !suppressed;

/** The types of mail that a contact can agree to. */
export const contactTypes = ['job-posts', 'candidate-lists'] as const;
export type ContactType = (typeof contactTypes)[number];

/** What a contact agreed to receive, in words. */
export const contactTypeLabel: Record<ContactType, string> = {
  'job-posts': 'Job posts',
  'candidate-lists': 'Candidate lists',
};

/** The type that a contact gets when a user of this role adds it. */
export const contactTypeFor = (role: string | null): ContactType =>
  role === 'bench-sales' ? 'candidate-lists' : 'job-posts';
