import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';

const ROLE_FLAG = 'role_selected_u1';

function open(over: Parameters<typeof someone>[0] = {}, answers: Record<string, unknown> = {}) {
  let role = over.role ?? 'recruiter';
  const calls = fakeApi({
    'GET /api/auth/user': () => someone({ ...over, role }),
    'GET /api/email-lists': page([]),
    'PATCH /api/auth/user/role': (call: { body: unknown }) => {
      role = (call.body as { role: typeof role }).role;
      return someone({ role });
    },
    ...answers,
  });
  return { calls, ...renderApp('/lists') };
}

beforeEach(() => localStorage.removeItem(ROLE_FLAG));

describe('the welcome dialog', () => {
  it('asks a recruiter whom this browser has not asked yet, recruiter preselected; saving changes the role and is remembered', async () => {
    const { user, calls } = open();
    expect(await screen.findByRole('dialog', { name: 'Welcome to Staffcast' })).toBeVisible();
    expect(screen.getByRole('radio', { name: /Recruiter/ })).toBeChecked();
    await user.click(screen.getByRole('radio', { name: /Bench Sales/ }));
    await user.click(screen.getByRole('button', { name: 'Save role' }));
    expect(await screen.findByText('Profile Updated!')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(calls.find((call) => call.method === 'PATCH')?.body).toEqual({ role: 'bench-sales' });
    expect(localStorage.getItem(ROLE_FLAG)).toBe('true');
    expect(await screen.findByText('Bench Sales')).toBeVisible();
  });

  it('counts as answered when it is closed', async () => {
    const { user, calls, unmount } = open();
    await screen.findByRole('dialog', { name: 'Welcome to Staffcast' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(localStorage.getItem(ROLE_FLAG)).toBe('true');
    expect(calls.some((call) => call.method === 'PATCH')).toBe(false);
    unmount();
    open();
    await screen.findByRole('heading', { level: 1, name: 'Email Lists' });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it.each([
    ['bench sales', () => open({ role: 'bench-sales' })],
    ['a recruiter who was asked', () => (localStorage.setItem(ROLE_FLAG, 'true'), open())],
  ])('does not ask %s', async (_who, show) => {
    show();
    await screen.findByRole('heading', { level: 1, name: 'Email Lists' });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('stays open and says so when the role could not be saved', async () => {
    const { user } = open({}, { 'PATCH /api/auth/user/role': refusal(429, 'rate_limited', 'Too many requests') });
    await user.click(await screen.findByRole('button', { name: 'Save role' }));
    expect(await screen.findByText('Update Failed')).toBeVisible();
    expect(screen.getByRole('dialog')).toBeVisible();
    expect(localStorage.getItem(ROLE_FLAG)).toBeNull();
  });
});
