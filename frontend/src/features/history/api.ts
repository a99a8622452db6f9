import { isApiError } from '../../api/api-error';
import type {
  DeliveryCountsDto,
  DeliveryDto,
  HistoryEntryDto,
  HistoryRowDto,
  LeftOutDto,
  RunningSendDto,
} from '../../api/endpoints.gen';

export type HistoryItem = HistoryRowDto;
export type HistoryEntry = HistoryEntryDto;
export type DeliveryCounts = DeliveryCountsDto;
export type Delivery = DeliveryDto;
export type DeliveryFilter = DeliveryDto['status'] | 'unsubscribed';
export type RunningSend = RunningSendDto;
export type LeftOut = LeftOutDto;

/** The server's text about a refused action on a send, or a text that asks to try again. */
export const failureText = (error: unknown) => (isApiError(error) ? error.message : messages.controlFailedText);

/** URL of the delivery log as a CSV file, filtered as on the screen. */
export const deliveriesCsvUrl = (id: string, filter: { status?: string; search?: string }): string =>
  csvUrl(id, 'deliveries', filter);

/** URL of a CSV file with the people who were left out, filtered as on the screen. */
export const leftOutCsvUrl = (id: string, filter: { reason?: string; search?: string }): string =>
  csvUrl(id, 'left-out', filter);

function csvUrl(id: string, file: string, filter: Record<string, string | undefined>): string {
  const query = new URLSearchParams(
    Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1])),
  );
  return `/api/email-history/${encodeURIComponent(id)}/${file}.csv${query.size ? `?${query.toString()}` : ''}`;
}

/** Texts of the history; e2e journeys and tests assert them. */
export const messages = {
  empty: 'No emails sent yet. Send your first email to get started!',
  noMatch: 'No history found matching your criteria',
  loadFailed: 'The history could not be loaded.',
  entryFailed: 'This send could not be loaded.',
  messageFailed: 'The message could not be made.',
  detailsOfToday: "With the contact's details of today.",
  madeUp: 'Made-up details: those of network members are not shown.',
  leftOutFailed: 'Those who were left out could not be loaded.',
  deliveriesFailed: 'The delivery log could not be loaded.',
  paused: 'Send Paused',
  resumed: 'Send Resumed',
  cancelled: 'Send Cancelled',
  retried: 'Trying Again',
  noneToRetry: 'None of them can be mailed any more.',
  controlFailed: 'Action Failed',
  controlFailedText: 'Please try again.',
} as const;
