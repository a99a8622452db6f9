import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './world.js';

/** Makes calls as one account. */
export type Caller = Pick<World, 'call'>;

/**
 * Calls the paths in turn, about `perSecond` times a second, for some seconds or until the given function returns
 * false.
 * @returns duration of each call in ms
 */
export async function apiLoad(
  caller: Caller,
  paths: readonly string[],
  seconds: number | (() => boolean),
  perSecond = 100,
): Promise<number[]> {
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const started = performance.now();
  const goesOn = typeof seconds === 'number' ? () => performance.now() - started < seconds * 1000 : seconds;
  for (let n = 0; goesOn(); n++) {
    const due = started + (n * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    calls.push(one(caller, paths[n % paths.length]!, times));
  }
  await Promise.all(calls);
  return times;
}

async function one(caller: Caller, path: string, times: number[]): Promise<void> {
  const start = performance.now();
  const answer = await caller.call('GET', path);
  await answer.arrayBuffer();
  times.push(performance.now() - start);
}
