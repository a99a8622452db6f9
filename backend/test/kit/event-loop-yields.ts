import { setImmediate as nextTask } from 'node:timers/promises';
import { EventLoopYielder } from '../../src/shared/lifecycle/event-loop-yielder.js';

/** Number of times that `work` yields to other work of the process, if each of its steps takes the maximum time. */
export async function yieldsDuring(work: () => Promise<unknown>): Promise<number> {
  const { isDue } = EventLoopYielder.prototype;
  EventLoopYielder.prototype.isDue = () => true;
  let yields = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; yields += 1) await nextTask();
  })();
  try {
    await work();
    return yields;
  } finally {
    isOver = true;
    EventLoopYielder.prototype.isDue = isDue;
    await others;
  }
}
