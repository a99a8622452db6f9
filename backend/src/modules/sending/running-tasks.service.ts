import { Injectable } from '@nestjs/common';
import { RecentImports } from '../lists/index.js';
import { RecentSends, type RecentSend, settledOf } from '../history/index.js';
import type { RunningSendDto, RunningTasksDto } from './dto/running-tasks.dto.js';

/** Ended ones stay in the answer for so long: who looks after the end learns how it went. */
const ENDED_SECONDS = 120;

/** What runs for an account, wherever the person is. */
@Injectable()
export class RunningTasks {
  constructor(private readonly sends: RecentSends, private readonly imports: RecentImports) {}

  async of(userId: string): Promise<RunningTasksDto> {
    const [sends, imports] = await Promise.all([this.sends.of(userId, ENDED_SECONDS), this.imports.of(userId, ENDED_SECONDS)]);
    return { sends: sends.map(toDto), imports };
  }
}

function toDto({ id, subject, status, stopped, recipientCount, endedAt, ...counts }: RecentSend): RunningSendDto {
  const queued = status === 'pending' ? Math.max(0, recipientCount - settledOf(counts)) : 0;
  return {
    id, subject, status, ...(stopped && { stopped }), recipientCount: String(recipientCount), counts: { queued, ...counts },
    endedAt: status === 'pending' || !endedAt ? null : new Date(endedAt).toISOString(),
  };
}
