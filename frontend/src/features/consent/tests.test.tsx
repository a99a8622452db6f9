import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { fakeApi, refusal, signedOut } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { entryKind } from '../../app/entry-kind';

describe('the link of a test message', () => {
  it('says that there is nothing to leave, and calls nothing', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': signedOut });
    renderApp('/unsubscribe/test?m=abc');
    expect(await screen.findByText('This is a test message. There is nothing to leave.')).toBeVisible();
    expect(calls.filter(({ path }) => path.startsWith('/api/unsubscribe'))).toEqual([]);
  });
});

describe('the page that confirms a tester', () => {
  it('acts on its one button only', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/testers/confirm': { message: 'Dana Whitfield can send you tests now.' },
    });
    const { user } = renderApp('/testers/confirm?token=tok');
    const button = await screen.findByRole('button', { name: 'Confirm' });
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    await user.click(button);
    expect(await screen.findByText('Dana Whitfield can send you tests now.')).toBeVisible();
    expect(calls.filter(({ method }) => method === 'POST')).toMatchObject([{ body: { token: 'tok' } }]);
  });

  it('says why a link does nothing', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/testers/confirm': refusal(410, 'link_expired', 'This link has expired.'),
    });
    const { user } = renderApp('/testers/confirm?token=tok');
    await user.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('This link has expired.')).toBeVisible();
  });

  it('loads as little as other pages that open from a mail', () =>
    expect(entryKind('/testers/confirm')).toBe('mailed'));
});
