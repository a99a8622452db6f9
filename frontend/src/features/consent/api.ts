import { client } from '../../api/client';
import type { SenderDto } from '../../api/endpoints.gen';
import { isApiError } from '../../api/api-error';

export const useConfirmation = (token: string | null) => client.useConfirmSubscriptionQuery({ token: token ?? '' }, { skip: !token });

/** Unsubscribes by being asked: `wait` holds it until a person has pressed the button. */
export const useUnsubscribe = (token: string, wait: boolean) => client.useReadUnsubscribeQuery({ token }, { skip: wait });

export function useLeaveEverything() {
  const [run, state] = client.useUnsubscribeEverythingMutation();
  return [(token: string) => run({ token }).unwrap(), state] as const;
}

/** Takes back what the link did, or the leaving of one sender. */
export function useUndoUnsubscribe() {
  const [run, state] = client.useUndoUnsubscribeMutation();
  return [(token: string, sender?: string) => run({ token, undoDto: sender ? { sender } : {} }).unwrap(), state] as const;
}

export type Sender = SenderDto;

/** The senders who have the address, once `asked` for; always asked anew, for leaving changes it. */
export const useSenders = (token: string, asked = true) => client.useListSendersQuery({ token }, { refetchOnMountOrArgChange: true, skip: !asked });

export function useLeaveSender() {
  const [run, state] = client.useLeaveSenderMutation();
  return [(token: string, sender: string) => run({ token, leaveSenderDto: { sender } }).unwrap(), state] as const;
}

export function useNeverAsk() {
  const [run, state] = client.useNeverAskMutation();
  return [(token: string) => run({ token }).unwrap(), state] as const;
}

/** The server's text; `unreachable` when no answer came, `fallback` when it said nothing. */
export function failureText(error: unknown, fallback: string, unreachable: string): string {
  if (!isApiError(error) || error.status === 0) return unreachable;
  return error.message || fallback;
}
