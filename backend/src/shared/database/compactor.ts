import type { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { rows } from './rows.js';
import type { SingleRunner } from './single-runner.js';

/** Rows that one statement adds up. */
export const COMPACTED_AT_ONCE = 20_000;

/** Adds up what connections counted apart, on one instance at a time; its schedule is its class's. */
export abstract class Compactor {
  protected readonly log = new Logger(this.constructor.name);
  /** The name of the lock. */
  protected abstract readonly lock: string;
  /** Adds up at most COMPACTED_AT_ONCE rows and gives their number as `n`. */
  protected abstract readonly statement: string;

  constructor(private readonly em: EntityManager, private readonly runner: SingleRunner) {}

  async compact(): Promise<void> {
    for (let n = COMPACTED_AT_ONCE; n === COMPACTED_AT_ONCE; ) n = (await rows<{ n: number }>(this.em.fork(), this.statement))[0]!.n;
  }

  protected async runAlone(): Promise<void> {
    await this.runner.run(this.lock, () => this.compact()).catch((error: unknown) => this.log.error({ err: error }, 'what was counted apart could not be added up'));
  }
}
