import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { answer, fakeApi, page, refusal, signedOut, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { dashboardAnswers } from '../../../test/fixtures/screen-answers';

const fill = async (user: ReturnType<typeof renderApp>['user'], over: Record<string, string> = {}) => {
  const values = {
    'First name': 'Dana',
    'Last name': 'Whitfield',
    Email: 'dana@northline.example',
    Password: 'correct horse',
    'Confirm password': 'correct horse',
    ...over,
  };
  for (const [label, value] of Object.entries(values)) await user.type(await screen.findByLabelText(label), value);
};

describe('registration', () => {
  it('names under each field what is missing and focuses the first one', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': signedOut });
    const { user } = renderApp('/register');
    await user.click(await screen.findByRole('button', { name: 'Create account' }));
    for (const text of [
      'First name is required',
      'Last name is required',
      'Please enter a valid email address',
      'Please select a role',
      'Password must be at least 8 characters',
    ]) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(screen.getByLabelText('First name')).toHaveFocus();
    expect(screen.getByLabelText('First name')).toHaveAccessibleDescription('First name is required');
    expect(calls.some((call) => call.method === 'POST')).toBe(false);
  });

  it('compares the passwords and can show them', async () => {
    fakeApi({ 'GET /api/auth/user': signedOut });
    const { user } = renderApp('/register');
    await fill(user, { 'Confirm password': 'something else' });
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    await user.click(screen.getAllByRole('button', { name: 'Show password' })[0] as HTMLElement);
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  });

  it('names the next action of the button beside a password, without a pressed state', async () => {
    fakeApi({ 'GET /api/auth/user': signedOut });
    const { user } = renderApp('/register');
    const [show] = await screen.findAllByRole('button', { name: 'Show password' });
    expect(show).not.toHaveAttribute('aria-pressed');
    await user.click(show as HTMLElement);
    expect(screen.getByRole('button', { name: 'Hide password' })).not.toHaveAttribute('aria-pressed');
  });

  it('sends the typed values with the referral code, and goes to the dashboard', async () => {
    let signedIn = false;
    const calls = fakeApi({
      'GET /api/auth/user': () => (signedIn ? someone({ isVerified: false }) : signedOut()),
      'POST /api/auth/register': () => {
        signedIn = true;
        return answer({ message: 'Check your email to verify your address.', user: someone() }, 201);
      },
      'POST /api/referrals/visit': { inviterName: null },
      ...dashboardAnswers,
    });
    const { user, router } = renderApp('/register?ref=ABC');
    expect(await screen.findByText("You're signing up with a referral code!")).toBeVisible();
    await fill(user);
    await user.click(screen.getByRole('radio', { name: /Bench Sales/ }));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Check your email to verify your address.')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls.find((call) => call.path === '/api/auth/register')?.body).toEqual({
      firstName: 'Dana',
      lastName: 'Whitfield',
      email: 'dana@northline.example',
      role: 'bench-sales',
      password: 'correct horse',
      referralCode: 'ABC',
      timeZone: expect.any(String),
    });
  });

  it('shows under the field that the password is too common', async () => {
    const text = 'This password is too common. Choose another.';
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/auth/register': answer(
        {
          statusCode: 400,
          code: 'validation_failed',
          message: text,
          error: text,
          details: [{ field: 'password', message: text }],
        },
        400,
      ),
    });
    const { user } = renderApp('/register');
    await fill(user, { Password: 'password1', 'Confirm password': 'password1' });
    await user.click(screen.getByRole('radio', { name: /Recruiter/ }));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    await waitFor(() => expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(text));
    expect(screen.getByLabelText('Password')).toHaveFocus();
  });

  it('keeps the input when the server refuses', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/auth/register': refusal(409, 'email_taken', 'This address has an account already.'),
    });
    const { user } = renderApp('/register');
    await fill(user);
    await user.click(screen.getByRole('radio', { name: /Recruiter/ }));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Registration failed')).toBeVisible();
    expect(screen.getByText('This address has an account already.')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('dana@northline.example');
  });
});

describe('verifying an address', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('verifies once, says so and goes home after two seconds', async () => {
    // The timer runs only when the test says so: on a slow machine the screen would be left before the test looks at
    // it.
    const real = globalThis.setTimeout;
    const held: (() => void)[] = [];
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms?: number, ...rest: unknown[]) =>
        ms === 2_000 ? (held.push(run), 0) : real(run, ms, ...rest)) as typeof setTimeout);
    let verified = false;
    const calls = fakeApi({
      'GET /api/auth/user': () => (verified ? someone() : signedOut()),
      'POST /api/auth/verify-email': () => {
        verified = true;
        return { message: '' };
      },
      'GET /api/email-history': page([]),
      ...dashboardAnswers,
    });
    const { router } = renderApp('/verify-email?token=t1');
    expect(await screen.findByText('Email verified successfully! You are now logged in.')).toBeVisible();
    expect(screen.getByText('Your email has been verified. Redirecting to dashboard...')).toBeVisible();
    expect(router.state.location.pathname).toBe('/verify-email');
    expect(held).toHaveLength(1);
    act(() => held[0]!());
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(calls.filter((call) => call.path === '/api/auth/verify-email')).toHaveLength(1);
  });

  it('offers Register and Go to Login when the link is invalid or carries no token', async () => {
    fakeApi({ 'GET /api/auth/user': signedOut, 'POST /api/auth/verify-email': answer({}, 400) });
    const { unmount } = renderApp('/verify-email');
    expect(await screen.findByText('No verification token provided')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register');
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
    unmount();
    renderApp('/verify-email?token=bad');
    expect(await screen.findByText('Please try again or request a new verification link.')).toBeVisible();
    expect(screen.getByText('Verification failed. The link may be expired or invalid.')).toBeVisible();
  });
});
