import { client } from '../../api/client';
import type { ActivityDto, DashboardStatsDto, SendOutcomeDto, TrendDayDto } from '../../api/endpoints.gen';

export type Activity = ActivityDto;
export type Stats = DashboardStatsDto;
export type SendOutcome = SendOutcomeDto;
export type TrendDay = TrendDayDto;
export { useCurrentUser } from '../../api/session';

export const useStats = () => client.useGetDashboardStatsQuery();
export const useTrends = () => client.useGetDashboardTrendsQuery();
export const useOutcomes = () => client.useGetDashboardOutcomesQuery();
