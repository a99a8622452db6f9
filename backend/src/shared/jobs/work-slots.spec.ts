import { describe, expect, it, jest } from '@jest/globals';
import { WorkSlots } from './work-slots.js';

/** Lets all promises settle that wait for nothing but each other. */
const settle = () => new Promise(setImmediate);

describe('the slots of a worker', () => {
  it('take one piece of work after the other, several at a time, until none is left', async () => {
    const left = [1, 2, 3, 4, 5];
    const done: number[] = [];
    let [running, most] = [0, 0];
    const slots = new WorkSlots(
      2,
      async () => {
        const next = left.shift();
        if (next === undefined) return false;
        most = Math.max(most, ++running);
        await settle();
        running -= 1;
        done.push(next);
        return true;
      },
      jest.fn(),
    );
    slots.notify();
    slots.notify();
    while (done.length < 5) await settle();
    expect(most).toBe(2);
    expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('look again where a notification arrives while they find nothing', async () => {
    let looks = 0;
    let answer: (found: boolean) => void = () => undefined;
    const slots = new WorkSlots(
      1,
      () => {
        looks += 1;
        return new Promise((resolve) => (answer = resolve));
      },
      jest.fn(),
    );
    slots.notify();
    slots.notify();
    answer(false);
    await settle();
    expect(looks).toBe(2);
    answer(false);
    await settle();
    expect(looks).toBe(2);
  });

  it('report an error, and work again at the next notification', async () => {
    const takeOne = jest.fn<() => Promise<boolean>>();
    const report = jest.fn();
    const fault = new Error('no database');
    takeOne.mockRejectedValueOnce(fault).mockResolvedValue(false);
    const slots = new WorkSlots(1, takeOne, report);
    slots.notify();
    await settle();
    expect(report.mock.calls).toEqual([[fault]]);
    slots.notify();
    await settle();
    expect(takeOne).toHaveBeenCalledTimes(2);
  });

  it('take nothing more once they are stopped, which waits for what is in progress', async () => {
    let finish: () => void = () => undefined;
    const takeOne = jest.fn(() => new Promise<boolean>((resolve) => (finish = () => resolve(true))));
    const slots = new WorkSlots(1, takeOne, jest.fn());
    slots.notify();
    let isStopped = false;
    const stopped = slots.stop().then(() => (isStopped = true));
    await settle();
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    slots.notify();
    expect(takeOne).toHaveBeenCalledTimes(1);
  });
});
