import { errorMessage } from '../../api/api-error';
import type { PublicListDto, SubscribeDto } from '../../api/endpoints.gen';
import { fetchJson, useFetchQuery, type Message } from '../../api/fetch-json';
import type { Toast } from '../../ui/toast/toast';

export type PublicList = PublicListDto;
export type SubscribeRequest = SubscribeDto;

export const usePublicList = (slug: string) =>
  useFetchQuery<PublicList>(`/api/email-lists/slug/${encodeURIComponent(slug)}`);

export const postSubscribe = (request: SubscribeRequest) => fetchJson<Message>('POST', '/api/subscribe', request);

/** Texts of the public subscription; e2e journeys and tests assert them. */
export const messages = {
  subscribed: 'Check Your Email!',
  subscribedText: "We've sent a confirmation link to verify your subscription.",
  already: 'Already Subscribed',
  pending: 'Confirmation Pending',
  failed: 'Subscription Failed',
  failedText: 'Failed to subscribe',
  landingFailedText: 'Failed to subscribe. Please try again.',
  listNotFound: 'List Not Found',
  listFailed: 'This page could not be loaded.',
  next: 'What happens next?',
  pendingTitle: 'Check Your Email',
} as const;

/** Shown when the subscription was accepted. */
export const subscribedToast: Toast = {
  title: messages.subscribed,
  description: messages.subscribedText,
  variant: 'success',
};

/** Shown when the subscription was refused: the server's words under a title that fits them. */
export function refusedToast(error: unknown, fallback: string): Toast {
  const description = errorMessage(error, fallback);
  if (description.includes('already subscribed to this list'))
    return { title: messages.already, description, variant: 'info' };
  if (description.includes('confirmation email has already been sent'))
    return { title: messages.pending, description, variant: 'info' };
  return { title: messages.failed, description, variant: 'destructive' };
}
