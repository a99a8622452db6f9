import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { PgNotifyListener } from '../database/pg-notify-listener.js';
import { AccountChanges } from './account-changes.service.js';

const KEEP_ALIVE_MS = 5_000;

/**
 * Receives the committed changes of all processes through LISTEN/NOTIFY and passes them to the event streams of this
 * web instance. After a lost connection, all streams get `refresh`.
 */
@Injectable()
export class ChangeListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly listener: PgNotifyListener;

  constructor(
    @Inject(MikroORM) orm: PostgresORM,
    changes: AccountChanges,
    private readonly settings: Settings,
  ) {
    this.listener = new PgNotifyListener(
      orm,
      'account_changes',
      {
        heard: (payload) => changes.receive(payload),
        listening: () => changes.resume(),
        lost: () => changes.suspend(),
      },
      'open screens refresh once it is back',
      KEEP_ALIVE_MS,
    );
  }

  onApplicationBootstrap(): void {
    if (this.settings.runsWeb) this.listener.start();
  }

  onModuleDestroy(): void {
    this.listener.stop();
  }
}
