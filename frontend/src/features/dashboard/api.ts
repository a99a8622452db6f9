import { client } from '../../api/client';
import type { HistoryItemDto } from '../../api/endpoints.gen';

export type RecentSend = HistoryItemDto;
export { useCurrentUser } from '../../api/session';

const RECENT = 5;

export const useRecentSends = () => client.useListHistoryQuery({ limit: RECENT });
