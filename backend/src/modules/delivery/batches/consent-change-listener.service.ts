import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PgNotifyListener } from '../../../shared/database/pg-notify-listener.js';
import { ConsentChanges } from './consent-changes.js';

/** Interval of the keep-alive query in ms. A connection that is silent for twice this time counts as lost. */
const KEEP_ALIVE_MS = 1_000;

/**
 * Listens for consent changes that other processes commit, and passes them to ConsentChanges. While the connection is
 * down, ConsentChanges limits the age of consent answers to one second.
 */
@Injectable()
export class ConsentChangeListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly listener: PgNotifyListener;

  constructor(
    @Inject(MikroORM) orm: PostgresORM,
    private readonly changes: ConsentChanges,
  ) {
    this.listener = new PgNotifyListener(
      orm,
      'consent_changes',
      {
        heard: (payload) => this.changes.note(payload.split(' ')),
        listening: (since) => {
          this.heardAt(since);
          this.changes.noteAll();
        },
        alive: (since) => {
          this.changes.prune(since);
          this.heardAt(since);
        },
        lost: () => this.changes.listeningUntil(-Infinity),
      },
      'consent is checked every second meanwhile',
      KEEP_ALIVE_MS,
    );
  }

  /** Does not wait for the connection. Until it is established, consent answers are only valid for one second. */
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
