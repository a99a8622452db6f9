import { afterEach, describe, expect, it } from '@jest/globals';
import { fakeApi, someone } from '../../test/fake-api';
import { client } from '../api/client';
import { formatDateTime } from '../lib/format';
import { setDisplayZone } from '../lib/zone';
import { makeStore, type SessionChannel } from './store-provider';

const { getCurrentUser } = client.endpoints;
afterEach(() => setDisplayZone(undefined));

describe('two tabs of one user', () => {
  it('both know what one of them stored about the user, and neither repeats it', async () => {
    const said: unknown[] = [];
    const line: SessionChannel = { onmessage: null, postMessage: (message) => void said.push(message) };
    const hears = (data: unknown) =>
      line.onmessage!.call(line as BroadcastChannel, { data } as MessageEvent) as Promise<void>;
    let isVerified = false;
    const calls = fakeApi({ 'GET /api/auth/user': () => someone({ isVerified }) });
    const store = makeStore(line);
    await store.dispatch(getCurrentUser.initiate());
    const first = JSON.stringify(someone({ isVerified: false }));
    expect(said).toEqual([first]);
    await hears(first);
    expect(calls).toHaveLength(1);
    isVerified = true;
    await hears(JSON.stringify(someone({ isVerified: true })));
    expect(getCurrentUser.select()(store.getState() as never).data).toMatchObject({ id: 'u1', isVerified: true });
    expect(calls).toHaveLength(2);
    expect(said).toEqual([first]);
  });
});

describe('times on the screen', () => {
  it("are in the account's time zone as soon as it is known", async () => {
    let timeZone = 'America/New_York';
    fakeApi({ 'GET /api/auth/user': () => someone({ timeZone }) });
    const store = makeStore();
    await store.dispatch(getCurrentUser.initiate());
    expect(formatDateTime('2025-01-05T02:04:00Z')).toBe('Jan 4, 2025, 9:04 PM EST');
    timeZone = 'Asia/Kolkata';
    await store.dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true }));
    expect(formatDateTime('2025-01-05T02:04:00Z')).toMatch(/^Jan 5, 2025, 7:34 AM /);
  });
});
