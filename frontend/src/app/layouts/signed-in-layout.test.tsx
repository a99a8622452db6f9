import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { fakeApi, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { dashboardAnswers } from '../../../test/fixtures/screen-answers';
import { screenWidth } from '../../../test/setup';

const open = (over = {}) => {
  fakeApi({ 'GET /api/auth/user': someone(over), ...dashboardAnswers });
  return renderApp('/dashboard');
};
const sidebar = () => screen.getByRole('complementary', { name: 'Sidebar' });

describe('the sidebar', () => {
  it('collapses by Ctrl+B and Cmd+B and stores its state in a cookie', async () => {
    const { user } = open();
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(sidebar()).toHaveAttribute('data-state', 'expanded');
    await user.keyboard('{Control>}b{/Control}');
    expect(sidebar()).toHaveAttribute('data-state', 'collapsed');
    expect(document.cookie).toContain('sidebar_state=false');
    await user.keyboard('{Meta>}b{/Meta}');
    expect(sidebar()).toHaveAttribute('data-state', 'expanded');
    expect(document.cookie).toContain('sidebar_state=true');
  });

  it('starts in the state of the cookie, and its entries keep their names', async () => {
    document.cookie = 'sidebar_state=false; path=/';
    open();
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(sidebar()).toHaveAttribute('data-state', 'collapsed');
    expect(screen.getByRole('link', { name: 'Email Lists' })).toHaveAttribute('href', '/lists');
  });

  it('marks the entry of the current path', async () => {
    open();
    const nav = await screen.findByRole('navigation', { name: 'Main' });
    expect(within(nav).getByRole('link', { current: 'page' })).toHaveTextContent('Dashboard');
  });

  it("shows who is signed in, today's remaining sends and the plan", async () => {
    open({ entitlements: { plan: 'free', dailyLimit: 1, sentToday: 1, scheduledToday: 0, remainingToday: 0 } });
    const aside = await screen.findByRole('complementary', { name: 'Sidebar' });
    for (const text of ['Dana Whitfield', 'Recruiter', '1 of 1 sent today', 'Free', 'Email Distribution'])
      expect(within(aside).getByText(text)).toBeVisible();
  });

  it('falls back to User and U without a name, and to the initials without a picture', async () => {
    const { unmount } = open({ firstName: null, lastName: null });
    const aside = await screen.findByRole('complementary', { name: 'Sidebar' });
    for (const text of ['User', 'U']) expect(within(aside).getByText(text)).toBeVisible();
    unmount();
    const view = open();
    expect(within(await screen.findByRole('complementary', { name: 'Sidebar' })).getByText('DW')).toBeVisible();
    view.unmount();
    open({ profileImageUrl: '/api/avatars/a1' });
    expect(
      within(await screen.findByRole('complementary', { name: 'Sidebar' })).getByRole('img', {
        name: 'Dana Whitfield',
      }),
    ).toHaveAttribute('src', '/api/avatars/a1');
  });

  it('says unlimited where there is no limit', async () => {
    open({ entitlements: { plan: 'pro', dailyLimit: null, sentToday: 3, scheduledToday: 0, remainingToday: null } });
    const aside = await screen.findByRole('complementary', { name: 'Sidebar' });
    for (const text of ['3 sent today, unlimited', 'Pro']) expect(within(aside).getByText(text)).toBeVisible();
    expect(within(aside).queryByRole('link', { name: 'Upgrade to Pro' })).not.toBeInTheDocument();
  });

  it('is a sheet under 768 px, opened and closed by the same key', async () => {
    screenWidth(390);
    const { user } = open();
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument();
    await user.keyboard('{Control>}b{/Control}');
    expect(await screen.findByRole('navigation', { name: 'Main' })).toBeVisible();
    expect(document.cookie).not.toContain('sidebar_state');
  });
});

describe('the theme', () => {
  it('is dark by default, and a change is remembered', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Switch to light theme' }));
    expect(localStorage.getItem('theme')).toBe('light');
    expect(document.documentElement).toHaveAttribute('data-theme', 'light');
    await user.click(screen.getByRole('button', { name: 'Switch to dark theme' }));
    expect(localStorage.getItem('theme')).toBe('dark');
  });
});

describe('the unverified banner', () => {
  it('is shown until the address is verified, with a resend button and a link to help', async () => {
    const { unmount } = open({ isVerified: false });
    const banner = await screen.findByRole('complementary', { name: 'Email verification' });
    expect(within(banner).getByRole('button', { name: 'Resend email' })).toBeEnabled();
    expect(within(banner).getByRole('link')).toHaveAttribute('href', '/check-email?email=dana%40northline.example');
    unmount();
    open();
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
    expect(screen.queryByRole('complementary', { name: 'Email verification' })).not.toBeInTheDocument();
  });
});
