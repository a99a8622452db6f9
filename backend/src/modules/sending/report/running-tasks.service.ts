import { Injectable } from '@nestjs/common';
import { type RecentSend, RecentSends, settledOf } from '../../history/index.js';
import { BulkJobs } from '../../contacts/index.js';
import { RecentImports } from '../../lists/index.js';
import type { RunningSendDto, RunningTasksDto } from './running-tasks.dto.js';

/** Seconds for which an ended task stays listed, so that a client that polls late sees how the task ended. */
const ENDED_SECONDS = 120;

/** Lists an account's running tasks, whichever device started them. */
@Injectable()
export class RunningTasks {
  constructor(
    private readonly sends: RecentSends,
    private readonly imports: RecentImports,
    private readonly bulk: BulkJobs,
  ) {}

  async of(userId: string): Promise<RunningTasksDto> {
    const [sends, imports, bulk] = await Promise.all([
      this.sends.of(userId, ENDED_SECONDS),
      this.imports.of(userId, ENDED_SECONDS),
      this.bulk.recent(userId, ENDED_SECONDS),
    ]);
    return { sends: sends.map(toDto), imports, bulk };
  }
}

function toDto({ id, subject, status, stopped, recipientCount, endedAt, ...counts }: RecentSend): RunningSendDto {
  const queued = status === 'pending' ? Math.max(0, recipientCount - settledOf(counts)) : 0;
  return {
    id,
    subject,
    status,
    ...(stopped && { stopped }),
    recipientCount: String(recipientCount),
    counts: { queued, ...counts },
    endedAt: status === 'pending' || !endedAt ? null : new Date(endedAt).toISOString(),
  };
}
