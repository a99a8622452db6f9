import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AccountChanges } from '../../shared/changes/account-changes.service.js';
import { RecentSends } from '../history/index.js';
import { SendingTuning } from './sending-tuning.js';

/**
 * Notices that the counts of running sends move, for the accounts that have a stream open here: one statement a second, and none while
 * none of them sends. The delivery path tells nobody, so it costs nothing there.
 */
@Injectable()
export class ProgressWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(ProgressWatch.name);
  private counted = new Map<string, number>();
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly changes: AccountChanges, private readonly sends: RecentSends, private readonly tuning: SendingTuning) {}

  onApplicationBootstrap(): void {
    this.changes.watch((_account, kind) => {
      if (kind === 'opened' || kind === 'send') this.wake();
    });
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** A send may have begun; looks at it soon, and goes on while one runs. */
  private wake(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => void this.look(), this.tuning.progressMs).unref();
  }

  private async look(): Promise<void> {
    this.timer = undefined;
    const pending = await this.sends.countedOf(this.changes.followed).catch((error: unknown) => {
      this.log.warn({ err: error, code: 'progress_unreadable' }, 'the progress of sends could not be read');
      return undefined;
    });
    if (pending) {
      for (const { id, userId, counted } of pending) if ((this.counted.get(id) ?? 0) !== counted) this.changes.note(userId, 'progress', id);
      this.counted = new Map(pending.map(({ id, counted }) => [id, counted]));
    }
    if (pending?.length !== 0 && this.changes.followed.length > 0) this.wake();
  }
}
