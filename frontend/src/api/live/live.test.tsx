import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { FakeSource, fakeStreamInEachTest, openedStream } from '../../../test/fake-stream';
import { contact, counts, list } from '../../../test/fixtures/live-fixtures';
import { renderApp } from '../../../test/render';

fakeStreamInEachTest();

const tasks = { sends: [], imports: [] };

const running = (over = {}) => ({
  id: 'h1',
  subject: 'A job',
  status: 'pending',
  recipientCount: '100',
  counts,
  endedAt: null,
  ...over,
});

const importing = (over = {}) => ({
  id: 'i1',
  listId: 'l1',
  listName: 'Java vendors',
  status: 'running',
  total: 10,
  added: 4,
  skipped: 1,
  message: null,
  endedAt: null,
  ...over,
});

describe('an open app', () => {
  it('shows within moments that a contact confirmed, without any input', async () => {
    let confirmed = false;
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': tasks,
      'GET /api/email-lists/l1': { ...list, contactCount: 0 },
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

  it('removes the banner when the address is verified in another tab', async () => {
    let isVerified = false;
    fakeApi({
      'GET /api/auth/user': () => someone({ isVerified }),
      'GET /api/running-tasks': tasks,
      'GET /api/email-lists': page([]),
    });
    renderApp('/lists');
    expect(await screen.findByRole('complementary', { name: 'Email verification' })).toBeVisible();
    const stream = await openedStream();
    isVerified = true;
    stream.changed('me');
    await waitFor(() =>
      expect(screen.queryByRole('complementary', { name: 'Email verification' })).not.toBeInTheDocument(),
    );
  });

  it('has one stream, requests what it missed by the age of its data, and refetches once after an outage', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': tasks,
      'GET /api/email-lists': page([list]),
    });
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
    fakeApi({
      'GET /api/auth/user': () => (in_ ? someone() : refusal(401, 'unauthorized', 'Please sign in')),
      'GET /api/running-tasks': tasks,
      'GET /api/email-lists': page([]),
    });
    renderApp('/lists');
    const stream = await openedStream();
    in_ = false;
    stream.break();
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await waitFor(() => expect(FakeSource.current).toBeUndefined());
  });

  it('says on Resend that the address is already verified, and removes the banner', async () => {
    let isVerified = false;
    fakeApi({
      'GET /api/auth/user': () => someone({ isVerified }),
      'GET /api/running-tasks': tasks,
      'GET /api/email-lists': page([]),
      'POST /api/auth/resend-verification': () => (
        (isVerified = true),
        { message: 'Your email is already verified.', sent: false }
      ),
    });
    const { user } = renderApp('/lists');
    await user.click(await screen.findByRole('button', { name: 'Resend email' }));
    expect(await screen.findByText('Already verified')).toBeVisible();
    expect(screen.queryByText('Verification email sent')).not.toBeInTheDocument();
    await waitFor(() =>
      expect(screen.queryByRole('complementary', { name: 'Email verification' })).not.toBeInTheDocument(),
    );
  });

  it('keeps rows whose refetch failed, says so in a line, and refetches on Retry', async () => {
    let up = true;
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': tasks,
      'GET /api/email-lists': () => (up ? page([list]) : answer({}, 503)),
    });
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

  it('says in the grid of contacts that the refetch failed, and keeps the rows', async () => {
    let up = true;
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': tasks,
      'GET /api/email-lists/l1': { ...list, contactCount: 0 },
      'GET /api/email-lists/l1/subscribers': () => (up ? page([contact()]) : answer({}, 503)),
    });
    const { user } = renderApp('/lists/l1');
    expect(await screen.findByText('maya@vendor.example')).toBeVisible();
    up = false;
    await user.click(screen.getByRole('button', { name: 'Refresh contacts' }));
    expect(await screen.findByText(/Could not refresh/)).toBeVisible();
    expect(screen.getByText('maya@vendor.example')).toBeVisible();
  });
});

describe('running tasks', () => {
  it("are shown on every screen by the sidebar and the tab's title, and their end by a toast", async () => {
    let sends = [running()];
    let imports = [importing()];
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': () => ({ sends, imports }),
      'GET /api/email-lists': page([]),
    });
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
    expect(await screen.findByText('A job: 90 messages delivered, 1 unconfirmed, 4 failed, 3 skipped')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('list', { name: 'In progress' })).not.toBeInTheDocument());
    expect(document.title).toBe('Email Lists · Staffcast');
    stream.changed('send', 'h1');
    await act(() => Promise.resolve());
    expect(screen.getAllByText('Send Finished')).toHaveLength(1);
  });

  it('are not reported when they had ended before the page was opened', async () => {
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': { sends: [running({ status: 'sent', endedAt: '2026-01-05T10:00:00Z' })], imports: [] },
      'GET /api/email-lists': page([]),
    });
    renderApp('/lists');
    expect(await screen.findByText('No email lists yet')).toBeVisible();
    expect(screen.queryByText('Send Finished')).not.toBeInTheDocument();
  });
});
