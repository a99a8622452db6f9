import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../postgres/postgres.ts';
import { exitReason, type Run } from './run.ts';

/** Pauses before the restarts. If no restart succeeds, the run ends. */
const PAUSES_MS = [200, 1_000, 2_000, 4_000, 8_000];
/** A part that has run for this long may again be restarted as often as at first. */
const STABLE_MS = 60_000;

/**
 * Restarts a part, with the same data and URL, when it exits unexpectedly. Ends the run if the part does not stay up.
 */
export function restartOnExit(run: Run, first: Service, say: (text: string) => void): void {
  let tries = 0;
  const watch = (service: Service): void => {
    const startedAt = Date.now();
    const { part } = service;
    void part.exited.then(async (exit) => {
      if (run.stopping || part.stopping || !service.restart) return;
      run.forget(part);
      if (Date.now() - startedAt >= STABLE_MS) tries = 0;
      while (tries < PAUSES_MS.length) {
        say(`${part.name} ended unexpectedly (${exitReason(exit)}). It is started again …`);
        await sleep(PAUSES_MS[tries]);
        tries += 1;
        if (run.stopping) return;
        const next = await service.restart().catch(() => undefined);
        if (run.stopping) return;
        if (!next) continue;
        say(`${part.name} is back.`);
        return watch(next);
      }
      run.crash(part, exit, `ended unexpectedly again and was not brought back after ${PAUSES_MS.length} tries`);
    });
  };
  watch(first);
}
