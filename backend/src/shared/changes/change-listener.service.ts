import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { NotificationListener } from '../database/notification-listener.js';
import { AccountChanges } from './account-changes.service.js';

const KEEP_ALIVE_MS = 5_000;

/**
 * Hears what any process commits and hands it to the streams of this web instance. While its connection is away nothing is heard; once
 * it is back, every stream is told to refresh.
 */
@Injectable()
export class ChangeListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(ChangeListener.name);
  private readonly listener: NotificationListener;

  constructor(@Inject(MikroORM) orm: PostgresORM, changes: AccountChanges, private readonly settings: Settings) {
    this.listener = new NotificationListener(orm, 'account_changes', {
      heard: (payload) => changes.heard(payload),
      listening: () => {
        changes.heardFromNow();
        if (this.listener.failed > 0) this.log.log({ code: 'account_changes_heard' }, 'changes of accounts are heard again');
      },
      lost: (error, isFirst) => {
        changes.unheard();
        if (isFirst) this.log.warn({ err: error, code: 'account_changes_unheard' }, 'changes of accounts are not heard; open screens refresh once they are');
      },
    }, KEEP_ALIVE_MS);
  }

  onApplicationBootstrap(): void {
    if (this.settings.runsWeb) this.listener.start();
  }

  onModuleDestroy(): void {
    this.listener.stop();
  }
}
