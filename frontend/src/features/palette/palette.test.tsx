import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { referralsAnswers, settingsAnswers, writingAnswers } from '../../../test/fixtures/screen-answers';
import { excluded, fakeDrafts } from '../../../test/send-kit';

const list = {
  id: 'l1',
  name: 'Java vendors',
  slug: 'java-x1',
  description: null,
  agencyName: null,
  agencyLogo: null,
  ownerName: null,
  contactCount: 412,
  isDefault: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};
const send = {
  id: 's1',
  subject: 'Java developer, Austin',
  emailType: 'job-post',
  recipientCount: '12',
  sentAt: '2026-01-05T10:00:00.000Z',
  status: 'sent',
};
const contact = { id: 'c1', email: 'java@vendor.example', name: null, listId: 'l1', listName: 'Java vendors' };

function open(path = '/referrals', answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-lists': page([list]),
    'GET /api/email-history': page([send]),
    'GET /api/email-lists/contacts': [contact],
    ...referralsAnswers,
    ...settingsAnswers,
    ...writingAnswers,
    'POST /api/send-email/preview': { recipientCount: '408', excluded },
    ...fakeDrafts().answers,
    ...answers,
  });
  return { calls, ...renderApp(path) };
}

const palette = () => screen.findByRole('dialog', { name: 'Search and commands' });
const button = () => screen.findByRole('button', { name: 'Search and commands' });

describe('the command palette', () => {
  it('opens by Ctrl+K, finds lists, contacts and sends on the server, and opens them by keyboard', async () => {
    const { user, calls, router } = open();
    await button();
    await user.keyboard('{Control>}k{/Control}');
    const dialog = within(await palette());
    await user.type(dialog.getByRole('combobox'), 'java');
    expect(await dialog.findByRole('option', { name: /Java vendors 412 contacts/ })).toBeVisible();
    expect(dialog.getByRole('option', { name: /java@vendor\.example Java vendors/ })).toBeVisible();
    expect(dialog.getByRole('option', { name: /Java developer, Austin/ })).toBeVisible();
    // One request for the whole word, not one for each letter.
    expect(
      calls.filter(({ path, query }) => path === '/api/email-lists/contacts' && query.search === 'java'),
    ).toHaveLength(1);
    expect(calls.filter(({ path }) => path === '/api/email-lists/contacts').length).toBeLessThan(3);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe('/lists/l1?q=java%40vendor.example'),
    );
    expect(screen.queryByRole('dialog', { name: 'Search and commands' })).not.toBeInTheDocument();
  });

  it.each([
    ['new list', '/lists?new=list'],
    ['new send', '/send'],
    ['devices', '/settings#devices'],
    ['referrals', '/referrals'],
  ])('opens "%s"', async (text, address) => {
    const { user, router } = open('/settings', {
      'GET /api/email-lists': page([]),
      'GET /api/email-history': page([]),
      'GET /api/email-lists/contacts': [],
    });
    await user.click(await button());
    await user.type(within(await palette()).getByRole('combobox'), text);
    await screen.findByRole('option');
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search + router.state.location.hash).toBe(address),
    );
  });

  it('says that the search failed, or that it found nothing', async () => {
    let up = false;
    const { user } = open('/settings', {
      'GET /api/email-lists/contacts': () => (up ? [] : refusal(503, 'unavailable', 'Busy')),
      'GET /api/email-lists': page([]),
      'GET /api/email-history': page([]),
    });
    await user.click(await button());
    const dialog = within(await palette());
    await user.type(dialog.getByRole('combobox'), 'zzz');
    expect(await dialog.findByText('Part of the search failed.')).toBeVisible();
    up = true;
    await user.click(dialog.getByRole('button', { name: 'Retry' }));
    expect(await dialog.findByText('Nothing found for “zzz”')).toBeVisible();
  });
});

describe('single keys', () => {
  it('open the screens, and the search of the present one', async () => {
    const { user, router } = open();
    await button();
    await user.keyboard('gl');
    await waitFor(() => expect(router.state.location.pathname).toBe('/lists'));
    const field = await screen.findByRole('searchbox', { name: 'Search lists...' });
    await user.keyboard('/');
    expect(field).toHaveFocus();
    await user.keyboard('c?g');
    expect(field).toHaveValue('c?g');
    expect(router.state.location.pathname).toBe('/lists');
    field.blur();
    await user.keyboard('gh');
    await waitFor(() => expect(router.state.location.pathname).toBe('/history'));
    await user.keyboard('c');
    await waitFor(() => expect(router.state.location.pathname).toBe('/send'));
  });

  it('do nothing while a dialog is open, and can be turned off', async () => {
    const { user, router } = open();
    await button();
    await user.keyboard('?');
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    await user.keyboard('c');
    await user.keyboard('{Control>}k{/Control}');
    expect(screen.queryByRole('dialog', { name: 'Search and commands' })).not.toBeInTheDocument();
    await user.click(help.getByRole('switch', { name: 'Single-key shortcuts' }));
    await user.click(help.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.keyboard('c');
    expect(router.state.location.pathname).toBe('/referrals');
    await user.keyboard('{Control>}k{/Control}');
    expect(await palette()).toBeVisible();
  });
});

describe('Ctrl+Enter', () => {
  it('presses Next in a send, from a field too, and only where Next is enabled', async () => {
    const { user } = open('/send');
    await screen.findByText(/Step 1 of 4/);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(screen.getByText(/Step 1 of 4/)).toBeVisible();
    await user.click(await screen.findByRole('radio', { name: /Job Post/ }));
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText(/Step 2 of 4/)).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Subject line' }), 'Senior Java developer');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText(/Step 3 of 4/)).toBeVisible();
  });
});
