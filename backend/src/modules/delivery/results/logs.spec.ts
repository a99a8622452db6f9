import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Settings } from '../../../shared/config/settings.js';
import type { DeliveryClaims } from '../batches/delivery-claims.service.js';
import type { CancelRemaining } from '../cancel-remaining.service.js';
import { LogRecovery } from './log-recovery.service.js';
import { BatchStartRecord, StartLog } from './start-log.service.js';
import type { RejectedLogLines } from './rejected-log-lines.service.js';
import { type LogPart, ResultLog } from './result-log.service.js';

let settings: Settings;
const fresh = (): void => void (settings = { dataDir: mkdtempSync(join(tmpdir(), 'staffcast-journals-')) } as Settings);
const cleared = (): void => rmSync(settings.dataDir, { recursive: true, force: true });

const noClaims = {} as DeliveryClaims;
const noneRefused = {} as RejectedLogLines;
type Key = { id: string };

/** Ids of the results that another worker would recover from the files after a kill. */
async function foundInResults(): Promise<string[]> {
  const ids: string[] = [];
  await new ResultLog(
    settings,
    { settle: async (results: Key[]) => void ids.push(...results.map(({ id }) => id)) } as unknown as DeliveryClaims,
    noneRefused,
  ).recover();
  return ids;
}
async function foundUnbegun(): Promise<string[]> {
  const ids: string[] = [];
  await new StartLog(
    settings,
    { requeueUnbegun: async (keys: Key[]) => ids.push(...keys.map(({ id }) => id)) } as unknown as DeliveryClaims,
    noneRefused,
  ).recover('now');
  return ids.sort();
}

describe('a worker killed at any time', () => {
  it('leaves every stored result that the rows lack readable, whatever was written last', async () => {
    const step = fc.oneof(
      // Long lines fill up a file, so that a new one begins.
      fc.record({ keep: fc.integer({ min: 1, max: 4 }), length: fc.constantFrom(10, 10, 300_000) }),
      fc.record({ forget: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }) }),
    );
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          const journal = new ResultLog(settings, noClaims, noneRefused);
          const open: { id: string; part: LogPart }[] = [];
          let made = 0;
          const forget = (at: number): void => journal.forget(open.splice(at % open.length, 1)[0]!.part);
          for (const one of steps) {
            if ('keep' in one) {
              const ids = Array.from({ length: one.keep }, () => `r${++made}`);
              const part = journal.keep(ids.map((id) => JSON.stringify({ id, said: 'x'.repeat(one.length) })))!;
              open.push(...ids.map((id) => ({ id, part })));
            } else for (const at of one.forget) if (open.length > 0) forget(at);
            expect(await foundInResults()).toEqual(expect.arrayContaining(open.map(({ id }) => id)));
          }
          while (open.length > 0) forget(0);
          expect(await foundInResults()).toEqual([]);
        })
        .beforeEach(fresh)
        .afterEach(cleared),
      { numRuns: 40 },
    );
  });

  it('has the messages that it had not begun requeued, and no others', async () => {
    const turns = fc.array(fc.uniqueArray(fc.nat({ max: 29 }), { maxLength: 6 }), { maxLength: 5 });
    await fc.assert(
      fc
        .asyncProperty(fc.integer({ min: 1, max: 30 }), turns, fc.nat(), async (size, begins, cut) => {
          const group = Array.from({ length: size }, (_, n) => ({ id: `m${n}`, attempt: 1 }));
          const record = new StartLog(settings, noClaims, noneRefused).open(group)!;
          const path = join(settings.dataDir, 'groups', readdirSync(join(settings.dataDir, 'groups'))[0]!);
          const left = new Set(group.map(({ id }) => id));
          let noted = readFileSync(path).length;
          for (const turn of begins) {
            const before = [...left];
            for (const { id } of turn.flatMap((place) => group[place] ?? [])) if (left.delete(id)) record.begin(id);
            await new Promise(setImmediate);
            expect(await foundUnbegun()).toEqual([...left].sort());
            if (turn === begins.at(-1)) {
              // Simulates a kill during the writing of the last line: the messages of that line had not left yet, those
              // of earlier lines had.
              const whole = readFileSync(path).length;
              truncateSync(path, noted + (cut % (whole - noted + 1)));
              expect(before).toEqual(expect.arrayContaining(await foundUnbegun()));
            }
            noted = readFileSync(path).length;
          }
          record.close();
        })
        .beforeEach(fresh)
        .afterEach(cleared),
      { numRuns: 60 },
    );
  });
});

it('a start log that can neither be completed nor removed ends its process before the bodies leave', () => {
  const refuse = (): never => {
    throw new Error('the disk is read-only');
  };
  const record = new BatchStartRecord({ append: refuse, remove: refuse, leave: () => undefined } as never, [
    { id: 'm0', attempt: 1 },
  ]);
  const ticks: (() => void)[] = [];
  const nextTick = jest.spyOn(process, 'nextTick').mockImplementation((tick) => void ticks.push(tick as () => void));
  try {
    record.begin('m0');
    record.close({ keep: true });
  } finally {
    nextTick.mockRestore();
  }
  expect(() => ticks.at(-1)!()).toThrow('the disk is read-only');
});

describe('recovery', () => {
  const twoMessages = [0, 1].map((n) => ({ id: `m${n}`, attempt: 1 }));
  beforeEach(fresh);
  afterEach(cleared);

  it('takes the database time before it reads the logs, and asks for the rows with the token of each record', async () => {
    let token = 0;
    const asked: unknown[] = [];
    const written: unknown[] = [];
    const claims = {
      // Files that appear after the time was taken have to be found.
      databaseTime: () => {
        token = new StartLog(settings, noClaims, noneRefused).open(twoMessages)!.claimToken;
        new ResultLog(settings, noClaims, noneRefused).keep([JSON.stringify({ id: 'r1' })]);
        return Promise.resolve('the time');
      },
      settle: (results: Key[]) => Promise.resolve(void written.push(...results)),
      requeueUnbegun: (...args: unknown[]) => {
        expect(written).toEqual([{ id: 'r1' }]);
        asked.push(args);
        return Promise.resolve(2);
      },
    } as unknown as DeliveryClaims;
    const recovery = new LogRecovery(
      claims,
      new ResultLog(settings, claims, noneRefused),
      new StartLog(settings, claims, noneRefused),
      {} as CancelRemaining,
    );
    expect(await recovery.recover()).toEqual({ requeued: 2, leasesEndedBefore: 'the time' });
    expect(asked).toEqual([[twoMessages, token, 'the time']]);
  });

  it.each([
    [
      'that was written before the machine was restarted',
      (text: string) => text.replace(/"boot":"[^"]*"/, '"boot":"?"'),
    ],
    ['with a place that is no number', (text: string) => `${text}\0\n`],
    ['with an empty place', (text: string) => `${text}0,\n`],
    ['with a place in another notation', (text: string) => `${text}00\n`],
    ['with a place that is not in the batch', (text: string) => `${text}2\n`],
    ['with a message that is none', (text: string) => text.replace('"messages":[', '"messages":[null,')],
    ['of the previous version', () => `${JSON.stringify(twoMessages)}\n`],
  ])('requeues nothing for a record %s', async (_, damaged) => {
    new StartLog(settings, noClaims, noneRefused).open(twoMessages)!.close({ keep: true });
    const folder = join(settings.dataDir, 'groups');
    const path = join(folder, readdirSync(folder)[0]!);
    expect(await foundUnbegun()).toEqual(['m0', 'm1']);
    writeFileSync(path, damaged(readFileSync(path, 'utf8')));
    expect(await foundUnbegun()).toEqual([]);
  });
});
