import { client } from '../../api/client';
import type { ActivityDto, DashboardStatsDto, SendOutcomeDto, TrendDayDto } from '../../api/endpoints.gen';

export type Activity = ActivityDto;
export type Stats = DashboardStatsDto;
export type SendOutcome = SendOutcomeDto;
export type TrendDay = TrendDayDto;
export { useCurrentUser } from '../../api/session';

/** People confirm and leave, and mail is delivered, while nobody looks: whoever comes back after half a minute sees it. */
const fresh = { refetchOnMountOrArgChange: 30 };

export const useStats = () => client.useGetDashboardStatsQuery(undefined, fresh);
export const useTrends = () => client.useGetDashboardTrendsQuery(undefined, fresh);
export const useOutcomes = () => client.useGetDashboardOutcomesQuery(undefined, fresh);
