import { describe, expect, it, jest } from '@jest/globals';
import { answer, fakeApi, page, refusal, signedOut, someone } from '../../test/fake-api';
import { makeStore } from '../app/store-provider';
import { toApiError } from './api-error';
import { client } from './client';
import { nextCursor } from './paged';

describe('API errors', () => {
  it("show the body's message, and have status and body", async () => {
    fakeApi({
      'POST /api/email-lists': refusal(403, 'plan_limit', 'Your plan allows 3 lists.', [
        { field: 'name', message: 'x' },
      ]),
    });
    const failed = await makeStore().dispatch(
      client.endpoints.createEmailList.initiate({ createEmailListDto: { name: 'a' } }),
    );
    expect(failed.error).toMatchObject({
      status: 403,
      code: 'plan_limit',
      message: 'Your plan allows 3 lists.',
      details: [{ field: 'name', message: 'x' }],
    });
    expect(failed.error && 'text' in failed.error && failed.error.text).toMatch(/^403: \{.*"plan_limit".*\}$/);
  });

  it('contain the time to wait', async () => {
    fakeApi({
      'POST /api/auth/resend-verification': answer({ code: 'rate_limited', message: 'Too many' }, 429, {
        'retry-after': '60',
      }),
    });
    const failed = await makeStore().dispatch(client.endpoints.resendVerification.initiate());
    expect(failed.error).toMatchObject({ status: 429, retryAfter: 60 });
  });

  it('have a message where the server is unreachable or answers no JSON', () => {
    expect(toApiError({ status: 'FETCH_ERROR', error: 'TypeError' })).toMatchObject({ status: 0, code: 'unreachable' });
    expect(toApiError({ status: 'PARSING_ERROR', originalStatus: 502, data: '<html>', error: 'x' })).toMatchObject({
      status: 502,
      text: '502: <html>',
    });
  });
});

describe('API calls', () => {
  it('have a JSON content type only with a body', async () => {
    const calls = fakeApi({
      'POST /api/auth/logout': { message: 'ok' },
      'POST /api/auth/login': { message: 'ok', user: someone() },
    });
    const store = makeStore();
    await store.dispatch(client.endpoints.logout.initiate());
    await store.dispatch(client.endpoints.login.initiate({ loginDto: { email: 'a@b.example', password: 'x' } }));
    expect(calls[0]?.headers.get('content-type')).toBeNull();
    expect(calls[1]?.headers.get('content-type')).toBe('application/json');
  });

  it('time out after half a minute, except for uploads', async () => {
    jest.useFakeTimers();
    try {
      globalThis.fetch = (input) =>
        new Promise((_, reject) => {
          const { signal } = input as Request;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      const store = makeStore();
      const settled: string[] = [];
      void store
        .dispatch(client.endpoints.setAvatar.initiate({ body: new Blob(['x']) }))
        .then(() => settled.push('picture'));
      void store
        .dispatch(client.endpoints.uploadFile.initiate({ body: { file: new Blob(['x']), kind: 'image' } }))
        .then(() => settled.push('file'));
      void store
        .dispatch(client.endpoints.createEmailList.initiate({ createEmailListDto: { name: 'a' } }))
        .then(() => settled.push('list'));
      await jest.advanceTimersByTimeAsync(60_000);
      expect(settled).toEqual(['list']);
      await jest.advanceTimersByTimeAsync(15 * 60_000);
      expect(settled).toEqual(['list', 'picture', 'file']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('treat 401 as a valid answer of the session request', async () => {
    fakeApi({ 'GET /api/auth/user': signedOut });
    const asked = await makeStore().dispatch(client.endpoints.getCurrentUser.initiate());
    expect(asked.data).toBeNull();
    expect(asked.isSuccess).toBe(true);
  });
});

describe('a page of a collection', () => {
  it('has rows, total and the next cursor', async () => {
    fakeApi({ 'GET /api/email-lists': page([{ id: 'a' }], 40, 'abc==') });
    const { data } = await makeStore().dispatch(client.endpoints.listEmailLists.initiate({ limit: 1 }));
    expect(data).toEqual({ rows: [{ id: 'a' }], total: 40, next: 'abc==', prev: null });
  });

  it.each([
    ['</x?limit=2&cursor=c%2B1>; rel="next"', 'c+1'],
    ['</x?cursor=p>; rel="prev", </x?cursor=n>; rel="next"', 'n'],
    ['<https://staffcast.example/x?cursor=z>; rel=next', 'z'],
    ['</x?cursor=p>; rel="prev"', null],
    ['', null],
    [null, null],
  ])('the Link header %j leads to %j', (header, expected) => {
    expect(nextCursor(header)).toBe(expected);
  });
});

describe('a mutation refetches what it changed, and only when it succeeded', () => {
  it('the lists after a list was created', async () => {
    let fail = true;
    const calls = fakeApi({
      'GET /api/email-lists': page([]),
      'POST /api/email-lists': () => (fail ? refusal(403, 'plan_limit', 'No') : answer({ id: 'a' }, 201)),
    });
    const store = makeStore();
    await store.dispatch(client.endpoints.listEmailLists.initiate({}));
    const make = () => store.dispatch(client.endpoints.createEmailList.initiate({ createEmailListDto: { name: 'a' } }));
    const asked = () => calls.filter((call) => call.method === 'GET').length;
    await make();
    await Promise.all(store.dispatch(client.util.getRunningQueriesThunk()));
    expect(asked()).toBe(1);
    fail = false;
    await make();
    await Promise.all(store.dispatch(client.util.getRunningQueriesThunk()));
    expect(asked()).toBe(2);
  });
});
