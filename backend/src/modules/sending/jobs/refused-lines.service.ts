import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { Metrics } from '../../../shared/metrics/metrics.service.js';

/**
 * Keeps lines of the journals that the database refuses, a file each under DATA_DIR/refused, for a person to look at: recovery goes on without
 * them. A line is kept, logged and counted once, however often its journal is read.
 */
@Injectable()
export class RefusedLines {
  private readonly log = new Logger(RefusedLines.name);
  private readonly folder: string;

  constructor(
    settings: Settings,
    private readonly metrics: Metrics,
  ) {
    this.folder = join(settings.dataDir, 'refused');
  }

  keep(journal: 'results' | 'groups', line: string, error: unknown): void {
    const name = `${journal}-${createHash('sha256').update(line).digest('hex').slice(0, 32)}.json`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.folder, name), `${line}\n`, { flag: 'wx', mode: 0o600 });
    } catch (failure) {
      if ((failure as { code?: string }).code === 'EEXIST') return;
      this.log.warn({ err: failure, code: 'journal_line_not_kept' }, 'a refused line of a journal could not be kept');
    }
    this.metrics.journalLineRefused(journal);
    this.log.error({ err: error, code: 'journal_line_refused', file: name }, 'the database refuses a line of a journal; it was put aside under DATA_DIR/refused');
  }
}
