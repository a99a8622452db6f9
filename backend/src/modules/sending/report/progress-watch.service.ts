import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AccountChanges } from '../../../shared/changes/account-changes.service.js';
import { DeliveryTuning } from '../../delivery/index.js';
import { RecentSends } from '../../history/index.js';

/**
 * Announces the counts of running sends to accounts with an event stream on this instance. While one of these accounts
 * is sending, runs one statement a second for all of them; otherwise none. The delivery code need not announce
 * anything.
 */
@Injectable()
export class ProgressWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(ProgressWatch.name);
  private counted = new Map<string, number>();
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly changes: AccountChanges,
    private readonly sends: RecentSends,
    private readonly tuning: DeliveryTuning,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.watch((_account, kind) => {
      if (kind === 'opened' || kind === 'send') this.wake();
    });
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Queries after a short pause, because a send may have begun, and keeps querying while one is running. */
  private wake(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => void this.refresh(), this.tuning.progressMs).unref();
  }

  private async refresh(): Promise<void> {
    this.timer = undefined;
    const pending = await this.sends.countedOf(this.changes.followed).catch((error: unknown) => {
      this.log.warn({ err: error, code: 'progress_unreadable' }, 'the progress of sends could not be read');
      return undefined;
    });
    if (pending) {
      for (const { id, userId, counted } of pending)
        if ((this.counted.get(id) ?? 0) !== counted) this.changes.note(userId, 'progress', id);
      this.counted = new Map(pending.map(({ id, counted }) => [id, counted]));
    }
    if (pending?.length !== 0 && this.changes.followed.length > 0) this.wake();
  }
}
