import type { Readable } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import NodeClam from 'clamscan';
import { Settings } from '../../../../shared/config/settings.js';

const TIMEOUT_MS = 60_000;

/** Scans bytes with clamd. */
@Injectable()
export class VirusScanner implements OnApplicationBootstrap {
  private readonly log = new Logger(VirusScanner.name);

  constructor(private readonly settings: Settings) {}

  onApplicationBootstrap(): void {
    if (this.settings.production && this.settings.runsWeb && !this.isOn)
      this.log.warn({ code: 'files_unscanned' }, 'Uploaded files are not scanned for viruses: CLAMD_URL is not set');
  }

  /** Whether a virus scanner is configured. */
  get isOn(): boolean {
    return this.settings.clamd !== undefined;
  }

  /**
   * Scans a stream, and destroys it.
   * @throws if clamd does not answer or gives no result
   */
  async isInfected(content: Readable): Promise<boolean> {
    if (!this.settings.clamd) throw new Error('no virus scanner is set');
    const { host, port } = this.settings.clamd;
    const scanner = await new NodeClam().init({
      clamscan: { active: false },
      clamdscan: { active: true, host, port, timeout: TIMEOUT_MS, localFallback: false, bypassTest: true },
      preference: 'clamdscan',
    });
    try {
      if (content.errored) throw content.errored;
      const { isInfected } = (await scanner.scanStream(content)) as { isInfected: boolean | null };
      if (isInfected === null || isInfected === undefined) throw new Error('clamd could not say');
      return isInfected;
    } finally {
      content.destroy();
    }
  }
}
