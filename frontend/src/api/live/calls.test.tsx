import { describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { answer, fakeApi, page } from '../../../test/fake-api';
import { fakeStreamInEachTest } from '../../../test/fake-stream';
import { contact, list } from '../../../test/fixtures/live-fixtures';
import { makeStore } from '../../app/store-provider';
import { client } from '../client';
import { pauseBefore } from './event-stream';
import { markStale } from './stale-answers';

fakeStreamInEachTest();

describe('a change during a request', () => {
  it.each([
    ['first', false],
    ['repeated', true],
  ])('repeats the %s request once it has ended, because its answer may be outdated', async (_which, known) => {
    let confirmed = false;
    const held: (() => void)[] = [];
    let hold = !known;
    const calls = fakeApi({
      'GET /api/email-lists/l1/subscribers': async () => {
        const rows = [contact({ confirmed })];
        if (hold) await new Promise<void>((go) => held.push(go));
        return page(rows);
      },
    });
    const store = makeStore();
    const ask = store.dispatch(client.endpoints.listContacts.initiate({ id: 'l1' }));
    if (known) {
      await ask;
      hold = true;
      store.dispatch(client.util.invalidateTags([{ type: 'Contacts', id: 'l1' }]));
    }
    await waitFor(() => expect(held).toHaveLength(1));
    confirmed = true;
    hold = false;
    store.dispatch(markStale([{ type: 'Contacts', id: 'l1' }]));
    held[0]!();
    await waitFor(() =>
      expect(
        client.endpoints.listContacts.select({ id: 'l1' })(store.getState() as never).data?.rows[0]?.confirmed,
      ).toBe(true),
    );
    expect(calls).toHaveLength(known ? 3 : 2);
  });
});

describe('a hanging request', () => {
  it('does not delay the refetch of other data', async () => {
    const calls = fakeApi({
      'GET /api/email-lists': page([list]),
      'GET /api/referrals': () => new Promise(() => undefined),
      'DELETE /api/email-lists/l1': answer(null, 204),
    });
    const store = makeStore();
    await store.dispatch(client.endpoints.listEmailLists.initiate({}));
    void store.dispatch(client.endpoints.getReferrals.initiate());
    await store.dispatch(client.endpoints.deleteEmailList.initiate({ id: 'l1' }));
    await waitFor(() =>
      expect(calls.filter(({ path, method }) => method === 'GET' && path === '/api/email-lists')).toHaveLength(2),
    );
  });
});

describe('a request without an answer', () => {
  it('fails after half a minute with a message', async () => {
    jest.useFakeTimers();
    try {
      globalThis.fetch = (input) =>
        new Promise((_, reject) => {
          const { signal } = input as Request;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      const asked = makeStore().dispatch(client.endpoints.getReferrals.initiate());
      await jest.advanceTimersByTimeAsync(29_000);
      await jest.advanceTimersByTimeAsync(1_500);
      expect((await asked).error).toMatchObject({
        code: 'timeout',
        message: 'The server took too long to answer. Please try again.',
      });
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a deleted list', () => {
  it('is removed from the lists, its own screen and its contacts', async () => {
    const store = makeStore();
    const calls = fakeApi({
      'GET /api/email-lists': page([list]),
      'GET /api/email-lists/l1': list,
      'GET /api/email-lists/l1/subscribers': page([contact()]),
      'GET /api/admin/subscriptions': page([]),
      'DELETE /api/email-lists/l1': answer(null, 204),
    });
    await store.dispatch(client.endpoints.getEmailList.initiate({ id: 'l1' }));
    await store.dispatch(client.endpoints.listContacts.initiate({ id: 'l1' }));
    await store.dispatch(client.endpoints.listSubscriptions.initiate({}));
    const before = calls.length;
    await store.dispatch(client.endpoints.deleteEmailList.initiate({ id: 'l1' }));
    await waitFor(() =>
      expect(
        calls
          .slice(before + 1)
          .map(({ path }) => path)
          .sort(),
      ).toEqual(['/api/admin/subscriptions', '/api/email-lists/l1', '/api/email-lists/l1/subscribers']),
    );
  });
});

describe('admin actions on contacts', () => {
  const asked = async (act: (store: ReturnType<typeof makeStore>) => Promise<unknown>) => {
    const store = makeStore();
    const calls = fakeApi({
      'GET /api/admin/subscriptions': page([]),
      'GET /api/email-lists/l1': list,
      'GET /api/email-lists': page([list]),
      'DELETE /api/email-lists/l1/subscribers/c1': answer(null, 204),
      'POST /api/admin/suppressions': answer({ id: 's1' }, 201),
    });
    await store.dispatch(client.endpoints.listSubscriptions.initiate({}));
    await store.dispatch(client.endpoints.getEmailList.initiate({ id: 'l1' }));
    await store.dispatch(client.endpoints.listEmailLists.initiate({}));
    const before = calls.length;
    await act(store);
    await waitFor(() => expect(calls.length).toBe(before + 4));
    return calls
      .slice(before + 1)
      .map(({ path }) => path)
      .sort();
  };
  const all = ['/api/admin/subscriptions', '/api/email-lists', '/api/email-lists/l1'];

  it('shows in the tab Subscriptions: a contact deleted on the default list', async () => {
    expect(
      await asked((store) => store.dispatch(client.endpoints.deleteContact.initiate({ id: 'l1', contactId: 'c1' }))),
    ).toEqual(all);
  });

  it('shows in the counts of lists: a suppressed address', async () => {
    expect(
      await asked((store) =>
        store.dispatch(
          client.endpoints.addSuppression.initiate({
            addSuppressionDto: { email: 'maya@vendor.example', reason: 'x' } as never,
          }),
        ),
      ),
    ).toEqual(all);
  });
});

describe('a preview', () => {
  it('is not cached, because its key contains the whole text', async () => {
    fakeApi({ 'POST /api/send-email/preview': { recipientCount: 1, excluded: {} } });
    const store = makeStore();
    const seen = store.dispatch(
      client.endpoints.previewSend.initiate({
        previewSendDto: { emailListIds: ['l1'], emailType: 'job-post', content: 'long' },
      }),
    );
    await seen;
    seen.unsubscribe();
    await waitFor(() =>
      expect(Object.keys((store.getState() as { api: { queries: object } }).api.queries)).toEqual([]),
    );
  });
});

describe('the reconnection delay of the stream', () => {
  it('grows to a minute and has jitter', () => {
    expect([0, 1, 2, 3, 9].map((tries) => pauseBefore(tries, 1))).toEqual([1000, 2000, 4000, 8000, 60_000]);
    expect(pauseBefore(3, 0)).toBe(4000);
  });
});
