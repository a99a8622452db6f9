import { isApiError } from '../../api/api-error';
import type {
  ConfirmedDto,
  LeaveSenderDto,
  SenderChoicesDto,
  SenderDto,
  UndoDto,
  UnsubscribedDto,
} from '../../api/endpoints.gen';
import { fetchJson, useFetchQuery, useFetchMutation } from '../../api/fetch-json';

const linkPath = (token: string) => `/api/unsubscribe/${encodeURIComponent(token)}`;

export const useConfirmation = (token: string | null) =>
  useFetchQuery<ConfirmedDto>(token && `/api/subscribe/confirm/${encodeURIComponent(token)}`);

/** Unsubscribes by a GET request, once. With `wait`, the request is sent only after a person has pressed the button. */
export const useUnsubscribe = (token: string, wait: boolean) =>
  useFetchQuery<UnsubscribedDto>(wait ? null : linkPath(token));

export const useLeaveEverything = () =>
  useFetchMutation((token: string) => fetchJson<UnsubscribedDto>('POST', `${linkPath(token)}/all`));

/** Undoes the unsubscription, or the unsubscription from one sender. */
export const useUndoUnsubscribe = () =>
  useFetchMutation((token: string, sender?: string) =>
    fetchJson<UnsubscribedDto>('POST', `${linkPath(token)}/undo`, (sender ? { sender } : {}) satisfies UndoDto),
  );

export type Sender = SenderDto;

/** The senders who have the address on a list. `show` loads them. */
export const useSenders = (token: string, show: boolean) =>
  useFetchQuery<SenderChoicesDto>(show ? `${linkPath(token)}/senders` : null);
export type Senders = ReturnType<typeof useSenders>;

export const useLeaveSender = () =>
  useFetchMutation((token: string, sender: string) =>
    fetchJson<UnsubscribedDto>('POST', `${linkPath(token)}/leave`, { sender } satisfies LeaveSenderDto),
  );

/** The server's text; `unreachable` without an answer, `fallback` without a text. */
export function failureText(error: unknown, fallback: string, unreachable: string): string {
  if (!isApiError(error) || error.status === 0) return unreachable;
  return error.message || fallback;
}

/** Texts of confirming and unsubscribing; e2e journeys and tests assert them. */
export const messages = {
  noConfirmationToken: 'No confirmation token provided',
  confirmFailed: 'Confirmation Failed',
  confirmFailedText: 'Failed to confirm subscription',
  confirmUnreachable: 'Failed to confirm subscription. Please try again.',
  confirmed: 'Subscription Confirmed!',
  unsubscribeInvalid: 'Invalid unsubscribe link',
  unsubscribeFailed: 'Failed to unsubscribe',
  unsubscribeUnreachable: 'An error occurred while unsubscribing',
  sendersFailed: 'Your senders could not be loaded.',
  removed: 'has been removed from our mailing list',
  back: 'Welcome back',
  returned: 'gets mail from this sender again',
  testTitle: 'Test message',
  testText: 'This is a test message. There is nothing to leave.',
  testerTitle: 'Get test emails?',
  testerConfirmed: 'Confirmed',
  testerFailed: 'Not confirmed',
  neverAskTitle: 'Never be asked again?',
  neverAsked: 'Done',
  neverAskFailed: 'Not changed',
  tryAgain: 'Please try again.',
} as const;
