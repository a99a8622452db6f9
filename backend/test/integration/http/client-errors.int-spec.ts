import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startApp, type TestApp } from '../../kit/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ env: { RATE_LIMITS: 'on' } });
});
afterAll(() => app.close());
afterEach(() => {
  jest.restoreAllMocks();
});

const report = (over = {}) => ({
  release: 'index-Bx3k9QzT',
  kind: 'screen',
  screen: '/lists/:listId',
  message: "TypeError: Cannot read properties of undefined (reading 'icon')",
  stack: 'at StatusBadge (/assets/format-C1x.js:1:2045)',
  ...over,
});
const post = (body: object, from = '10.1.0.1') =>
  app.http().post('/api/client-errors').set('X-Forwarded-For', from).send(body);

describe('a client error report', () => {
  it('is logged with its release, also signed out, without personal data', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await post(report({ message: 'Error: no row for dana@agency.example' })).expect(204);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({
        code: 'client_error',
        release: 'index-Bx3k9QzT',
        kind: 'screen',
        screen: '/lists/:listId',
        message: 'Error: no row for [address]',
      }),
      'The web app broke in a browser',
    );
  });

  it.each([
    ['an address with an id', { screen: '/unsubscribe/abc?m=1&x=@' }],
    ['a long text', { message: 'x'.repeat(301) }],
    ['another kind', { kind: 'other' }],
    ['a field of its own', { email: 'dana@agency.example' }],
  ])('with %s is refused', async (_what, over) => {
    await post(report(over)).expect(400);
  });

  it('of more than 2 KB is refused', async () => {
    await post(report({ stack: 'x'.repeat(2100) })).expect(413);
  });

  it("is accepted from the product's own pages only", async () => {
    await post(report()).set('Origin', 'https://evil.example').expect(403);
  });

  it('is limited to 20 an hour from one network', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const statuses = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await post(report(), '10.9.9.9')).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(20);
  });
});
