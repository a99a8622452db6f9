import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { BackgroundLoop } from '../../../shared/database/background-loop.js';
import { ProfileBackfill } from './profile-backfill.service.js';

const BACKFILL_EVERY_MS = 10_000;
const REOPEN_EVERY_MS = 3_600_000;
/** Pause in ms between two batches, which leaves the database to other work. */
const PAUSE_BETWEEN_BATCHES_MS = 100;

/** Runs the backfill of profiles until no account is left, on any number of workers. */
@Injectable()
export class ProfileBackfillSchedule implements BeforeApplicationShutdown {
  private readonly log = new Logger(ProfileBackfillSchedule.name);
  private readonly loop: BackgroundLoop;

  constructor(
    em: EntityManager,
    private readonly backfill: ProfileBackfill,
  ) {
    this.loop = new BackgroundLoop(em, PAUSE_BETWEEN_BATCHES_MS);
  }

  @Interval(BACKFILL_EVERY_MS)
  async run(): Promise<void> {
    await this.loop
      .run(() => this.backfill.batch())
      .catch((error: unknown) => {
        this.log.error(
          { err: error, code: 'profile_backfill_failed' },
          'profiles of present contacts could not be made; the next run goes on',
        );
      });
  }

  @Interval(REOPEN_EVERY_MS)
  async reopenForUnlinkedContacts(): Promise<void> {
    await this.backfill.reopenForUnlinkedContacts().catch((error: unknown) => {
      this.log.error(
        { err: error, code: 'profile_backfill_reopen_failed' },
        'accounts with contacts without a profile could not be looked for; the next hour tries again',
      );
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
