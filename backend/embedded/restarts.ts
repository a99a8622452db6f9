import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './postgres.ts';
import { howItEnded, type Run } from './run.ts';

/** Pauses before the tries to bring a part back; after the last one it is given up. */
const PAUSES_MS = [200, 1_000, 2_000, 4_000, 8_000];
/** A part that ran for so long has its tries back. */
const STABLE_MS = 60_000;

/** Starts a part again, with its data and at its address, when it ends by itself. The run crashes once it does not stay up. */
export function keepAlive(run: Run, first: Service, say: (text: string) => void): void {
  let tries = 0;
  const watch = (service: Service): void => {
    const startedAt = Date.now();
    const { part } = service;
    void part.exited.then(async (exit) => {
      if (run.stopping || part.stopping || !service.again) return;
      run.forget(part);
      if (Date.now() - startedAt >= STABLE_MS) tries = 0;
      while (tries < PAUSES_MS.length) {
        say(`${part.name} ended unexpectedly (${howItEnded(exit)}). It is started again …`);
        await sleep(PAUSES_MS[tries]);
        tries += 1;
        if (run.stopping) return;
        const next = await service.again().catch(() => undefined);
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
