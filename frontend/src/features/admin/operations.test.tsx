import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { open, provider, providerRate, suppression } from '../../../test/fixtures/admin-fixtures';
import { answer, fakeApi, page, refusal } from '../../../test/fake-api';
import { fakeStream, openedStream } from '../../../test/fake-stream';
import { screenWidth } from '../../../test/setup';

const body = (calls: ReturnType<typeof fakeApi>, method: string) => calls.find((call) => call.method === method)?.body;

const dialog = async () => within(await screen.findByRole('alertdialog'));

describe('the operations screen', () => {
  it("shows today's figures over all users and links to the queues", async () => {
    open('/admin/operations');
    expect(await screen.findByText('1,240')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Queues' })).toHaveAttribute('href', '/api/admin/queues');
    expect(await screen.findByRole('tab', { name: 'Senders (1)' })).toBeVisible();
  });

  it('suppresses an address and lifts a suppression', async () => {
    const { user: hand, calls } = open('/admin/operations?tab=suppressions', {
      'POST /api/admin/suppressions': answer({ ...suppression, email: 'new@v.example' }, 201),
      'DELETE /api/admin/suppressions/s1': answer(null, 204),
    });
    await hand.click(await screen.findByRole('button', { name: 'Suppress Address' }));
    const form = within(await screen.findByRole('dialog', { name: 'Suppress an address' }));
    await hand.type(form.getByRole('textbox', { name: 'Email' }), 'new@v.example');
    await hand.click(form.getByRole('button', { name: 'Suppress' }));
    expect(await screen.findByText('Address Suppressed')).toBeVisible();
    expect(body(calls, 'POST')).toEqual({ email: 'new@v.example', scope: 'all', cause: 'unsubscribed' });
    await hand.click(await screen.findByRole('button', { name: 'Lift gone@v.example' }));
    await hand.click((await dialog()).getByRole('button', { name: 'Lift' }));
    expect(await screen.findByText('Suppression Lifted')).toBeVisible();
  });

  it("shows each mailbox provider's rate, limit, waiting mail, its expected end and the last refusal", async () => {
    open('/admin/operations?tab=accounts');
    const card = within(await screen.findByRole('article', { name: 'Google by smtp' }));
    expect(card.getByText('12 a second')).toBeVisible();
    expect(card.getByText('20 a second')).toBeVisible();
    expect(card.getByText('1,200')).toBeVisible();
    expect(card.getByText('Expected end')).toBeVisible();
    expect(card.getByRole('time')).toHaveAttribute('datetime', providerRate.expectedEnd);
    expect(card.getByText('421 4.7.28 slow down')).toBeVisible();
  });

  it('refetches the mail accounts when the server reports a change, when the tab is opened again, and on Refresh', async () => {
    const restore = fakeStream();
    try {
      const health = { state: 'failing' };
      const { user: hand } = open('/admin/operations?tab=accounts', {
        'GET /api/admin/providers': () => [{ ...provider, ...health }],
      });
      expect(await screen.findByText('Failing')).toBeVisible();
      const stream = await openedStream();
      health.state = 'ok';
      stream.changed('mail-account', 'm1');
      expect(await screen.findByText('Healthy')).toBeVisible();
      health.state = 'failing';
      await hand.click(screen.getByRole('button', { name: 'Refresh mail accounts' }));
      expect(await screen.findByText('Failing')).toBeVisible();
      await hand.click(screen.getByRole('tab', { name: /Suppressions/ }));
      health.state = 'ok';
      await hand.click(screen.getByRole('tab', { name: /Mail accounts/i }));
      expect(await screen.findByText('Healthy')).toBeVisible();
    } finally {
      restore();
    }
  });

  it("shows the server's reply to a test mail", async () => {
    const { user: hand } = open('/admin/operations?tab=accounts', {
      'POST /api/admin/providers/m1/test': { ok: false, answer: '535 5.7.8 no' },
    });
    expect(await screen.findByText('Failing')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Send test mail by backup' }));
    await hand.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Test Mail Refused')).toBeVisible();
    expect(screen.getByText(/535 5.7.8 no/)).toBeVisible();
  });
});

describe('the activity on a phone', () => {
  it('shows who did it, why and when', async () => {
    screenWidth(390);
    const line = {
      id: 'a1',
      kind: 'account.suspended',
      description: 'Account suspended',
      reason: 'Two people called',
      userEmail: 'sam@agency.example',
      actorEmail: 'root@agency.example',
      ipAddress: '10.0.0.1',
      at: '2026-01-05T12:00:00Z',
    };
    open('/admin/operations?tab=activity', { 'GET /api/admin/audit': page([line]) });
    for (const text of [
      'Account suspended',
      'sam@agency.example',
      'By root@agency.example',
      'Two people called',
      /Jan 5, 2026/,
    ])
      expect(await screen.findByText(text)).toBeVisible();
  });
});

describe('the mail accounts', () => {
  const choose = async (hand: ReturnType<typeof open>['user'], field: string, option: RegExp) => {
    await hand.click(screen.getByRole('combobox', { name: field }));
    await hand.click(await screen.findByRole('option', { name: option }));
  };

  it("are added by the name of a secret, disabled at first; the server's errors are shown at their fields", async () => {
    const refusals = [
      refusal(409, 'provider_name_taken', 'Another mail account has this name'),
      refusal(400, 'validation_failed', 'No such host', [{ field: 'config.host', message: 'No such host' }]),
      provider,
    ];
    const { user: hand, calls } = open('/admin/operations?tab=accounts', {
      'POST /api/admin/providers': () => refusals.shift(),
    });
    await hand.click(await screen.findByRole('button', { name: 'Add Account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a mail account' }));
    await hand.click(dialog.getByRole('button', { name: 'Add account' }));
    expect(await dialog.findByText('Name is required')).toBeVisible();
    expect(dialog.getByText('Choose a secret')).toBeVisible();
    await hand.type(dialog.getByRole('textbox', { name: 'Name' }), 'third');
    await choose(hand, 'Secret', /SMTP_PASSWORD_BACKUP/);
    await hand.type(dialog.getByRole('textbox', { name: 'Host' }), 'smtp.third.example');
    await hand.type(dialog.getByRole('textbox', { name: /Messages a second/ }), '20');
    await hand.type(dialog.getByLabelText('Your password'), ' my password ');
    await hand.click(dialog.getByRole('button', { name: 'Add account' }));
    expect(await dialog.findByText('Another mail account has this name')).toBeVisible();
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await hand.type(dialog.getByRole('textbox', { name: 'Name' }), ' line');
    await hand.click(dialog.getByRole('button', { name: 'Add account' }));
    expect((await screen.findAllByText('No such host')).length).toBe(2);
    await hand.type(dialog.getByRole('textbox', { name: 'Host' }), '.org');
    await hand.click(dialog.getByRole('button', { name: 'Add account' }));
    expect(await screen.findByText('Mail Account Added')).toBeVisible();
    expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
      name: 'third line',
      apiKeyRef: 'SMTP_PASSWORD_BACKUP',
      isActive: false,
      config: { kind: 'relay', host: 'smtp.third.example.org', requireTLS: true, messagesPerSecond: 20 },
      currentPassword: ' my password ',
    });
  });

  it('lose what is typed in a dialog by Back only after a question', async () => {
    const { user: hand, router } = open('/admin/operations?tab=sends');
    await hand.click(await screen.findByRole('tab', { name: /Mail accounts/ }));
    await hand.click(await screen.findByRole('button', { name: 'Add Account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a mail account' }));
    await hand.type(dialog.getByRole('textbox', { name: 'Name' }), 'third');
    const question = async () => within(await screen.findByRole('alertdialog', { name: 'Discard what you typed?' }));
    await act(() => router.navigate(-1));
    await hand.click((await question()).getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('third');
    await act(() => router.navigate(-1));
    await hand.click((await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=sends'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('do not ask for a server when the secret is a whole URL', async () => {
    const { user: hand } = open('/admin/operations?tab=accounts');
    await hand.click(await screen.findByRole('button', { name: 'Add Account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await choose(hand, 'Secret', /SMTP_URL_RELAY/);
    expect(dialog.queryByRole('textbox', { name: 'Host' })).not.toBeInTheDocument();
    expect(dialog.getByText(/SMTP_URL_RELAY holds the whole address/)).toBeVisible();
    expect(dialog.getByText(/A \?client= in the address that SMTP_URL_RELAY holds overrules this/)).toBeVisible();
  });

  it('do not ask for a host when the configuration binds the password to one', async () => {
    const { user: hand } = open('/admin/operations?tab=accounts', {
      'GET /api/admin/provider-secrets': [{ name: 'SMTP_PASSWORD_SES', isAddress: false, host: 'smtp.ses.example' }],
    });
    await hand.click(await screen.findByRole('button', { name: 'Add Account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await choose(hand, 'Secret', /SMTP_PASSWORD_SES/);
    expect(dialog.getByText('The configuration sends this password to smtp.ses.example only.')).toBeVisible();
    expect(dialog.queryByRole('textbox', { name: 'Host' })).not.toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: /User/ })).toBeVisible();
  });

  it('keep settings that the dialog does not show, and need no password for a new rate, also for the default account', async () => {
    const config = {
      host: 'relay.example',
      port: 2525,
      secure: false,
      domainConnections: 3,
      messagesPerConnection: 40,
      domainMessagesPerSecond: 7,
      kind: 'relay',
    };
    const first = { ...provider, id: 'm0', name: 'smtp', apiKeyRef: 'SMTP_URL', isDefault: true, config };
    const { user: hand, calls } = open('/admin/operations?tab=accounts', {
      'GET /api/admin/providers': [first],
      'PATCH /api/admin/providers/m0': first,
    });
    await hand.click(await screen.findByRole('button', { name: 'Edit smtp' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit "smtp"' }));
    await hand.type(dialog.getByRole('textbox', { name: /Messages a second/ }), '14');
    await choose(hand, 'Sending client', /nodemailer/);
    expect(dialog.queryByLabelText('Your password')).not.toBeInTheDocument();
    await hand.click(dialog.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Mail Account Updated')).toBeVisible();
    expect(body(calls, 'PATCH')).toEqual({ config: { ...config, messagesPerSecond: 14, client: 'nodemailer' } });
  });

  it('are edited, and removed after a question, with a reason', async () => {
    const { user: hand, calls } = open('/admin/operations?tab=accounts', {
      'PATCH /api/admin/providers/m1': provider,
      'DELETE /api/admin/providers/m1': answer(null, 204),
    });
    await hand.click(await screen.findByRole('button', { name: 'Edit backup' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit "backup"' }));
    expect(dialog.queryByLabelText('Your password')).not.toBeInTheDocument();
    await hand.clear(dialog.getByRole('textbox', { name: /Port/ }));
    await hand.type(dialog.getByLabelText('Your password'), 'my password');
    await hand.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Moved');
    await hand.click(dialog.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Mail Account Updated')).toBeVisible();
    expect(body(calls, 'PATCH')).toEqual({
      config: { kind: 'relay', host: 'smtp.example.com', requireTLS: true },
      reason: 'Moved',
      currentPassword: 'my password',
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await hand.click(screen.getByRole('button', { name: 'Actions for backup' }));
    await hand.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    const asked = within(await screen.findByRole('alertdialog'));
    expect(asked.getByText(/Remove "backup"\?/)).toBeVisible();
    await hand.type(asked.getByRole('textbox', { name: 'Reason (optional)' }), 'Given up');
    await hand.click(asked.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Mail Account Removed')).toBeVisible();
    expect(body(calls, 'DELETE')).toEqual({ reason: 'Given up' });
  });
});
