import { hourOf } from './due-time.js';

/** Own texts for some reasons; every other reason is explained by the error message of send-email. */
const TEXTS: Record<string, (at: string) => string> = {
  daily_limit: () => 'Your daily limit was used up when this was due. Choose another day.',
  missed: (at) => `Staffcast could not send at ${hourOf(at)}. Nothing went out. Send it now or choose another time.`,
  no_recipients: () => 'Nobody on these lists could be mailed.',
  no_lists: () => 'Its lists were deleted.',
  suspended: () => 'Your account was suspended when this was due.',
};

/** @param message error message with which send-email refused the email; null if send-email was not called */
export function reasonText(reason: string, at: string, message: string | null): string {
  return TEXTS[reason]?.(at) ?? message ?? 'This email could not be sent. Open it to see what is wrong.';
}
