import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeApi, page, someone } from '../../../test/fake-api';
import { FakeSource, fakeStream } from '../../../test/fake-stream';
import { list } from '../../../test/live-fixtures';
import { makeStore } from '../../app/store-provider';
import { client } from '../client';
import { followChanges } from './live-api';

const { getCurrentUser, listEmailLists, listPlans } = client.endpoints;
const past = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const ageOf = (source: FakeSource | undefined) =>
  Number(new URL(source!.url, 'http://own.invalid').searchParams.get('age'));

let restore: () => void;
beforeEach(() => {
  jest.useFakeTimers();
  restore = fakeStream();
});
afterEach(() => {
  restore();
  jest.useRealTimers();
});

describe('the stream of changes', () => {
  it('tells what changed since the oldest answer that may be shown, though who is signed in was asked later', async () => {
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-lists': page([list]),
      'GET /api/billing/plans': [],
    });
    const store = makeStore();
    await Promise.all([store.dispatch(listPlans.initiate()), past(10)]);
    // The answer above never changes, so its age does not count.
    await past(600_000);
    await Promise.all([store.dispatch(listEmailLists.initiate({})), past(10)]);
    // A public page is open meanwhile; another tab reports that the person changed.
    await past(200_000);
    await Promise.all([store.dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true })), past(10)]);
    const layout = store.dispatch(followChanges.initiate('u1'));
    await past(1000);
    expect(ageOf(FakeSource.current)).toBeGreaterThanOrEqual(200_000);
    expect(ageOf(FakeSource.current)).toBeLessThan(300_000);
    layout.unsubscribe();
  });
});
