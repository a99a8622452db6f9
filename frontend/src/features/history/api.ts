import { useDispatch } from 'react-redux';
import { client } from '../../api/client';
import type { DeliveryCountsDto, DeliveryDto, HistoryEntryDto, HistoryItemDto } from '../../api/endpoints.gen';
import type { SendType } from '../../lib/roles';
import type { PageArgs } from '../../ui/grid/use-server-grid';

export type HistoryItem = HistoryItemDto;
export type HistoryEntry = HistoryEntryDto;
export type DeliveryCounts = DeliveryCountsDto;
export type Delivery = DeliveryDto;
export type DeliveryStatus = DeliveryDto['status'];

export const useHistory = (args: PageArgs, type?: SendType) => client.useListHistoryQuery({ ...args, ...(type && { type }) });

export const useHistoryEntry = (id: string) => client.useGetHistoryEntryQuery({ id });

export const useDeliveries = (id: string, args: PageArgs, status?: DeliveryStatus) =>
  client.useListDeliveriesQuery({ id, ...args, ...(status && { status }) });

/** A send has ended: its record, its log and the list of sends are asked for again. */
export function useRefreshEntry(id: string) {
  const dispatch = useDispatch();
  return () => void dispatch(client.util.invalidateTags([{ type: 'HistoryEntry', id }, { type: 'Deliveries', id }, 'History']));
}

const entryUrl = (id: string) => `/api/email-history/${encodeURIComponent(id)}`;

export const progressUrl = (id: string) => `${entryUrl(id)}/progress`;

/** The delivery log as a file, as it is filtered on the screen. */
export function deliveriesCsvUrl(id: string, filter: { status?: string; search?: string }): string {
  const query = new URLSearchParams(Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1])));
  return `${entryUrl(id)}/deliveries.csv${query.size ? `?${query.toString()}` : ''}`;
}
