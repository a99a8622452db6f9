import { Injectable, Logger } from '@nestjs/common';
import { Batcher } from '../../../shared/database/queries/batcher.js';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { Audience } from '../../lists/index.js';

/** Ms for which sent introductions are collected, so that one statement records them. */
const COLLECT_MS = 50;

/** Records which contacts have received the paragraph that introduces the sender. */
@Injectable()
export class IntroductionRecorder {
  private readonly log = new Logger(IntroductionRecorder.name);
  private readonly batcher = new Batcher<string, void>((contactIds) => this.record(contactIds), COLLECT_MS);

  constructor(private readonly audience: Audience) {}

  /**
   * Resolves once the introduction is recorded or recording has failed. After a failure, the contact gets the
   * introduction again.
   */
  add(contactId: string): Promise<void> {
    return this.batcher.add(contactId);
  }

  private async record(contactIds: string[]): Promise<void[]> {
    await retryDeadlocks(() => this.audience.introduced(contactIds)).catch((error: unknown) =>
      this.log.error(
        { err: error, code: 'introductions_not_noted', contacts: contactIds.length },
        'introductions could not be recorded; they are repeated',
      ),
    );
    return contactIds.map(() => undefined);
  }
}
