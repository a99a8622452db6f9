import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stillRuns } from '../../../scripts/lib/identity.mjs';
import { signalGroup } from './signals.ts';

interface PidRecord {
  pid: number;
  identity: string;
  stopSignal: NodeJS.Signals;
}

/** Stops processes that a killed run left running. Requires the lock of the data folder. @returns their names */
export async function stopOrphans(pidDir: string, graceMs = 8_000): Promise<string[]> {
  if (!existsSync(pidDir)) return [];
  const stopped: string[] = [];
  for (const file of readdirSync(pidDir)) {
    const record = parse(join(pidDir, file));
    if (record && stillRuns(record)) {
      await stopOne(record, graceMs);
      stopped.push(file.replace(/\.json$/, ''));
    }
    rmSync(join(pidDir, file), { force: true });
  }
  return stopped;
}

async function stopOne(record: PidRecord, graceMs: number): Promise<void> {
  signalGroup(record.pid, record.stopSignal);
  const deadline = Date.now() + graceMs;
  while (stillRuns(record) && Date.now() < deadline) await sleep(50);
  signalGroup(record.pid, 'SIGKILL');
}

function parse(path: string): PidRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PidRecord;
  } catch {
    return undefined;
  }
}
