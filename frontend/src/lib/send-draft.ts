import { storage } from './storage';

/** localStorage key for an account's unsent message. */
export const sendDraftKey = (userId: string) => `send_draft_${userId}`;

/**
 * Subject of the draft that signing out would discard. It may be empty.
 * @returns null if there is no draft
 */
export const draftSubject = (userId: string): string | null =>
  storage.read(sendDraftKey(userId), (value) =>
    typeof value === 'object' && value !== null && 'subject' in value && typeof value.subject === 'string'
      ? value.subject
      : null,
  );

/**
 * Discards the draft at sign-out and when the account is deleted, so that the next person at this computer cannot read
 * it.
 */
export const discardSendDraft = (userId: string): void => storage.remove(sendDraftKey(userId));
