import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { Metrics } from '../../../shared/metrics/metrics.service.js';

/**
 * Keeps log lines that the database rejects, one file each under DATA_DIR/refused, so that the operator can examine
 * them. Recovery continues without them. A line is kept, logged and counted once, however often its log is read.
 */
@Injectable()
export class RejectedLogLines {
  private readonly log = new Logger(RejectedLogLines.name);
  private readonly folder: string;

  constructor(
    settings: Settings,
    private readonly metrics: Metrics,
  ) {
    this.folder = join(settings.dataDir, 'refused');
  }

  keep(logName: 'results' | 'groups', line: string, error: unknown): void {
    const name = `${logName}-${createHash('sha256').update(line).digest('hex').slice(0, 32)}.json`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.folder, name), `${line}\n`, { flag: 'wx', mode: 0o600 });
    } catch (failure) {
      if ((failure as { code?: string }).code === 'EEXIST') return;
      this.log.warn(
        { err: failure, code: 'rejected_line_not_stored' },
        'a rejected line of a worker log could not be stored',
      );
    }
    this.metrics.logLineRejected(logName);
    this.log.error(
      { err: error, code: 'worker_log_line_rejected', file: name },
      'the database rejects a line of a worker log; the line is stored under DATA_DIR/refused',
    );
  }
}
