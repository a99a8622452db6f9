import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { answer, fakeApi, refusal, signedOut } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { mustWait } from './unsubscribe-screen';

const base36 = (seconds: number) => Math.floor(seconds).toString(36);
const now = 1_800_000_000_000;

function guard(seconds: string) {
  const meta = document.createElement('meta');
  meta.name = 'link-guard-seconds';
  meta.content = seconds;
  document.head.append(meta);
  return () => meta.remove();
}

describe('the guard of fresh links', () => {
  it.each([
    ['mailed a minute ago', base36(now / 1000 - 60), 300, true],
    ['mailed ten minutes ago', base36(now / 1000 - 600), 300, false],
    ['a clock ahead of ours', base36(now / 1000 + 30), 300, true],
    ['a bare link', null, 300, false],
    ['nonsense', '%%', 300, false],
    ['no guard', base36(now / 1000), 0, false],
  ])('%s', (_name, m, seconds, expected) => {
    expect(mustWait(m, now, seconds)).toBe(expected);
  });
});

describe('unsubscribing', () => {
  const call = 'GET /api/unsubscribe/tok';
  const done = { message: 'You have been unsubscribed', email: 'maya@vendor.example' };

  it('happens on load and names the removed address', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': signedOut, [call]: done });
    renderApp('/unsubscribe/tok');
    expect(await screen.findByRole('heading', { level: 1, name: 'You have been unsubscribed' })).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('maya@vendor.example has been removed from our mailing list');
    expect(calls.filter(({ path }) => path === '/api/unsubscribe/tok')).toHaveLength(1);
  });

  it('waits for a press while the link is fresh', async () => {
    const remove = guard('300');
    const calls = fakeApi({ 'GET /api/auth/user': signedOut, [call]: done });
    const { user } = renderApp(`/unsubscribe/tok?m=${base36(Date.now() / 1000)}`);
    const button = await screen.findByRole('button', { name: 'Unsubscribe' });
    expect(calls.some(({ path }) => path === '/api/unsubscribe/tok')).toBe(false);
    await user.click(button);
    expect(await screen.findByText(/has been removed from our mailing list/)).toBeVisible();
    remove();
  });

  it('can be undone, and extended to all senders', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      [call]: done,
      'POST /api/unsubscribe/tok/all': { message: 'Nobody writes to you any more', email: done.email },
      'POST /api/unsubscribe/tok/undo': answer({ code: 'gone', message: 'The ten minutes are over.' }, 410),
    });
    const { user } = renderApp('/unsubscribe/tok');
    await user.click(await screen.findByRole('button', { name: /Leave everything/ }));
    expect(await screen.findByRole('heading', { name: 'Nobody writes to you any more' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: /Undo/ }));
    expect(await screen.findByText('The ten minutes are over.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Undo/ })).not.toBeInTheDocument();
  });

  it('does not happen again after an undo: the link is not called again', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': signedOut,
      [call]: done,
      'POST /api/unsubscribe/tok/undo': { message: 'You are subscribed again.', email: done.email },
    });
    const { user } = renderApp('/unsubscribe/tok');
    await user.click(await screen.findByRole('button', { name: /Undo/ }));
    expect(await screen.findByText('You are subscribed again.')).toBeVisible();
    expect(calls.filter(({ path }) => path === '/api/unsubscribe/tok')).toHaveLength(1);
  });

  it('shows the senders who have the address, to leave one and return to it', async () => {
    let left = false;
    const sender = { id: 's1', name: 'Dana Whitfield', agencyName: 'Northline', lists: ['Java vendors', 'Data'] };
    const calls = fakeApi({
      'GET /api/auth/user': signedOut,
      [call]: done,
      'GET /api/unsubscribe/tok/senders': () => ({ email: done.email, left: true, senders: [{ ...sender, left }] }),
      'POST /api/unsubscribe/tok/leave': () => ((left = true), done),
      'POST /api/unsubscribe/tok/undo': () => ((left = false), done),
    });
    const { user } = renderApp('/unsubscribe/tok');
    await user.click(await screen.findByRole('button', { name: 'Show my senders' }));
    expect(await screen.findByText('Dana Whitfield, Northline')).toBeVisible();
    expect(screen.getByText('Java vendors, Data')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Leave Dana Whitfield' }));
    expect(await screen.findByText('You have left')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo leaving Dana Whitfield' }));
    expect(await screen.findByText('Java vendors, Data')).toBeVisible();
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { sender: 's1' },
      { sender: 's1' },
    ]);
    expect(calls.filter(({ path }) => path === '/api/unsubscribe/tok')).toHaveLength(1);
  });

  it('shows that the sender of the link itself was restored, and that it was left again', async () => {
    let left = true;
    const senders = () => [
      { id: 's1', name: 'Dana Whitfield', agencyName: null, lists: ['Java vendors'], left },
      { id: 's2', name: 'Omar Reyes', agencyName: null, lists: ['Data'], left: false },
    ];
    fakeApi({
      'GET /api/auth/user': signedOut,
      [call]: done,
      'GET /api/unsubscribe/tok/senders': () => ({ email: done.email, left, senders: senders() }),
      'POST /api/unsubscribe/tok/leave': () => ((left = true), done),
      'POST /api/unsubscribe/tok/undo': () => ((left = false), done),
    });
    const { user } = renderApp('/unsubscribe/tok');
    await user.click(await screen.findByRole('button', { name: 'Show my senders' }));
    await user.click(await screen.findByRole('button', { name: 'Undo leaving Dana Whitfield' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('maya@vendor.example gets mail from this sender again');
    expect(screen.queryByRole('button', { name: /I want to stay/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Leave Dana Whitfield' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'You have been unsubscribed' })).toBeVisible();
    expect(screen.getByRole('button', { name: /I want to stay/ })).toBeVisible();
  });

  it('gives advice when the link is invalid', async () => {
    fakeApi({ 'GET /api/auth/user': signedOut, [call]: refusal(404, 'not_found', 'Invalid unsubscribe link') });
    renderApp('/unsubscribe/tok');
    expect(await screen.findByText(/Invalid unsubscribe link/)).toBeVisible();
    expect(screen.getByText(/contact support/)).toBeVisible();
  });
});

describe('confirming a subscription', () => {
  it('confirms on load and links onwards', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'GET /api/subscribe/confirm/tok': { message: 'ok', email: 'maya@vendor.example', listName: 'Java vendors' },
    });
    renderApp('/subscribe/confirmed?token=tok');
    expect(await screen.findByRole('heading', { level: 1, name: 'Subscription Confirmed!' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/dashboard');
  });

  it('shows what is wrong', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'GET /api/subscribe/confirm/old': refusal(410, 'token_expired', 'This confirmation link has expired.'),
    });
    const { unmount } = renderApp('/subscribe/confirmed?token=old');
    expect(await screen.findByRole('heading', { level: 1, name: 'Confirmation Failed' })).toBeVisible();
    expect(screen.getByText('This confirmation link has expired.')).toBeVisible();
    unmount();
    renderApp('/subscribe/confirmed');
    expect(await screen.findByText('No confirmation token provided')).toBeVisible();
  });
});

describe('the page "Never ask again"', () => {
  it('acts by its button only', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/never-ask/tok': { message: 'You will not be asked again, and all senders have stopped.' },
    });
    const { user } = renderApp('/never-ask/tok');
    const button = await screen.findByRole('button', { name: 'Never ask me again' });
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    await user.click(button);
    expect(await screen.findByText('You will not be asked again, and all senders have stopped.')).toBeVisible();
  });

  it('reports an invalid link', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/never-ask/bad': refusal(404, 'token_invalid', 'This link is not valid'),
    });
    const { user } = renderApp('/never-ask/bad');
    await user.click(await screen.findByRole('button', { name: 'Never ask me again' }));
    expect(await screen.findByText('This link is not valid')).toBeVisible();
  });
});
