import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { type Call, fakeApi, page, refusal, signedOut, someone } from '../../../test/fake-api';
import { fakeStream, openedStream } from '../../../test/fake-stream';
import { renderApp, renderPiece } from '../../../test/render';
import { dashboardAnswers } from '../../../test/fixtures/screen-answers';
import { NotificationSettings } from './notification-settings';

const line = (id: string, over = {}) => ({
  id,
  kind: 'send.finished',
  text: 'Send finished: 702 of 720 delivered',
  detail: 'Senior Java developer',
  url: '/history/h1',
  count: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  readAt: null,
  ...over,
});

/** A fake server: unread notifications for the count, otherwise all. */
function server(lines: ReturnType<typeof line>[]) {
  const unread = () => lines.filter(({ readAt }) => !readAt);
  return {
    lines,
    answers: {
      'GET /api/auth/user': someone(),
      ...dashboardAnswers,
      'GET /api/notifications': ({ query }: Call) =>
        query['unread'] ? page(unread().slice(0, 1), unread().length) : page(lines),
      'POST /api/notifications/read': ({ body }: Call) => {
        const { ids, all } = body as { ids?: string[]; all?: boolean };
        for (const one of lines)
          if (all || ids?.includes(one.id)) Object.assign(one, { readAt: '2026-11-21T10:00:00Z' });
        return { unread: unread().length };
      },
    },
  };
}

let restore: () => void;
beforeEach(() => void (restore = fakeStream()));
afterEach(() => restore());

const bell = (name: string) => screen.findByRole('button', { name });

describe('the bell', () => {
  it('counts unread notifications, in the title too, and follows the event stream', async () => {
    const { lines, answers } = server([line('n1'), line('n2')]);
    fakeApi(answers);
    renderApp('/dashboard');
    expect(await bell('Notifications, 2 unread')).toHaveTextContent('2');
    await waitFor(() => expect(document.title).toBe('(2) Dashboard · Staffcast'));
    const stream = await openedStream();
    lines.push(...Array.from({ length: 100 }, (_, i) => line(`more${i}`)));
    stream.changed('notification');
    expect(await bell('Notifications, 99+ unread')).toHaveTextContent('99+');
    await waitFor(() => expect(document.title).toBe('(99+) Dashboard · Staffcast'));
  });

  it('opens the newest ones; a line links to its screen and is then marked as read', async () => {
    const { answers } = server([
      line('n1'),
      line('n2', { text: 'Import finished: 8 added, 1 refused', url: '/lists/l1' }),
    ]);
    const calls = fakeApi({
      ...answers,
      'GET /api/email-lists/l1': refusal(404, 'not_found', 'List not found'),
      'GET /api/email-lists/l1/subscribers': refusal(404, 'not_found', 'List not found'),
    });
    const { user, router } = renderApp('/dashboard');
    await user.click(await bell('Notifications, 2 unread'));
    const panel = await screen.findByRole('dialog', { name: 'Notifications' });
    await user.click(await within(panel).findByRole('link', { name: /^Unread: Import finished: 8 added, 1 refused/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/lists/l1'));
    expect(await bell('Notifications, 1 unread')).toBeVisible();
    expect(calls.find(({ path }) => path === '/api/notifications/read')?.body).toEqual({ ids: ['n2'] });
  });

  it('marks all as read, and says when there is none', async () => {
    const { lines, answers } = server([line('n1'), line('n2')]);
    fakeApi(answers);
    const { user } = renderApp('/dashboard');
    await user.click(await bell('Notifications, 2 unread'));
    const panel = await screen.findByRole('dialog', { name: 'Notifications' });
    await user.click(within(panel).getByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(within(panel).queryByText('Unread:')).not.toBeInTheDocument());
    expect(within(panel).getByRole('link', { name: 'See all' })).toHaveAttribute('href', '/notifications');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(document.title).toBe('Dashboard · Staffcast');
    lines.length = 0;
    (await openedStream()).changed('notification');
    await user.click(await bell('Notifications'));
    expect(await screen.findByText('You are all caught up.')).toBeVisible();
  });

  it('reports that they could not be loaded, with Retry', async () => {
    const { answers } = server([line('n1')]);
    let fails = true;
    fakeApi({
      ...answers,
      'GET /api/notifications': (call: Call) =>
        fails ? refusal(503, 'unavailable', '') : answers['GET /api/notifications'](call),
    });
    const { user } = renderApp('/dashboard');
    await user.click(await bell('Notifications'));
    expect(await screen.findByText('Your notifications could not be loaded.')).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Send finished: 702 of 720 delivered')).toBeVisible();
  });
});

describe('the notifications screen', () => {
  it('lists them by page, all or the unread ones', async () => {
    const { answers } = server([line('n1'), line('n2', { readAt: '2026-11-21T10:00:00Z', text: 'Send stopped' })]);
    const calls = fakeApi(answers);
    const { user } = renderApp('/notifications');
    expect(await screen.findByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
    const list = await screen.findByRole('list', { name: 'Notifications' });
    expect(within(list).getAllByRole('link')).toHaveLength(2);
    await user.click(screen.getByRole('combobox', { name: 'Show' }));
    await user.click(await screen.findByRole('option', { name: 'Unread' }));
    await waitFor(() =>
      expect(
        calls.some(({ path, query }) => path === '/api/notifications' && query['unread'] && query['limit'] === '25'),
      ).toBe(true),
    );
  });
});

describe('the settings of notifications', () => {
  const settings = {
    summaryHour: 8,
    timeZone: 'America/New_York',
    mailIsOff: false,
    kinds: [
      { kind: 'send.finished', inApp: true, mail: 'summary' },
      { kind: 'send.stopped', inApp: true, mail: 'now' },
    ],
  };

  it('save each choice at once, and revert it where that fails', async () => {
    const stored = structuredClone(settings);
    let fails = false;
    const calls = fakeApi({
      'GET /api/notification-settings': () => stored,
      'PUT /api/notification-settings': ({ body }: Call) => {
        if (fails) return refusal(503, 'unavailable', 'Please try again in a minute');
        const { summaryHour, kinds } = body as typeof settings;
        stored.summaryHour = summaryHour;
        for (const kind of kinds)
          Object.assign(
            stored.kinds.find((one) => one.kind === kind.kind)!,
            kind,
          );
        return stored;
      },
    });
    const { user } = renderPiece(<NotificationSettings />);
    const row = await screen.findByRole('listitem', { name: 'A send has stopped' });
    await user.click(within(row).getByRole('combobox', { name: 'By mail' }));
    await user.click(await screen.findByRole('option', { name: 'Never' }));
    await waitFor(() => expect(within(row).getByRole('combobox', { name: 'By mail' })).toHaveTextContent('Never'));
    await user.click(within(row).getByRole('switch', { name: 'A send has stopped: in the app' }));
    await waitFor(() => expect(stored.kinds[1]).toEqual({ kind: 'send.stopped', inApp: false, mail: 'never' }));
    await user.click(screen.getByRole('combobox', { name: 'Daily summary at' }));
    await user.click(await screen.findByRole('option', { name: '5 PM' }));
    await waitFor(() => expect(stored.summaryHour).toBe(17));
    expect(calls.filter(({ method }) => method === 'PUT').at(-1)?.body).toEqual({ summaryHour: 17, kinds: [] });
    fails = true;
    await user.click(within(row).getByRole('switch', { name: 'A send has stopped: in the app' }));
    expect(await screen.findByText('Not saved')).toBeVisible();
    await waitFor(() =>
      expect(within(row).getByRole('switch', { name: 'A send has stopped: in the app' })).not.toBeChecked(),
    );
  });

  it('say that mail bounced, and turn it on again', async () => {
    const stored = { ...settings, mailIsOff: true };
    const calls = fakeApi({
      'GET /api/notification-settings': () => stored,
      'PUT /api/notification-settings': () => Object.assign(stored, { mailIsOff: false }),
    });
    const { user } = renderPiece(<NotificationSettings />);
    await user.click(await screen.findByRole('button', { name: 'Mail me again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ summaryHour: 8, kinds: [], mailAgain: true });
  });
});

describe('the page behind "Change what we mail you"', () => {
  it('changes nothing until its button is pressed, and turns off the chosen kinds', async () => {
    const done = { message: 'These mails have stopped. You find everything under the bell in Staffcast.' };
    const calls = fakeApi({ 'GET /api/auth/user': signedOut, 'POST /api/notification-opt-out/tok': done });
    const { user } = renderApp('/mail-settings/tok');
    await user.click(await screen.findByRole('checkbox', { name: 'A send has stopped' }));
    expect(calls.some(({ path }) => path.startsWith('/api/notification'))).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Stop these mails' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'These mails have stopped' })).toBeVisible();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      kinds: ['send.finished', 'schedule.blocked', 'import.finished', 'reputation.warning'],
    });
  });
});
