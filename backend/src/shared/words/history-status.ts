/** Status of a send as a whole (decisions.md D26). */
export const HISTORY_STATUSES = ['pending', 'sent', 'failed'] as const;
export type HistoryStatus = (typeof HISTORY_STATUSES)[number];
