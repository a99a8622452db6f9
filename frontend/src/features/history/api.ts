import { isApiError } from '../../api/api-error';
import { client } from '../../api/client';
import type { DeliveryCountsDto, DeliveryDto, HistoryEntryDto, HistoryRowDto, RunningSendDto } from '../../api/endpoints.gen';
import type { SendType } from '../../lib/roles';
import type { PageArgs } from '../../ui/grid/use-server-grid';
import { messages } from './messages';

export type HistoryItem = HistoryRowDto;
export type HistoryEntry = HistoryEntryDto;
export type DeliveryCounts = DeliveryCountsDto;
export type Delivery = DeliveryDto;
export type DeliveryFilter = DeliveryDto['status'] | 'unsubscribed';
export type RunningSend = RunningSendDto;
export type SendControl = 'pause' | 'resume' | 'cancel';

export const useHistory = (args: PageArgs, type?: SendType) => client.useListHistoryQuery({ ...args, outcome: 'true', ...(type && { type }) });

export const useHistoryEntry = (id: string) => client.useGetHistoryEntryQuery({ id });

export const useDeliveries = (id: string, args: PageArgs, status?: DeliveryFilter) =>
  client.useListDeliveriesQuery({ id, ...args, ...(status && { status }) });

const noSend = { send: undefined, at: 0 };

/** A send as the layout follows what runs; undefined while it is not asked for, or not among the newest that run. */
export function useRunningSend(id: string, wanted: boolean): { send: RunningSend | undefined; at: number } {
  const { data, fulfilledTimeStamp = 0 } = client.useGetRunningTasksQuery(undefined, { skip: !wanted });
  return wanted ? { send: data?.sends.find((one) => one.id === id && one.status === 'pending'), at: fulfilledTimeStamp } : noSend;
}

/** Pause, resume or cancel; and whether one of them is under way. */
export function useSendControls(id: string) {
  const [pause, pausing] = client.usePauseSendMutation();
  const [resume, resuming] = client.useResumeSendMutation();
  const [cancel, cancelling] = client.useCancelSendMutation();
  const calls = { pause, resume, cancel };
  return [(what: SendControl) => calls[what]({ id }).unwrap(), pausing.isLoading || resuming.isLoading || cancelling.isLoading] as const;
}

export function useRetrySend(id: string) {
  const [retry, { isLoading }] = client.useRetrySendMutation();
  return [async () => (await retry({ id }).unwrap()).retried, isLoading] as const;
}

/** The server says what a person should know about a refusal. */
export const failureText = (error: unknown) => (isApiError(error) ? error.message : messages.controlFailedText);

const entryUrl = (id: string) => `/api/email-history/${encodeURIComponent(id)}`;

/** The delivery log as a file, as it is filtered on the screen. */
export function deliveriesCsvUrl(id: string, filter: { status?: string; search?: string }): string {
  const query = new URLSearchParams(Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1])));
  return `${entryUrl(id)}/deliveries.csv${query.size ? `?${query.toString()}` : ''}`;
}
