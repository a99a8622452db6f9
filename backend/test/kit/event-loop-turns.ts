import { setImmediate as nextTask } from 'node:timers/promises';
import { EventLoopTurns } from '../../src/shared/lifecycle/event-loop-turns.js';

/** How often other work of the process gets a turn during `work`, if each of its steps takes the maximum time. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const { isDue } = EventLoopTurns.prototype;
  EventLoopTurns.prototype.isDue = () => true;
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTask();
  })();
  try {
    await work();
    return turns;
  } finally {
    isOver = true;
    EventLoopTurns.prototype.isDue = isDue;
    await others;
  }
}
