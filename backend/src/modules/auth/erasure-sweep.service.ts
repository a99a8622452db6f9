import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '../../shared/database/single-runner.js';
import { AccountErasure } from './account-erasure.service.js';

const MINUTE_MS = 60_000;

/** Finishes the erasure of accounts that a crash or a failure interrupted. */
@Injectable()
export class ErasureSweep {
  private readonly logger = new Logger(ErasureSweep.name);

  constructor(private readonly erasure: AccountErasure, private readonly runner: SingleRunner) {}

  @Interval(MINUTE_MS)
  async run(): Promise<void> {
    await this.runner.run('auth.erasure', () => this.erasure.eraseLeftOver()).catch((error: unknown) => this.logger.error(error));
  }
}
