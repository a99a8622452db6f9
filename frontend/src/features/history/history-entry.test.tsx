import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { FakeSource, fakeStreamInEachTest, openedStream } from '../../../test/fake-stream';
import { item } from '../../../test/fixtures/history-fixtures';
import { renderApp } from '../../../test/render';
import { endedCount, timeLeft } from './send-progress';

const counts = {
  queued: 60,
  sent: 30,
  unconfirmed: 1,
  failed: 4,
  skipped: 3,
  bounced: 2,
  complained: 0,
  unsubscribed: 5,
};

const noCounts = Object.fromEntries(Object.keys(counts).map((name) => [name, 0]));

fakeStreamInEachTest();

describe('one send', () => {
  it('is followed live while it is pending and refetched when it has ended', async () => {
    let status = 'pending';
    let live = { ...counts, queued: 90, sent: 0 };
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': () => ({
        sends: [{ id: 'h1', subject: 'A job', status, recipientCount: '100', counts: live, endedAt: null }],
        imports: [],
      }),
      'GET /api/email-history/h1': () => ({
        ...item({ status }),
        content: 'Hello\nthere',
        lists: [{ id: 'l1', name: 'Java vendors' }],
        counts: { ...counts, queued: 100, sent: 0 },
      }),
      'GET /api/email-history/h1/deliveries': page([
        {
          id: 'd1',
          recipientEmail: 'maya@vendor.example',
          status: 'sent',
          messageId: '<1>',
          sentAt: '2026-01-05T10:00:01Z',
          detail: null,
        },
      ]),
    });
    renderApp('/history/h1');
    expect(await screen.findByRole('heading', { level: 1, name: 'A job' })).toBeVisible();
    const stream = await openedStream();
    expect(FakeSource.opened.map(({ url }) => url.split('?')[0])).toEqual(['/api/events']);
    live = counts;
    stream.changed('progress', 'h1');
    expect(await screen.findByText('40 of 100 (40%)')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Download CSV' })).toHaveAttribute(
      'href',
      '/api/email-history/h1/deliveries.csv',
    );
    const asked = () => calls.filter((call) => call.path === '/api/email-history/h1').length;
    expect(asked()).toBe(1);
    status = 'sent';
    stream.changed('send', 'h1');
    await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument());
    expect(asked()).toBe(2);
  });

  it('is followed live even where it is not among the listed running tasks', async () => {
    let sent = 0;
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': { sends: [], imports: [] },
      'GET /api/email-history/h1': () => ({
        ...item({ status: 'pending' }),
        content: 'Hello',
        lists: [],
        counts: { ...noCounts, queued: 100 - sent, sent },
      }),
      'GET /api/email-history/h1/deliveries': page([]),
    });
    renderApp('/history/h1');
    expect(await screen.findByText('0 of 100 (0%)')).toBeVisible();
    const stream = await openedStream();
    expect(calls.filter(({ path }) => path === '/api/email-history/h1')).toHaveLength(1);
    sent = 40;
    stream.changed('progress', 'h1');
    expect(await screen.findByText('40 of 100 (40%)')).toBeVisible();
  });

  it('starts its progress anew when it is retried, without the old counts and the idle time', async () => {
    let status = 'pending';
    let live = counts;
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/running-tasks': () => ({
        sends: [{ id: 'h1', subject: 'A job', status, recipientCount: '100', counts: live, endedAt: null }],
        imports: [],
      }),
      'GET /api/email-history/h1': () => ({
        ...item({ status }),
        content: 'Hello',
        lists: [],
        counts: live,
        retryable: 0,
      }),
      'GET /api/email-history/h1/deliveries': page([]),
    });
    renderApp('/history/h1');
    expect(await screen.findByText('40 of 100 (40%)')).toBeVisible();
    const stream = await openedStream();
    status = 'sent';
    live = { ...counts, queued: 0, sent: 90 };
    stream.changed('send', 'h1');
    await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument());
    status = 'pending';
    live = { ...counts, queued: 4, sent: 90, failed: 0 };
    stream.changed('send', 'h1');
    expect(await screen.findByText('96 of 100 (96%)')).toBeVisible();
    expect(screen.queryByText(/left$/)).not.toBeInTheDocument();
  });

  it('is paused, resumed and cancelled, each after a question that names its size', async () => {
    let stopped: string | undefined;
    const entry = () => ({
      ...item({ status: 'pending', stopped }),
      content: 'Hello',
      lists: [],
      counts,
      retryable: 0,
    });
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-history/h1': entry,
      'GET /api/email-history/h1/deliveries': page([]),
      'POST /api/email-history/h1/pause': () => ((stopped = 'paused'), entry()),
      'POST /api/email-history/h1/resume': () => ((stopped = undefined), entry()),
      'POST /api/email-history/h1/cancel': () => ((stopped = 'cancelled'), entry()),
    });
    const { user } = renderApp('/history/h1');
    await user.click(await screen.findByRole('button', { name: 'Pause' }));
    expect(screen.getByRole('alertdialog', { name: 'Pause this send?' })).toHaveTextContent(
      'A job, 60 recipients still waiting',
    );
    await user.click(screen.getByRole('button', { name: 'Pause send' }));
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel send' }));
    await user.click(
      within(screen.getByRole('alertdialog', { name: 'Cancel this send?' })).getByRole('button', {
        name: 'Cancel send',
      }),
    );
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Pause' })).not.toBeInTheDocument());
    expect(screen.getAllByText('Cancelled')[0]).toBeVisible();
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/').at(-1))).toEqual([
      'pause',
      'resume',
      'cancel',
    ]);
  });

  it('retries the failed recipients and says how many, or why not', async () => {
    let answer: unknown = { retried: 3 };
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-history/h1': { ...item(), content: 'Hello', lists: [], counts, retryable: 4 },
      'GET /api/email-history/h1/deliveries': page([]),
      'POST /api/email-history/h1/retry': () => answer,
    });
    const { user } = renderApp('/history/h1');
    await user.click(await screen.findByRole('button', { name: 'Retry failed (4)' }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent('A job, 4 recipients');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await screen.findAllByText('3 recipients'))[0]).toBeVisible();
    answer = refusal(409, 'send_cancelled', 'This send was cancelled');
    await user.click(await screen.findByRole('button', { name: 'Retry failed (4)' }));
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect((await screen.findAllByText('This send was cancelled'))[0]).toBeVisible();
  });

  it("shows for each recipient the reason, in words and in the server's reply, and who unsubscribed", async () => {
    const plain = {
      messageId: null,
      sentAt: null,
      said: null,
      possibleDuplicate: false,
      unsubscribedAt: null,
      nextAttemptAt: null,
      detail: null,
    };
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-history/h1': { ...item(), content: 'Hello', lists: [], counts, retryable: 0 },
      'GET /api/email-history/h1/deliveries': page([
        {
          ...plain,
          id: 'd1',
          recipientEmail: 'gone@x.example',
          status: 'failed',
          detail: 'The mailbox does not exist',
          said: '550 5.1.1 no such user',
        },
        {
          ...plain,
          id: 'd2',
          recipientEmail: 'left@x.example',
          status: 'sent',
          detail: 'Unsubscribed after this email',
          unsubscribedAt: '2026-01-05T11:00:00Z',
        },
        {
          ...plain,
          id: 'd3',
          recipientEmail: 'twice@x.example',
          status: 'sent',
          possibleDuplicate: true,
          messageId: '<m1@x>',
        },
      ]),
    });
    const { user } = renderApp('/history/h1');
    await user.click(await screen.findByRole('button', { name: 'gone@x.example' }));
    const dialog = screen.getByRole('dialog', { name: 'gone@x.example' });
    expect(dialog).toHaveTextContent('550 5.1.1 no such user');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(screen.getByRole('combobox', { name: 'Delivery status' }));
    await user.click(await screen.findByRole('option', { name: 'Unsubscribed' }));
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ status: 'unsubscribed' }));
  });

  it('is not found when it belongs to somebody else', async () => {
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-history/h9': refusal(404, 'not_found', 'Not found') });
    renderApp('/history/h9');
    expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  });
});

describe('progress', () => {
  it('counts settled messages, including recipients who unsubscribed later', () => {
    expect(endedCount(counts)).toBe(40);
  });

  it('estimates the time left from the rate so far', () => {
    expect(timeLeft({ at: 0, done: 0 }, { at: 10_000, done: 100 }, 700)).toBe('about 1 minute left');
    expect(timeLeft({ at: 0, done: 0 }, { at: 500, done: 5 }, 700)).toBeUndefined();
    expect(timeLeft({ at: 0, done: 0 }, { at: 9000, done: 700 }, 700)).toBeUndefined();
  });
});

it('shows the sent mail in a sandboxed frame', async () => {
  const html = '<html><head></head><body><p>As it went out</p></body></html>';
  fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-history/h1': { ...item(), content: 'Hello', html, lists: [], counts, retryable: 0 },
    'GET /api/email-history/h1/deliveries': page([]),
  });
  const { user } = renderApp('/history/h1');
  await user.click(await screen.findByRole('button', { name: 'Show the email' }));
  const frame = screen.getByTitle<HTMLIFrameElement>('The email "A job"');
  expect(frame.srcdoc).toContain('<p>As it went out</p>');
  expect(frame).toHaveAttribute('sandbox', '');
});

it('shortens a long message and shows all of it on demand', async () => {
  fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-history/h1': { ...item(), content: 'One line\n'.repeat(40), lists: [], counts, retryable: 0 },
    'GET /api/email-history/h1/deliveries': page([]),
  });
  const { user } = renderApp('/history/h1');
  const more = await screen.findByRole('button', { name: 'Show the whole message' });
  expect(more).toHaveAttribute('aria-expanded', 'false');
  await user.click(more);
  expect(screen.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true');
});
