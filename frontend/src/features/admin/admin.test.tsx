import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { fakeStream, openedStream } from '../../../test/fake-stream';
import { renderApp } from '../../../test/render';
import { screenWidth } from '../../../test/setup';
import { percent, ratesText } from './components/rates';

const numbers = { users: 3, pendingUsers: 1, suspendedUsers: 0, waitingImports: 0, flaggedUsers: 1, today: { sends: 2, senders: 1, recipients: 1240, sent: 1200, failed: 4, skipped: 1, bounced: 9, complained: 1 } };
const pending = { user: { id: 'p1', firstName: 'Lee', lastName: 'Ito', role: 'recruiter', tier: 'free', createdAt: '2026-01-05T12:00:00Z' }, credential: { email: 'lee@agency.example' } };
const user = {
  id: 'u2', email: 'sam@agency.example', firstName: 'Sam', lastName: 'Vogt', agencyName: null, profileImageUrl: null, role: 'recruiter', tier: 'free', customDailyLimit: null, isAdmin: false, isVerified: true,
  referralCreditsMonths: '0', timeZone: 'UTC', createdAt: '2026-01-05T12:00:00Z', suspended: false, suspendedAt: null, flag: 'watch', emailsSentToday: 1,
};
const rates = { mails: 2000, bounced: 5, complained: 3, bounceRate: 0.0025, complaintRate: 0.0015 };
const detail = {
  ...user, plan: { plan: 'free', source: 'none', until: null, subscriptionStatus: null, dailyLimit: 1, remainingToday: 0 }, totalLists: 2, totalContacts: 412, devices: [],
  reputation: { userId: 'u2', flag: 'watch', last7Days: { ...rates, mails: 0 }, last30Days: rates },
};
const contact = { id: 'c1', email: 'maya@vendor.example', name: null, subscriptionType: 'job-posts', confirmed: false, suppressed: null, createdAt: '2025-01-05T12:00:00Z', emailListId: 'l1', listName: 'Java vendors', ownerEmail: 'sam@agency.example' };
const batch = {
  id: 'b1', listId: 'l1', listName: 'Clients', attestation: 'Signed contract', total: 990, sample: [{ email: 'a@v.example', name: null }], isComplete: true, state: 'waiting', createdAt: '2026-01-05T12:00:00Z', decidedAt: null,
  owner: { id: 'u2', email: 'sam@agency.example', name: 'Sam Vogt', agencyName: 'Vogt', memberSince: '2025-01-05T12:00:00Z', suspended: false, confirmedImports: 1, declinedImports: 0 },
};
const suppression = { id: 's1', email: 'gone@v.example', cause: 'bounced', scope: 'all', ownerEmail: null, createdAt: '2026-01-05T12:00:00Z', expiresAt: null };
const providerRate = { account: 'smtp', provider: 'google', rateNow: 12.4, perSecond: 20, refusedLastHour: 3, waiting: 1200, expectedEnd: '2026-01-05T13:00:00Z', pausedUntil: null, lastAnswer: '421 4.7.28 slow down' };
const provider = { id: 'm1', name: 'backup', apiKeyRef: 'SMTP_PASSWORD_BACKUP', isConfigured: true, config: { host: 'smtp.example.com', port: 587 }, isDefault: false, isActive: true, state: 'failing', lastOkAt: null, lastErrorAt: '2026-01-05T12:00:00Z', lastError: '535 no', heldUntil: null };
const secrets = [{ name: 'SMTP_PASSWORD_BACKUP', isAddress: false }, { name: 'SMTP_URL_RELAY', isAddress: true }];

function open(path: string, answers: Record<string, unknown> = {}, me = someone({ isAdmin: true })) {
  const calls = fakeApi({
    'GET /api/auth/user': me, 'GET /api/admin/overview': numbers, 'GET /api/admin/pending-users': page([pending]), 'GET /api/admin/users': page([user]), 'GET /api/admin/users/u2': detail,
    'GET /api/admin/sends': page([]), 'GET /api/admin/audit': page([]), 'GET /api/admin/subscriptions': page([contact]), 'GET /api/admin/imports': page([batch]), 'GET /api/admin/lists': [],
    'GET /api/admin/suppressions': page([suppression]), 'GET /api/admin/providers': [provider], 'GET /api/admin/provider-rates': [providerRate], 'GET /api/admin/provider-secrets': secrets, 'GET /api/admin/senders': page([]), ...answers,
  });
  return { calls, ...renderApp(path) };
}
const body = (calls: ReturnType<typeof fakeApi>, method: string) => calls.find((call) => call.method === method)?.body;
const slow = { timeout: 20_000 };
const dialog = async () => within(await screen.findByRole('alertdialog', {}, slow));

describe('the admin screen', () => {
  it('is for admins: others are led to the dashboard', async () => {
    const { router, calls } = open('/admin', {}, someone());
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls.some(({ path }) => path.startsWith('/api/admin'))).toBe(false);
  });

  it('has the four tabs, and the choice stands in the address', async () => {
    const { user: hand, router } = open('/admin');
    expect(await screen.findByRole('tab', { name: 'Pending Verifications (1)' })).toHaveAttribute('aria-selected', 'true');
    for (const name of ['Users', 'Subscriptions', 'Default List']) expect(screen.getByRole('tab', { name })).toBeVisible();
    await hand.click(screen.getByRole('tab', { name: 'Users' }));
    expect(router.state.location.search).toBe('?tab=users');
    expect(await screen.findByText('sam@agency.example')).toBeInTheDocument();
  });

  it('verifies after asking, with the reason', async () => {
    const { user: hand, calls } = open('/admin', { 'POST /api/admin/verify-user/p1': { message: 'User verified' } });
    await hand.click(await screen.findByRole('button', { name: 'Verify lee@agency.example' }));
    const asked = await dialog();
    expect(asked.getByText(/Lee Ito \(lee@agency.example\)/)).toBeVisible();
    await hand.type(asked.getByRole('textbox', { name: 'Reason (optional)' }), 'By phone');
    await hand.click(asked.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('User Verified')).toBeVisible();
    expect(body(calls, 'POST')).toEqual({ reason: 'By phone' });
  });

  it('says so when it fails', async () => {
    const { user: hand } = open('/admin', { 'POST /api/admin/verify-user/p1': refusal(403, 'forbidden', 'Only admins may do this') });
    await hand.click(await screen.findByRole('button', { name: 'Verify lee@agency.example' }));
    await hand.click((await dialog()).getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('Failed to verify user')).toBeVisible();
    expect(screen.getByText('Only admins may do this')).toBeVisible();
  });

  it('opens a person, sets a limit, and names what a suspension hits', async () => {
    const { user: hand, calls } = open('/admin?tab=users', { 'PATCH /api/admin/users/u2': user });
    await hand.click(await screen.findByRole('button', { name: 'Open sam@agency.example' }, slow));
    const sheet = within(await screen.findByRole('dialog', { name: 'Sam Vogt' }, slow));
    expect(sheet.getByText('2 lists, 412 contacts')).toBeVisible();
    expect(sheet.getByText('2,000 mails, 5 bounced (0.25%), 3 complaints (0.15%)')).toBeVisible();
    await hand.type(sheet.getByRole('textbox', { name: 'Custom daily limit' }), 'many');
    await hand.click(sheet.getByRole('button', { name: 'Set limit' }));
    expect(await sheet.findByText('Enter a whole number, 0 or more')).toBeVisible();
    await hand.clear(sheet.getByRole('textbox', { name: 'Custom daily limit' }));
    await hand.type(sheet.getByRole('textbox', { name: 'Custom daily limit' }), '0');
    await hand.click(sheet.getByRole('button', { name: 'Set limit' }));
    expect(await screen.findByText('User Updated')).toBeVisible();
    expect(body(calls, 'PATCH')).toEqual({ customDailyLimit: 0 });
    await hand.click(sheet.getByRole('button', { name: 'Suspend' }));
    expect((await dialog()).getByText(/with 2 lists and 412 contacts/)).toBeVisible();
  });

  it('offers nobody to take their own rights', async () => {
    const { user: hand } = open('/admin?tab=users', { 'GET /api/admin/users': page([{ ...user, id: 'u1' }]), 'GET /api/admin/users/u1': { ...detail, id: 'u1' } });
    await hand.click(await screen.findByRole('button', { name: 'Open sam@agency.example' }, slow));
    const sheet = within(await screen.findByRole('dialog', { name: 'Sam Vogt' }, slow));
    expect(sheet.queryByRole('button', { name: 'Suspend' })).not.toBeInTheDocument();
    expect(sheet.getByText(/your own account/)).toBeVisible();
  });

  it('confirms a contact; filters on the server', async () => {
    const { user: hand, calls } = open('/admin?tab=subscriptions', { 'PATCH /api/admin/subscriptions/c1/confirm': refusal(503, 'unavailable', 'Busy') });
    await hand.click(await screen.findByRole('button', { name: 'Confirm maya@vendor.example' }));
    await hand.click((await dialog()).getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Failed to update subscription status')).toBeVisible();
    expect(body(calls, 'PATCH')).toEqual({ confirmed: true });
    await hand.click(screen.getByRole('combobox', { name: 'Status' }));
    await hand.click(await screen.findByRole('option', { name: 'Pending' }));
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/admin/subscriptions').at(-1)?.query).toMatchObject({ confirmed: 'false', limit: '25' }));
  });

  it('shows that the file of an attested import has been read once the server says so', async () => {
    const restore = fakeStream();
    let isComplete = false;
    open('/admin?tab=subscriptions', { 'GET /api/admin/imports': () => page([{ ...batch, isComplete }]) });
    expect(await screen.findByText('Its file is still being read.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Confirm all: import into Clients' })).toBeDisabled();
    isComplete = true;
    (await openedStream()).changed('admin');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm all: import into Clients' })).toBeEnabled());
    restore();
  });

  it('confirms an attested import whole, naming its size', async () => {
    const { user: hand, calls } = open('/admin?tab=subscriptions', { 'POST /api/admin/imports/b1/confirm': { confirmed: 990 } });
    expect(await screen.findByText('Signed contract')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Confirm all: import into Clients' }));
    const asked = await dialog();
    expect(asked.getByText(/Confirm 990 contacts of sam@agency.example on "Clients"/)).toBeVisible();
    await hand.click(asked.getByRole('button', { name: 'Confirm all' }));
    expect(await screen.findByText('Import Confirmed')).toBeVisible();
    expect(calls.some(({ path }) => path === '/api/admin/imports/b1/confirm')).toBe(true);
  });
});

describe('the operations screen', () => {
  it('shows today over all users and leads to the queues', async () => {
    open('/admin/operations');
    expect(await screen.findByText('1,240')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Queues' })).toHaveAttribute('href', '/api/admin/queues');
    expect(await screen.findByRole('tab', { name: 'Senders (1)' })).toBeVisible();
  });

  it('suppresses an address and lifts a suppression', async () => {
    const { user: hand, calls } = open('/admin/operations?tab=suppressions', { 'POST /api/admin/suppressions': answer({ ...suppression, email: 'new@v.example' }, 201), 'DELETE /api/admin/suppressions/s1': answer(null, 204) });
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

  it('shows what each mailbox provider takes, and when what waits for it will be through', async () => {
    open('/admin/operations?tab=accounts');
    const card = within(await screen.findByRole('article', { name: 'Google by smtp' }));
    expect(card.getByText('12 a second')).toBeVisible();
    expect(card.getByText('20 a second')).toBeVisible();
    expect(card.getByText('1,200')).toBeVisible();
    expect(card.getByText('421 4.7.28 slow down')).toBeVisible();
  });

  it('shows what a test mail\'s server said', async () => {
    const { user: hand } = open('/admin/operations?tab=accounts', { 'POST /api/admin/providers/m1/test': { ok: false, answer: '535 5.7.8 no' } });
    expect(await screen.findByText('Failing')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Send test mail by backup' }));
    await hand.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Test Mail Refused')).toBeVisible();
    expect(screen.getByText(/535 5.7.8 no/)).toBeVisible();
  });
});

describe('the activity on a phone', () => {
  it('says who did it, why and when', async () => {
    screenWidth(390);
    const line = { id: 'a1', kind: 'account.suspended', description: 'Account suspended', reason: 'Two people called', userEmail: 'sam@agency.example', actorEmail: 'root@agency.example', ipAddress: '10.0.0.1', at: '2026-01-05T12:00:00Z' };
    open('/admin/operations?tab=activity', { 'GET /api/admin/audit': page([line]) });
    for (const text of ['Account suspended', 'sam@agency.example', 'By root@agency.example', 'Two people called', /Jan 5, 2026/]) expect(await screen.findByText(text)).toBeVisible();
  });
});

describe('the mail accounts', () => {
  const choose = async (hand: ReturnType<typeof open>['user'], field: string, option: RegExp) => {
    await hand.click(screen.getByRole('combobox', { name: field }));
    await hand.click(await screen.findByRole('option', { name: option }));
  };

  it('are added by the name of a secret, off at first; what the server finds wrong stands at its field', async () => {
    const refusals = [refusal(409, 'provider_name_taken', 'Another mail account has this name'), refusal(400, 'validation_failed', 'No such host', [{ field: 'config.host', message: 'No such host' }]), provider];
    const { user: hand, calls } = open('/admin/operations?tab=accounts', { 'POST /api/admin/providers': () => refusals.shift() });
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
      name: 'third line', apiKeyRef: 'SMTP_PASSWORD_BACKUP', isActive: false, config: { kind: 'relay', host: 'smtp.third.example.org', requireTLS: true, messagesPerSecond: 20 }, currentPassword: ' my password ',
    });
  });

  it('ask no server where the secret is a whole address', async () => {
    const { user: hand } = open('/admin/operations?tab=accounts');
    await hand.click(await screen.findByRole('button', { name: 'Add Account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await choose(hand, 'Secret', /SMTP_URL_RELAY/);
    expect(dialog.queryByRole('textbox', { name: 'Host' })).not.toBeInTheDocument();
    expect(dialog.getByText(/SMTP_URL_RELAY holds the whole address/)).toBeVisible();
  });

  it('ask no host where the configuration binds the password to one', async () => {
    const { user: hand } = open('/admin/operations?tab=accounts', { 'GET /api/admin/provider-secrets': [{ name: 'SMTP_PASSWORD_SES', isAddress: false, host: 'smtp.ses.example' }] });
    await hand.click(await screen.findByRole('button', { name: 'Add Account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await choose(hand, 'Secret', /SMTP_PASSWORD_SES/);
    expect(dialog.getByText('The configuration sends this password to smtp.ses.example only.')).toBeVisible();
    expect(dialog.queryByRole('textbox', { name: 'Host' })).not.toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: /User/ })).toBeVisible();
  });

  it('keep what the dialog does not ask for, and no password is wanted for a new pace: the default one too', async () => {
    const config = { host: 'relay.example', port: 2525, secure: false, domainConnections: 3, messagesPerConnection: 40, domainMessagesPerSecond: 7, kind: 'relay' };
    const first = { ...provider, id: 'm0', name: 'smtp', apiKeyRef: 'SMTP_URL', isDefault: true, config };
    const { user: hand, calls } = open('/admin/operations?tab=accounts', { 'GET /api/admin/providers': [first], 'PATCH /api/admin/providers/m0': first });
    await hand.click(await screen.findByRole('button', { name: 'Edit smtp' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit "smtp"' }));
    await hand.type(dialog.getByRole('textbox', { name: /Messages a second/ }), '14');
    expect(dialog.queryByLabelText('Your password')).not.toBeInTheDocument();
    await hand.click(dialog.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Mail Account Updated')).toBeVisible();
    expect(body(calls, 'PATCH')).toEqual({ config: { ...config, messagesPerSecond: 14 } });
  });

  it('are edited and removed after asking, with the reason', async () => {
    const { user: hand, calls } = open('/admin/operations?tab=accounts', { 'PATCH /api/admin/providers/m1': provider, 'DELETE /api/admin/providers/m1': answer(null, 204) });
    await hand.click(await screen.findByRole('button', { name: 'Edit backup' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit "backup"' }));
    expect(dialog.queryByLabelText('Your password')).not.toBeInTheDocument();
    await hand.clear(dialog.getByRole('textbox', { name: /Port/ }));
    await hand.type(dialog.getByLabelText('Your password'), 'my password');
    await hand.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Moved');
    await hand.click(dialog.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Mail Account Updated')).toBeVisible();
    expect(body(calls, 'PATCH')).toEqual({ config: { kind: 'relay', host: 'smtp.example.com', requireTLS: true }, reason: 'Moved', currentPassword: 'my password' });
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

it('tells rates in hundredths', () => {
  expect(percent(0.0007)).toBe('0.07%');
  expect(ratesText({ ...rates, mails: 0 })).toBe('No mail');
});
