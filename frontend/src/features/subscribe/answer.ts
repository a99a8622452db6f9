import { errorMessage } from '../../api/api-error';
import type { Toast } from '../../ui/toast';
import { messages } from './messages';

/** What a visitor is told once the address was taken. */
export const asked: Toast = { title: messages.asked, description: messages.askedText, variant: 'success' };

/** What a visitor is told of a refusal: the server's words under a title that says which of them it is. */
export function refused(error: unknown, fallback: string): Toast {
  const description = errorMessage(error, fallback);
  if (description.includes('already subscribed to this list')) return { title: messages.already, description, variant: 'info' };
  if (description.includes('confirmation email has already been sent')) return { title: messages.pending, description, variant: 'info' };
  return { title: messages.failed, description, variant: 'destructive' };
}
