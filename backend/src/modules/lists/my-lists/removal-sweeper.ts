import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { ContactRemoval } from '../contacts/contact-removal.service.js';
import { ListRemoval } from './list-removal.service.js';

const SWEEP_MS = 5_000;

/** Completes deletions of lists and contacts that can no longer be undone. */
@Injectable()
export class RemovalSweeper {
  private readonly log = new Logger(RemovalSweeper.name);

  constructor(
    private readonly runner: SingleRunner,
    private readonly contacts: ContactRemoval,
    private readonly lists: ListRemoval,
  ) {}

  @Interval(SWEEP_MS)
  async sweep(): Promise<void> {
    try {
      await this.runner.run('lists.removals', async () => {
        await this.contacts.purge();
        await this.lists.purge();
      });
    } catch (error) {
      this.log.error(
        { err: error, code: 'removal_failed' },
        'deleted lists and contacts could not be purged; the next sweep retries',
      );
    }
  }
}
