import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeStream, openedStream } from '../../../test/fake-stream';
import { batch, detail, open, rates, user } from '../../../test/fixtures/admin-fixtures';
import { fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { percent, ratesText } from './users/user-status';

const body = (calls: ReturnType<typeof fakeApi>, method: string) => calls.find((call) => call.method === method)?.body;

const dialog = async () => within(await screen.findByRole('alertdialog'));

describe('the admin screen', () => {
  it('is for admins: others are redirected to the dashboard', async () => {
    const { router, calls } = open('/admin', {}, someone());
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls.some(({ path }) => path.startsWith('/api/admin'))).toBe(false);
  });

  it('has the four tabs, and the address contains the selected one', async () => {
    const { user: hand, router } = open('/admin');
    expect(await screen.findByRole('tab', { name: 'Pending Verifications (1)' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    for (const name of ['Users', 'Subscriptions', 'Default List'])
      expect(screen.getByRole('tab', { name })).toBeVisible();
    await hand.click(screen.getByRole('tab', { name: 'Users' }));
    expect(router.state.location.search).toBe('?tab=users');
    expect(await screen.findByText('sam@agency.example')).toBeInTheDocument();
  });

  it('verifies an account after a question, with a reason', async () => {
    const { user: hand, calls } = open('/admin', { 'POST /api/admin/verify-user/p1': { message: 'User verified' } });
    await hand.click(await screen.findByRole('button', { name: 'Verify lee@agency.example' }));
    const asked = await dialog();
    expect(asked.getByText(/Lee Ito \(lee@agency.example\)/)).toBeVisible();
    await hand.type(asked.getByRole('textbox', { name: 'Reason (optional)' }), 'By phone');
    await hand.click(asked.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('User Verified')).toBeVisible();
    expect(body(calls, 'POST')).toEqual({ reason: 'By phone' });
  });

  it('reports a failed action', async () => {
    const { user: hand } = open('/admin', {
      'POST /api/admin/verify-user/p1': refusal(403, 'forbidden', 'Only admins may do this'),
    });
    await hand.click(await screen.findByRole('button', { name: 'Verify lee@agency.example' }));
    await hand.click((await dialog()).getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('Failed to verify user')).toBeVisible();
    expect(screen.getByText('Only admins may do this')).toBeVisible();
  });

  it('keeps the dialog and the typed reason when the server refuses', async () => {
    const { user: hand } = open('/admin', { 'POST /api/admin/verify-user/p1': refusal(503, 'unavailable', 'Busy') });
    await hand.click(await screen.findByRole('button', { name: 'Verify lee@agency.example' }));
    const asked = await dialog();
    await hand.type(asked.getByRole('textbox', { name: /Reason/ }), 'Known from a fair');
    await hand.click(asked.getByRole('button', { name: 'Verify' }));
    expect(await asked.findByRole('alert')).toHaveTextContent('Failed to verify user: Busy');
    expect(asked.getByRole('textbox', { name: /Reason/ })).toHaveValue('Known from a fair');
    expect(asked.getByRole('button', { name: 'Verify' })).toBeEnabled();
  });

  it('opens a user, sets a limit, and names what a suspension affects', async () => {
    const { user: hand, calls } = open('/admin?tab=users', { 'PATCH /api/admin/users/u2': user });
    await hand.click(await screen.findByRole('button', { name: 'Open sam@agency.example' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Sam Vogt' }));
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

  it('shows the limit that another admin sets meanwhile, also in the field, but not while the field is edited', async () => {
    const restore = fakeStream();
    try {
      let customDailyLimit = 50;
      const { user: hand } = open('/admin?tab=users&person=u2', {
        'GET /api/admin/users/u2': () => ({
          ...detail,
          customDailyLimit,
          plan: { ...detail.plan, dailyLimit: customDailyLimit },
        }),
      });
      const field = await screen.findByRole('textbox', { name: 'Custom daily limit' });
      expect(field).toHaveValue('50');
      const stream = await openedStream();
      customDailyLimit = 500;
      stream.changed('admin');
      await waitFor(() => expect(field).toHaveValue('500'));
      await hand.type(field, '1');
      customDailyLimit = 700;
      stream.changed('admin');
      expect(await screen.findByText(/700/)).toBeVisible();
      expect(field).toHaveValue('5001');
    } finally {
      restore();
    }
  });

  it('has the open user in the address: a link opens the sheet, Back closes it and stays on the screen', async () => {
    const { user: hand, router } = open('/admin?tab=users');
    await hand.click(await screen.findByRole('button', { name: 'Open sam@agency.example' }));
    expect(await screen.findByRole('dialog', { name: 'Sam Vogt' })).toBeVisible();
    expect(router.state.location.search).toBe('?tab=users&person=u2');
    await act(() => router.navigate(-1));
    expect(router.state.location.search).toBe('?tab=users');
    // While the drawer slides out, it keeps its content.
    expect(screen.getByText('2 lists, 412 contacts')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await act(() => router.navigate('/admin?tab=users&person=u2'));
    expect(await screen.findByRole('dialog', { name: 'Sam Vogt' })).toBeVisible();
  });

  it("asks before Back closes a dialog with typed input above a user's sheet", async () => {
    const { user: hand, router } = open('/admin?tab=users');
    await hand.click(await screen.findByRole('button', { name: 'Open sam@agency.example' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Sam Vogt' }));
    await hand.click(sheet.getByRole('button', { name: 'Suspend' }));
    const suspend = within(await screen.findByRole('alertdialog', { name: 'Suspend account' }));
    await hand.type(suspend.getByRole('textbox', { name: /Reason/ }), 'Two people called');
    await act(() => router.navigate(-1));
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard what you typed?' }));
    await hand.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(router.state.location.search).toBe('?tab=users&person=u2');
    expect(await suspend.findByRole('textbox', { name: /Reason/ })).toHaveValue('Two people called');
  });

  it("does not offer to revoke one's own rights", async () => {
    const { user: hand } = open('/admin?tab=users', {
      'GET /api/admin/users': page([{ ...user, id: 'u1' }]),
      'GET /api/admin/users/u1': { ...detail, id: 'u1' },
    });
    await hand.click(await screen.findByRole('button', { name: 'Open sam@agency.example' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Sam Vogt' }));
    expect(sheet.queryByRole('button', { name: 'Suspend' })).not.toBeInTheDocument();
    expect(sheet.getByText(/your own account/)).toBeVisible();
  });

  it('confirms a contact; filters on the server', async () => {
    const { user: hand, calls } = open('/admin?tab=subscriptions', {
      'PATCH /api/admin/subscriptions/c1/confirm': refusal(503, 'unavailable', 'Busy'),
    });
    await hand.click(await screen.findByRole('button', { name: 'Confirm maya@vendor.example' }));
    await hand.click((await dialog()).getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Failed to update subscription status')).toBeVisible();
    expect(body(calls, 'PATCH')).toEqual({ confirmed: true });
    // The refusal stays open until it is dismissed.
    await hand.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await hand.click(screen.getByRole('combobox', { name: 'Status' }));
    await hand.click(await screen.findByRole('option', { name: 'Pending' }));
    await waitFor(() =>
      expect(calls.filter(({ path }) => path === '/api/admin/subscriptions').at(-1)?.query).toMatchObject({
        confirmed: 'false',
        limit: '25',
      }),
    );
  });

  it('shows that the file of an attested import has been read once the server reports it', async () => {
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

  it('confirms an attested import as a whole, naming its size', async () => {
    const { user: hand, calls } = open('/admin?tab=subscriptions', {
      'POST /api/admin/imports/b1/confirm': { confirmed: 990 },
    });
    expect(await screen.findByText('Signed contract')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Confirm all: import into Clients' }));
    const asked = await dialog();
    expect(asked.getByText(/Confirm 990 contacts of sam@agency.example on "Clients"/)).toBeVisible();
    await hand.click(asked.getByRole('button', { name: 'Confirm all' }));
    expect(await screen.findByText('Import Confirmed')).toBeVisible();
    expect(calls.some(({ path }) => path === '/api/admin/imports/b1/confirm')).toBe(true);
  });
});

it('shows rates with two decimals', () => {
  expect(percent(0.0007)).toBe('0.07%');
  expect(ratesText({ ...rates, mails: 0 })).toBe('No mail');
});
