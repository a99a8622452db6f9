import { storage } from './storage';

/** Where this browser keeps an account's unsent message. */
export const sendDraftKey = (userId: string) => `send_draft_${userId}`;

/** What signing out would discard: the draft's subject, which may be empty; null without a draft. */
export const draftSubject = (userId: string): string | null =>
  storage.read(sendDraftKey(userId), (value) =>
    typeof value === 'object' && value !== null && 'subject' in value && typeof value.subject === 'string'
      ? value.subject
      : null,
  );

/** At sign-out and with the account: the next person at this computer does not read it. */
export const discardSendDraft = (userId: string): void => storage.remove(sendDraftKey(userId));
