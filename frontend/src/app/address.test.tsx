import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, page, someone, type Call } from '../../test/fake-api';
import { renderApp } from '../../test/render';
import { referralsAnswers } from '../../test/fixtures/screen-answers';

const entry = (id: string) => ({
  id,
  subject: `Send ${id}`,
  emailType: 'job-post',
  recipientCount: '3',
  status: 'sent',
  sentAt: '2026-01-05T12:00:00Z',
  outcome: { sent: 3, failed: 0, bounced: 0 },
});
const history = ({ query }: Call) =>
  page(
    [entry(query.cursor ? `after-${query.cursor}` : 'first')],
    60,
    query.cursor === 'c2' ? undefined : query.cursor ? 'c2' : 'c1',
  );
const overview = {
  users: 1,
  pendingUsers: 0,
  suspendedUsers: 0,
  waitingImports: 0,
  flaggedUsers: 0,
  today: { sends: 0, senders: 0, recipients: 0, sent: 0, failed: 0, skipped: 0, bounced: 0, complained: 0 },
};

function openHistory(path: string, answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-history': history,
    'GET /api/email-lists': page([]),
    ...referralsAnswers,
    ...answers,
  });
  return {
    calls,
    last: () => calls.filter(({ path: at }) => at === '/api/email-history').at(-1)?.query,
    ...renderApp(path),
  };
}

describe('the address of the app', () => {
  it('contains search, filter and page, and Back restores them', async () => {
    const { user, router, last } = openHistory('/history?type=job-post');
    expect(await screen.findByRole('heading', { name: 'Send first' })).toBeVisible();
    expect(last()).toMatchObject({ type: 'job-post' });
    await user.type(screen.getByRole('searchbox', { name: 'Search by subject...' }), 'java');
    await waitFor(() => expect(router.state.location.search).toBe('?type=job-post&q=java'));
    await waitFor(() => expect(last()).toMatchObject({ search: 'java' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Next page' })).toBeEnabled());
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByRole('heading', { name: 'Send after-c1' })).toBeVisible();
    expect(router.state.location.search).toBe('?type=job-post&q=java&page=2&cursor=c1');
    await act(() => router.navigate('/lists'));
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('heading', { name: 'Send after-c1' })).toBeVisible();
    expect(screen.getByRole('searchbox', { name: 'Search by subject...' })).toHaveValue('java');
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('heading', { name: 'Send first' })).toBeVisible();
    expect(screen.getByRole('searchbox', { name: 'Search by subject...' })).toHaveValue('java');
  });

  it('decides where the arrow before a title leads back to, in one step, whatever was opened there', async () => {
    const { user, router } = openHistory('/history?q=java', {
      'GET /api/email-history/after-c1': {
        ...entry('after-c1'),
        content: 'Hello',
        lists: [],
        counts: {
          queued: 0,
          sent: 60,
          unconfirmed: 0,
          failed: 0,
          skipped: 0,
          bounced: 0,
          complained: 0,
          unsubscribed: 0,
        },
      },
      'GET /api/email-history/after-c1/deliveries': ({ query }: Call) =>
        page(
          [{ id: 'd1', recipientEmail: `${query.cursor ?? 'first'}@v.example`, status: 'sent', messageId: null }],
          120,
          query.cursor ? undefined : 'd50',
        ),
    });
    await screen.findByRole('heading', { name: 'Send first' });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(await screen.findByRole('link', { name: 'View Send after-c1' }));
    await screen.findByRole('heading', { level: 1, name: 'Send after-c1' });
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(router.state.location.search).toBe('?page=2&cursor=d50'));
    await user.click(screen.getByRole('link', { name: 'Back to send history' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/history'));
    expect(router.state.location.search).toBe('?q=java&page=2&cursor=c1');
    await act(() => router.navigate(-1));
    expect(router.state.location.search).toBe('?q=java');
  });

  it('opens what a shared link shows, with a way to the page before', async () => {
    const { user, last } = openHistory('/history?q=java&page=2&cursor=c1');
    expect(await screen.findByRole('heading', { name: 'Send after-c1' })).toBeVisible();
    expect(last()).toMatchObject({ search: 'java', cursor: 'c1' });
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    expect(await screen.findByRole('heading', { name: 'Send first' })).toBeVisible();
  });

  it('contains the tab, and the state of what is beside it', async () => {
    fakeApi({
      'GET /api/auth/user': someone({ isAdmin: true }),
      'GET /api/admin/users': page([]),
      'GET /api/admin/pending-users': page([]),
      'GET /api/admin/overview': overview,
    });
    const { user, router } = renderApp('/admin?tab=users&users.show=admins');
    await user.click(await screen.findByRole('tab', { name: /Pending Verifications/ }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=pending&users.show=admins'));
    await act(() => router.navigate(-1));
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true'));
    expect(screen.getByRole('combobox', { name: 'Which users' })).toHaveTextContent('Admins');
  });

  it('loads the code of a screen when the pointer is over its link', async () => {
    openHistory('/history');
    const { prefetchScreen, screens } = await import('./screens');
    let asked = 0;
    const { upgrade } = screens;
    screens.upgrade = () => {
      asked += 1;
      return upgrade();
    };
    try {
      const link = await screen.findByRole('link', { name: 'Upgrade to Pro' });
      act(() => void link.dispatchEvent(new Event('pointerover', { bubbles: true })));
      act(() => void link.dispatchEvent(new Event('pointerover', { bubbles: true })));
      expect(asked).toBe(1);
      await prefetchScreen('upgrade');
    } finally {
      screens.upgrade = upgrade;
    }
  });

  it('loads the code of likely screens one by one while the browser is idle', async () => {
    const idle: IdleRequestCallback[] = [];
    Object.assign(globalThis, {
      requestIdleCallback: (run: IdleRequestCallback) => idle.push(run),
      cancelIdleCallback: () => undefined,
    });
    const { screens } = await import('./screens');
    const { settings } = screens;
    let asked = 0;
    screens.settings = () => {
      asked += 1;
      return settings();
    };
    const { unmount } = openHistory('/history');
    try {
      await screen.findByRole('heading', { name: 'Send first' });
      for (let round = 0; round < 20 && asked === 0; round += 1) {
        await waitFor(() => expect(idle).toHaveLength(1));
        idle.pop()!({ didTimeout: false, timeRemaining: () => 50 });
      }
      expect(asked).toBe(1);
    } finally {
      screens.settings = settings;
      unmount();
      Reflect.deleteProperty(globalThis, 'requestIdleCallback');
      Reflect.deleteProperty(globalThis, 'cancelIdleCallback');
    }
  });

  it('announces a screen that is loading', async () => {
    const { user } = openHistory('/history');
    const { screens } = await import('./screens');
    const { referrals } = screens;
    let go = (): void => undefined;
    const held = new Promise<void>((release) => (go = release));
    screens.referrals = () => held.then(referrals);
    try {
      await user.click(
        within(await screen.findByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Referrals' }),
      );
      expect(await screen.findByRole('progressbar', { name: 'Loading the next screen' })).toBeInTheDocument();
      go();
      expect(await screen.findByRole('heading', { level: 1, name: /Refer/ })).toBeVisible();
      expect(screen.queryByRole('progressbar', { name: 'Loading the next screen' })).not.toBeInTheDocument();
    } finally {
      screens.referrals = referrals;
    }
  });
});
