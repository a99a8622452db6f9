import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { FakeSource, fakeStream, openedStream } from '../../../test/fake-stream';
import { renderApp } from '../../../test/render';
import { makeStore } from '../../app/store';
import { pauseBefore } from '../../lib/event-stream';
import { client } from '../client';
import { markStale } from './stale-answers';

let restore: () => void;
beforeEach(() => {
  restore = fakeStream();
});
afterEach(() => restore());

const list = { id: 'l1', name: 'Java vendors', slug: 'java', description: '', agencyName: '', agencyLogo: null, ownerName: '', contactCount: 2, isDefault: false, createdAt: '2026-01-05T10:00:00Z', updatedAt: '2026-01-05T10:00:00Z' };
const contact = (over = {}) => ({ id: 'c1', email: 'maya@vendor.example', name: 'Maya', subscriptionType: 'job-posts', confirmed: false, suppressed: null, createdAt: '2026-01-05T10:00:00Z', ...over });
const tasks = { sends: [], imports: [] };
const counts = { queued: 60, sent: 30, unconfirmed: 1, failed: 4, skipped: 3, bounced: 2, complained: 0, unsubscribed: 5 };
const running = (over = {}) => ({ id: 'h1', subject: 'A job', status: 'pending', recipientCount: '100', counts, endedAt: null, ...over });
const importing = (over = {}) => ({ id: 'i1', listId: 'l1', listName: 'Java vendors', status: 'running', total: 10, added: 4, skipped: 1, message: null, endedAt: null, ...over });

describe('an open app', () => {
  it('shows within moments that a contact confirmed, though nobody touched it', async () => {
    let confirmed = false;
    fakeApi({
      'GET /api/auth/user': someone(), 'GET /api/running-tasks': tasks, 'GET /api/email-lists/l1': list,
      'GET /api/email-lists/l1/subscribers': () => page([contact({ confirmed })]),
    });
    renderApp('/lists/l1');
    expect(await screen.findByText('Pending')).toBeVisible();
    const stream = await openedStream();
    confirmed = true;
    stream.changed('contacts', 'another');
    stream.changed('contacts', 'l1');
    expect(await screen.findByText('Confirmed')).toBeVisible();
  });

  it('takes the banner away when the address is verified in another tab', async () => {
    let isVerified = false;
    fakeApi({ 'GET /api/auth/user': () => someone({ isVerified }), 'GET /api/running-tasks': tasks, 'GET /api/email-lists': page([]) });
    renderApp('/lists');
    expect(await screen.findByRole('complementary', { name: 'Email verification' })).toBeVisible();
    const stream = await openedStream();
    isVerified = true;
    stream.changed('me');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Email verification' })).not.toBeInTheDocument());
  });

  it('has one stream, asks what it missed by the age of what it shows, and refreshes once after an outage', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/running-tasks': tasks, 'GET /api/email-lists': page([list]) });
    renderApp('/lists');
    expect(await screen.findByText('Java vendors')).toBeVisible();
    const stream = await openedStream();
    expect(stream.url).toMatch(/^\/api\/events\?age=\d+$/);
    const asked = () => calls.filter(({ path }) => path === '/api/email-lists').length;
    const before = asked();
    stream.break();
    expect(stream.closed).toBe(true);
    const next = await openedStream();
    expect(next).not.toBe(stream);
    expect(Number(new URL(next.url, 'http://own.invalid').searchParams.get('age'))).toBeGreaterThan(400);
    expect(asked()).toBe(before);
    next.say('refresh');
    await waitFor(() => expect(asked()).toBe(before + 1));
    expect(FakeSource.opened).toHaveLength(2);
  });

  it('closes the stream when the session has ended', async () => {
    let in_ = true;
    fakeApi({ 'GET /api/auth/user': () => (in_ ? someone() : refusal(401, 'unauthorized', 'Please sign in')), 'GET /api/running-tasks': tasks, 'GET /api/email-lists': page([]) });
    renderApp('/lists');
    const stream = await openedStream();
    in_ = false;
    stream.break();
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await waitFor(() => expect(FakeSource.current).toBeUndefined());
  });

  it('says on Resend that the address is verified already, and takes the banner away', async () => {
    let isVerified = false;
    fakeApi({
      'GET /api/auth/user': () => someone({ isVerified }), 'GET /api/running-tasks': tasks, 'GET /api/email-lists': page([]),
      'POST /api/auth/resend-verification': () => ((isVerified = true), { message: 'Your email is already verified.', sent: false }),
    });
    const { user } = renderApp('/lists');
    await user.click(await screen.findByRole('button', { name: 'Resend email' }));
    expect(await screen.findByText('Already verified')).toBeVisible();
    expect(screen.queryByText('Verification email sent')).not.toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Email verification' })).not.toBeInTheDocument());
  });

  it('keeps rows whose refresh failed, says so in a line, and asks again on Retry', async () => {
    let up = true;
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/running-tasks': tasks, 'GET /api/email-lists': () => (up ? page([list]) : answer({}, 503)) });
    const { user } = renderApp('/lists');
    expect(await screen.findByText('Java vendors')).toBeVisible();
    const stream = await openedStream();
    up = false;
    stream.changed('list', 'l1');
    expect(await screen.findByText('Could not refresh. This was loaded just now.')).toBeVisible();
    expect(screen.getByText('Java vendors')).toBeVisible();
    up = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText(/Could not refresh/)).not.toBeInTheDocument());
    expect(screen.getByText('Updated just now')).toBeVisible();
  });

  it('says in the grid of contacts that refreshing failed, and keeps the rows', async () => {
    let up = true;
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/running-tasks': tasks, 'GET /api/email-lists/l1': list, 'GET /api/email-lists/l1/subscribers': () => (up ? page([contact()]) : answer({}, 503)) });
    const { user } = renderApp('/lists/l1');
    expect(await screen.findByText('maya@vendor.example')).toBeVisible();
    up = false;
    await user.click(screen.getByRole('button', { name: 'Refresh contacts' }));
    expect(await screen.findByText(/Could not refresh/)).toBeVisible();
    expect(screen.getByText('maya@vendor.example')).toBeVisible();
  });
});

describe('what runs', () => {
  it('is shown wherever one is, by the sidebar and the tab\'s title, and its end by a toast', async () => {
    let sends = [running()];
    let imports = [importing()];
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/running-tasks': () => ({ sends, imports }), 'GET /api/email-lists': page([]) });
    renderApp('/lists');
    expect(await screen.findByRole('link', { name: 'Sending 40% A job' })).toHaveAttribute('href', '/history/h1');
    expect(screen.getByRole('link', { name: 'Importing 50% Java vendors' })).toHaveAttribute('href', '/lists/l1');
    await waitFor(() => expect(document.title).toBe('(40%) Email Lists · Staffcast'));
    const stream = await openedStream();
    imports = [importing({ status: 'done', added: 9, endedAt: '2026-01-05T10:00:00Z' })];
    stream.changed('import', 'i1');
    expect(await screen.findByText('Java vendors: 9 contacts added, 1 line left out.')).toBeVisible();
    sends = [running({ status: 'sent', counts: { ...counts, queued: 0, sent: 90 }, endedAt: '2026-01-05T10:00:00Z' })];
    stream.changed('send', 'h1');
    expect(await screen.findByText('A job: 90 messages delivered, 4 failed, 3 skipped')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('list', { name: 'In progress' })).not.toBeInTheDocument());
    expect(document.title).toBe('Email Lists · Staffcast');
    stream.changed('send', 'h1');
    await act(() => Promise.resolve());
    expect(screen.getAllByText('Send Finished')).toHaveLength(1);
  });

  it('is no news when it had ended before the page was opened', async () => {
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/running-tasks': { sends: [running({ status: 'sent', endedAt: '2026-01-05T10:00:00Z' })], imports: [] }, 'GET /api/email-lists': page([]) });
    renderApp('/lists');
    expect(await screen.findByText('No email lists yet')).toBeVisible();
    expect(screen.queryByText('Send Finished')).not.toBeInTheDocument();
  });
});

describe('a change while a call is under way', () => {
  it.each([['first', false], ['repeated', true]])('has the %s call made again once it has ended: its answer may be older', async (_which, known) => {
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
    await waitFor(() => expect(client.endpoints.listContacts.select({ id: 'l1' })(store.getState() as never).data?.rows[0]?.confirmed).toBe(true));
    expect(calls).toHaveLength(known ? 3 : 2);
  });
});

describe('a call that hangs', () => {
  it('holds up no refresh of anything else', async () => {
    const calls = fakeApi({ 'GET /api/email-lists': page([list]), 'GET /api/referrals': () => new Promise(() => undefined), 'DELETE /api/email-lists/l1': answer(null, 204) });
    const store = makeStore();
    await store.dispatch(client.endpoints.listEmailLists.initiate({}));
    void store.dispatch(client.endpoints.getReferrals.initiate());
    await store.dispatch(client.endpoints.deleteEmailList.initiate({ id: 'l1' }));
    await waitFor(() => expect(calls.filter(({ path, method }) => method === 'GET' && path === '/api/email-lists')).toHaveLength(2));
  });
});

describe('a call without an answer', () => {
  it('ends after half a minute and says so', async () => {
    jest.useFakeTimers();
    try {
      globalThis.fetch = (input) => new Promise((_, reject) => {
        const { signal } = input as Request;
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
      const asked = makeStore().dispatch(client.endpoints.getReferrals.initiate());
      await jest.advanceTimersByTimeAsync(29_000);
      await jest.advanceTimersByTimeAsync(1_500);
      expect((await asked).error).toMatchObject({ code: 'timeout', message: 'The server took too long to answer. Please try again.' });
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a deleted list', () => {
  it('is gone from the list, its own screen and its contacts', async () => {
    const store = makeStore();
    const calls = fakeApi({ 'GET /api/email-lists': page([list]), 'GET /api/email-lists/l1': list, 'GET /api/email-lists/l1/subscribers': page([contact()]), 'GET /api/admin/subscriptions': page([]), 'DELETE /api/email-lists/l1': answer(null, 204) });
    await store.dispatch(client.endpoints.getEmailList.initiate({ id: 'l1' }));
    await store.dispatch(client.endpoints.listContacts.initiate({ id: 'l1' }));
    await store.dispatch(client.endpoints.listSubscriptions.initiate({}));
    const before = calls.length;
    await store.dispatch(client.endpoints.deleteEmailList.initiate({ id: 'l1' }));
    await waitFor(() => expect(calls.slice(before + 1).map(({ path }) => path).sort()).toEqual(['/api/admin/subscriptions', '/api/email-lists/l1', '/api/email-lists/l1/subscribers']));
  });
});

describe('what an admin does to contacts', () => {
  const asked = async (act: (store: ReturnType<typeof makeStore>) => Promise<unknown>) => {
    const store = makeStore();
    const calls = fakeApi({
      'GET /api/admin/subscriptions': page([]), 'GET /api/email-lists/l1': list, 'GET /api/email-lists': page([list]), 'DELETE /api/email-lists/l1/subscribers/c1': answer(null, 204),
      'POST /api/admin/suppressions': answer({ id: 's1' }, 201),
    });
    await store.dispatch(client.endpoints.listSubscriptions.initiate({}));
    await store.dispatch(client.endpoints.getEmailList.initiate({ id: 'l1' }));
    await store.dispatch(client.endpoints.listEmailLists.initiate({}));
    const before = calls.length;
    await act(store);
    await waitFor(() => expect(calls.length).toBe(before + 4));
    return calls.slice(before + 1).map(({ path }) => path).sort();
  };
  const all = ['/api/admin/subscriptions', '/api/email-lists', '/api/email-lists/l1'];

  it('shows in the tab Subscriptions: a contact deleted on the default list', async () => {
    expect(await asked((store) => store.dispatch(client.endpoints.deleteContact.initiate({ id: 'l1', contactId: 'c1' })))).toEqual(all);
  });

  it('shows in the counts of lists: a suppressed address', async () => {
    expect(await asked((store) => store.dispatch(client.endpoints.addSuppression.initiate({ addSuppressionDto: { email: 'maya@vendor.example', reason: 'x' } as never })))).toEqual(all);
  });
});

describe('a preview', () => {
  it('is not kept once nobody looks at it: its key holds the whole text', async () => {
    fakeApi({ 'POST /api/send-email/preview': { recipientCount: 1, excluded: {} } });
    const store = makeStore();
    const seen = store.dispatch(client.endpoints.previewSend.initiate({ previewSendDto: { emailListIds: ['l1'], emailType: 'job-post', content: 'long' } }));
    await seen;
    seen.unsubscribe();
    await waitFor(() => expect(Object.keys((store.getState() as { api: { queries: object } }).api.queries)).toEqual([]));
  });
});

describe('the pause before the next try', () => {
  it('grows to a minute and differs from tab to tab', () => {
    expect([0, 1, 2, 3, 9].map((tries) => pauseBefore(tries, 1))).toEqual([1000, 2000, 4000, 8000, 60_000]);
    expect(pauseBefore(3, 0)).toBe(4000);
  });
});
