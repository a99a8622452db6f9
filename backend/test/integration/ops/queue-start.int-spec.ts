import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Bull from 'bull';
import { startApp, type TestApp } from '../../kit/app.js';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('the worker of the job queues', () => {
  it('starts even where its connections close before Bull has named them', async () => {
    const naming = jest
      .spyOn(Bull.prototype as unknown as { setWorkerName(): Promise<void> }, 'setWorkerName')
      .mockImplementation(() => Promise.reject(new Error('Connection is closed.')));
    const unhandled: unknown[] = [];
    const listener = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listener);
    const other = await startApp({ beside: app });
    try {
      await turn();
      expect(naming).toHaveBeenCalled();
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listener);
      naming.mockRestore();
      await other.close();
    }
  });
});
