import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NotificationListener } from '../../../shared/database/notification-listener.js';
import { ConsentChanges } from './consent-changes.js';

/** How often the connection is tried; a silent one counts as lost after twice that. */
const KEEP_ALIVE_MS = 1_000;

/**
 * Listens for changes of consent that other processes commit, on one connection, and tells ConsentChanges. While the connection is away
 * nothing is heard: ConsentChanges then has answers asked for again after a second.
 */
@Injectable()
export class ConsentChangeListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(ConsentChangeListener.name);
  private readonly listener: NotificationListener;

  constructor(@Inject(MikroORM) orm: PostgresORM, private readonly changes: ConsentChanges) {
    this.listener = new NotificationListener(orm, 'consent_changes', {
      heard: (payload) => this.changes.note(payload.split(' ')),
      listening: (since) => {
        this.heardAt(since);
        this.changes.noteAll();
        if (this.listener.failed > 0) this.log.log({ code: 'consent_changes_heard' }, 'changes of consent are heard again');
      },
      alive: (since) => {
        this.changes.prune(since);
        this.heardAt(since);
      },
      lost: (error, isFirst) => {
        this.changes.listeningUntil(-Infinity);
        if (isFirst) this.log.warn({ err: error, code: 'consent_changes_unheard' }, 'changes of consent are not heard; consent is asked for again every second');
      },
    }, KEEP_ALIVE_MS);
  }

  /** Work may start before the connection stands: answers are good for a second until then. */
  onApplicationBootstrap(): void {
    this.listener.start();
  }

  onModuleDestroy(): void {
    this.listener.stop();
    this.changes.listeningUntil(-Infinity);
  }

  private heardAt(time: number): void {
    this.changes.listeningUntil(time + 2 * KEEP_ALIVE_MS);
  }
}
