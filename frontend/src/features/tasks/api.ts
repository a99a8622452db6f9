import { client } from '../../api/client';
import type { RecentImportDto, RunningSendDto } from '../../api/endpoints.gen';

export type RunningSend = RunningSendDto;
export type RunningImport = RecentImportDto;

/** The sends and imports that run, and those that ended within the last two minutes. */
export const useRunningTasks = () => client.useGetRunningTasksQuery();
