import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, signedOut, someone, type Call } from '../../test/fake-api';
import { fakeStream, openedStream } from '../../test/fake-stream';
import { renderApp } from '../../test/render';
import type { SessionChannel } from './store-provider';

const noStats = {
  emailsSentToday: 0,
  totalLists: 0,
  activeLists: 0,
  totalContacts: 0,
  tier: 'free',
  recentActivity: [],
};

const list = {
  id: 'l1',
  name: '',
  slug: 'java-x1',
  description: null,
  agencyName: null,
  agencyLogo: null,
  ownerName: null,
  contactCount: 1,
  isDefault: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};
const path = (router: { state: { location: { pathname: string; search: string } } }) =>
  router.state.location.pathname + router.state.location.search;

describe('signed out', () => {
  it('leads from a signed-in screen to login, and back after signing in', async () => {
    let signedIn = false;
    fakeApi({
      'GET /api/auth/user': () => (signedIn ? someone() : signedOut()),
      'POST /api/auth/login': () => {
        signedIn = true;
        return { message: 'Welcome', user: someone() };
      },
      'GET /api/email-lists': page([]),
    });
    const { user, router } = renderApp('/lists');
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(path(router)).toBe('/login?next=%2Flists');
    await user.type(screen.getByLabelText('Email'), 'dana@northline.example');
    await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
    expect(await screen.findByText('You have been logged in successfully')).toBeVisible();
    expect(await screen.findByRole('heading', { level: 1, name: 'Email Lists' })).toBeVisible();
    expect(path(router)).toBe('/lists');
  });

  it("shows the server's message when the login fails, and keeps the input", async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/auth/login': refusal(401, 'unauthorized', 'Invalid email or password'),
    });
    const { user } = renderApp('/login');
    await user.type(await screen.findByLabelText('Email'), 'dana@northline.example');
    await user.type(screen.getByLabelText('Password'), 'wrong{Enter}');
    expect(await screen.findByText('Login failed')).toBeVisible();
    expect(screen.getByText('Invalid email or password')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('dana@northline.example');
  });

  it('shows the landing page at /', async () => {
    fakeApi({ 'GET /api/auth/user': signedOut });
    renderApp('/');
    expect(await screen.findByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/register');
  });
});

describe('signed in', () => {
  it('shows the dashboard at / and redirects from /login, never to another site', async () => {
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/dashboard/stats': noStats });
    const { router } = renderApp('/login?next=https://evil.example');
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(path(router)).toBe('/');
  });

  it('redirects to login when the session has ended', async () => {
    let alive = true;
    fakeApi({
      'GET /api/auth/user': () => (alive ? someone() : signedOut()),
      'GET /api/email-history': () => {
        alive = false;
        return signedOut();
      },
    });
    const { router } = renderApp('/history');
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(path(router)).toBe('/login?next=%2Fhistory');
  });

  it('keeps typed input when the session ends elsewhere, and restores it once the same user has signed in again', async () => {
    let isIn = true;
    const restore = fakeStream();
    try {
      const calls = fakeApi({
        'GET /api/auth/user': () => (isIn ? someone() : signedOut()),
        'GET /api/email-lists': () => (isIn ? page([list]) : signedOut()),
        'GET /api/running-tasks': () => (isIn ? { sends: [], imports: [] } : signedOut()),
        'POST /api/auth/login': ({ body }: Call) => {
          if ((body as { password: string }).password === 'wrong')
            return refusal(401, 'unauthorized', 'Invalid email or password');
          isIn = true;
          return { message: 'Welcome', user: someone() };
        },
      });
      const { user, router } = renderApp('/lists');
      await user.click(await screen.findByRole('button', { name: 'Create List' }));
      await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Bench partners');
      const stream = await openedStream();
      isIn = false;
      stream.break();
      const dialog = within(await screen.findByRole('dialog', { name: 'Your session has ended' }));
      expect(dialog.getByText('dana@northline.example')).toBeVisible();
      await user.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
      expect(await dialog.findByText('Invalid email or password')).toBeVisible();
      await user.clear(dialog.getByLabelText('Password'));
      await user.type(dialog.getByLabelText('Password'), 'correct horse{Enter}');
      await waitFor(() =>
        expect(screen.queryByRole('dialog', { name: 'Your session has ended' })).not.toBeInTheDocument(),
      );
      expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Bench partners');
      expect(router.state.location.pathname).toBe('/lists');
      expect(
        calls.filter(({ method }) => method === 'POST').map(({ body }) => (body as { email: string }).email),
      ).toEqual(['dana@northline.example', 'dana@northline.example']);
    } finally {
      restore();
    }
  });

  it('discards typed input when the user confirms that, and redirects to login', async () => {
    let isIn = true;
    fakeApi({
      'GET /api/auth/user': () => (isIn ? someone() : signedOut()),
      'GET /api/email-lists': page([list]),
      'POST /api/email-lists': signedOut,
    });
    const { user, router } = renderApp('/lists');
    await user.click(await screen.findByRole('button', { name: 'Create List' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Bench partners');
    isIn = false;
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Discard what I typed' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    expect(path(router)).toMatch(/^\/login/);
  });

  it('asks before logging out, then clears all data and redirects to login', async () => {
    let signedIn = true;
    fakeApi({
      'GET /api/auth/user': () => (signedIn ? someone() : signedOut()),
      'GET /api/dashboard/stats': noStats,
      'POST /api/auth/logout': () => {
        signedIn = false;
        return { message: 'Bye' };
      },
    });
    const { user, router } = renderApp('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    expect(await screen.findByText('Are you sure you want to logout?')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    expect(path(router)).toBe('/login');
    expect(screen.getByText('You have been logged out successfully')).toBeVisible();
  });

  it('shows no data of the user before, after another tab changed who is signed in', async () => {
    const said: unknown[] = [];
    const line: SessionChannel = { onmessage: null, postMessage: (message) => void said.push(message) };
    const silent: SessionChannel & { close: () => void } = {
      onmessage: null,
      postMessage: () => undefined,
      close: () => undefined,
    };
    window.BroadcastChannel = function (name: string) {
      return name === 'session' ? line : silent;
    } as unknown as typeof BroadcastChannel;
    const hears = (data: unknown) => line.onmessage!.call(line as BroadcastChannel, { data } as MessageEvent);
    let who = someone();
    fakeApi({
      'GET /api/auth/user': () => who ?? signedOut(),
      'GET /api/email-lists': () => page([{ ...list, name: `List of ${who.firstName}` }]),
    });
    try {
      renderApp('/lists');
      expect(await screen.findByText(`List of ${who.firstName}`)).toBeVisible();
      await waitFor(() => expect(said).toEqual([JSON.stringify(who)]));
      who = someone({ id: 'u2', firstName: 'Noor' });
      hears(JSON.stringify(who));
      expect(await screen.findByText('List of Noor')).toBeVisible();
      who = null as never;
      hears(null);
      expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    } finally {
      Reflect.deleteProperty(window, 'BroadcastChannel');
    }
  });

  it('shows 404 Page Not Found inside the frame for any other address', async () => {
    fakeApi({ 'GET /api/auth/user': someone() });
    renderApp('/nothing/here');
    expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible();
  });

  it('offers Retry when the session request fails', async () => {
    let up = false;
    fakeApi({ 'GET /api/auth/user': () => (up ? someone() : answer({}, 503)), 'GET /api/dashboard/stats': noStats });
    const { user } = renderApp('/dashboard');
    const retry = await screen.findByRole('button', { name: 'Retry' });
    up = true;
    await user.click(retry);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible());
  });
});
