import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { fakeApi, refusal, signedOut, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';

describe('a forgotten password', () => {
  it('is requested from login, and the answer is shown on the screen', async () => {
    const message = 'If this address has an account, a link is on its way.';
    const calls = fakeApi({ 'GET /api/auth/user': signedOut, 'POST /api/auth/forgot-password': { message } });
    const { user, router } = renderApp('/login');
    await user.click(await screen.findByRole('link', { name: /Forgot/ }));
    await screen.findByRole('heading', { level: 1, name: 'Forgot your password?' });
    await user.type(screen.getByLabelText('Email'), 'nope{Enter}');
    expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
    await user.clear(screen.getByLabelText('Email'));
    await user.type(screen.getByLabelText('Email'), 'dana@northline.example{Enter}');
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Check Your Email' })).toBeVisible();
    expect(calls.find((call) => call.method === 'POST')?.body).toEqual({ email: 'dana@northline.example' });
    await user.click(screen.getByRole('link', { name: 'Back to login' }));
    expect(router.state.location.pathname).toBe('/login');
  });

  it('shows an error when the request fails', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/auth/forgot-password': refusal(429, 'rate_limited', 'Too many requests. Please wait.'),
    });
    const { user } = renderApp('/forgot-password');
    await user.type(await screen.findByLabelText('Email'), 'dana@northline.example{Enter}');
    expect(await screen.findByText('Too many requests. Please wait.')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('dana@northline.example');
  });

  it('is replaced by the mailed link, which leads to login even where somebody was signed in', async () => {
    let signedIn = true;
    const calls = fakeApi({
      'GET /api/auth/user': () => (signedIn ? someone() : signedOut()),
      'POST /api/auth/reset-password': () => {
        signedIn = false;
        return { message: 'Your password has been changed.' };
      },
    });
    const { user, router } = renderApp('/reset-password?token=t1');
    await user.type(await screen.findByLabelText('New password'), 'short');
    await user.type(screen.getByLabelText('Confirm password'), 'other{Enter}');
    expect(await screen.findByText('Password must be at least 8 characters')).toBeVisible();
    await user.type(screen.getByLabelText('New password'), ' and then long');
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    await user.clear(screen.getByLabelText('Confirm password'));
    await user.type(screen.getByLabelText('Confirm password'), 'short and then long{Enter}');
    expect(await screen.findByText('Your password has been changed.')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    expect(calls.find((call) => call.method === 'POST')?.body).toEqual({
      token: 't1',
      password: 'short and then long',
    });
  });

  it('asks for a new link when this one is invalid or carries no token', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/auth/reset-password': refusal(
        400,
        'token_invalid',
        'This link is no longer valid. Please ask for a new one.',
      ),
    });
    const { user, unmount } = renderApp('/reset-password');
    expect(await screen.findByText('Reset token is required')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/forgot-password');
    unmount();
    renderApp('/reset-password?token=old');
    for (const label of ['New password', 'Confirm password'])
      await user.type(await screen.findByLabelText(label), 'long enough now');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('This link is no longer valid. Please ask for a new one.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Request a new link' })).toBeVisible();
  });
});
