import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { contact, figures, list, open, SUBSCRIBERS_PATH } from '../../../../test/fixtures/contact-fixtures';
import { answer, page, refusal, someone } from '../../../../test/fake-api';
import { fakeStreamInEachTest } from '../../../../test/fake-stream';

fakeStreamInEachTest();

describe('the contacts of a list', () => {
  it('are shown under the list with its count', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Java vendors' })).toBeVisible();
    expect(screen.getByText('Manage contacts in this email distribution list')).toBeVisible();
    expect(screen.getByText('1 contact')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to email lists' })).toHaveAttribute('href', '/lists');
    expect(screen.getByRole('link', { name: 'Send to this list' })).toHaveAttribute('href', '/send?list=l1');
    expect(screen.getByRole('button', { name: 'Copy public link' })).toBeVisible();
    for (const name of ['Email', 'Status', 'Added Date', 'Actions'])
      expect(await screen.findByRole('columnheader', { name })).toBeInTheDocument();
  });

  it.each([
    [
      { hold: 'daily_budget', sentIn24Hours: 40, continuesAt: '2026-01-07T00:00:00.000Z' },
      /^1,940 confirmation emails are waiting\. You can email 50 new people a day, .* Sending resumes Jan/,
    ],
    [
      { hold: 'few_confirmed' },
      /^1,940 confirmation emails are on hold: fewer than 5% of the people asked in the last 90 days have confirmed/,
    ],
    [
      { hold: 'many_bounced' },
      /^1,940 confirmation emails are on hold: more than 5% of those sent in the last 90 days bounced/,
    ],
    [{ hold: 'unverified', waiting: 1 }, /^1 confirmation email is waiting\. Verify your email address to send it\./],
  ])('say how many wait for their confirmation email, and why: %j', async (status, text) => {
    open({
      'GET /api/email-lists/l1': { ...list, confirmations: { ...list.confirmations, waiting: 1940, ...status } },
    });
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('explain why confirmation emails wait, without a screen reader announcement at each new count', async () => {
    open({
      'GET /api/email-lists/l1': {
        ...list,
        confirmations: { ...list.confirmations, waiting: 1940, hold: 'few_confirmed' },
      },
    });
    const text = await screen.findByText(/^1,940 confirmation emails/);
    expect(text.closest('[role=alert], [role=status], [aria-live]')).toBeNull();
  });

  it('send only the changed values of the form: a name that was corrected elsewhere meanwhile stays', async () => {
    const { user, calls } = open({ [`PATCH ${SUBSCRIBERS_PATH}/c1`]: contact });
    await user.click(await screen.findByRole('button', { name: /^Edit maya@vendor\.example/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit contact' }));
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), '.org');
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ email: 'maya@vendor.example.org' });
  });

  it('do not mention confirmation emails that are being sent', async () => {
    open({ 'GET /api/email-lists/l1': { ...list, confirmations: { ...list.confirmations, waiting: 3 } } });
    expect(await screen.findByText('1 contact')).toBeVisible();
    expect(screen.queryByText(/confirmation email/)).toBeNull();
  });

  it('say that the list is empty, and that the search finds nothing', async () => {
    const { user } = open({ [`GET ${SUBSCRIBERS_PATH}`]: page([]) });
    expect(await screen.findByText('This list is empty')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add Your First Contact' })).toBeVisible();
    await user.type(screen.getByRole('searchbox', { name: 'Search contacts...' }), 'nobody');
    expect(await screen.findByText('No contacts found matching your search')).toBeVisible();
  });

  it('are not shown as the result of a search that failed', async () => {
    let up = true;
    const { user } = open({
      [`GET ${SUBSCRIBERS_PATH}`]: () => (up ? page([contact]) : refusal(503, 'unavailable', 'Busy for a moment.')),
    });
    expect(await screen.findByText('maya@vendor.example')).toBeInTheDocument();
    up = false;
    await user.type(screen.getByRole('searchbox', { name: 'Search contacts...' }), 'lee');
    expect(await screen.findByText('Busy for a moment.')).toBeVisible();
    expect(screen.queryByText('maya@vendor.example')).not.toBeInTheDocument();
    up = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('maya@vendor.example')).toBeInTheDocument();
  });

  it('are removed after a question, and the focus moves to the next row', async () => {
    let rows = ['ana', 'maya', 'zoe'].map((name) => ({ ...contact, id: name, email: `${name}@vendor.example` }));
    const { user } = open({
      [`GET ${SUBSCRIBERS_PATH}`]: () => page(rows),
      [`DELETE ${SUBSCRIBERS_PATH}/maya`]: () => {
        rows = rows.filter(({ id }) => id !== 'maya');
        return answer(null, 204);
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete maya@vendor.example' }));
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() =>
      expect(screen.queryByText('maya@vendor.example', { selector: '[role=gridcell] *' })).not.toBeInTheDocument(),
    );
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await waitFor(() => expect(document.activeElement?.closest('[role=row]')).toHaveTextContent('zoe@vendor.example'));
  });

  it('keep the question open, with the reason, when the server does not remove one', async () => {
    const { user } = open({ [`DELETE ${SUBSCRIBERS_PATH}/c1`]: refusal(503, 'unavailable', 'Busy') });
    await user.click(await screen.findByRole('button', { name: 'Delete maya@vendor.example' }));
    const asked = within(await screen.findByRole('alertdialog'));
    await user.click(asked.getByRole('button', { name: 'Remove' }));
    expect(await asked.findByRole('alert')).toHaveTextContent('Busy');
    expect(asked.getByRole('button', { name: 'Remove' })).toBeEnabled();
  });

  it('are restored by Undo', async () => {
    let rows = [contact];
    const { user } = open({
      [`GET ${SUBSCRIBERS_PATH}`]: () => page(rows),
      [`DELETE ${SUBSCRIBERS_PATH}/c1`]: () => ((rows = []), answer(null, 204)),
      [`POST ${SUBSCRIBERS_PATH}/c1/restore`]: () => ((rows = [contact]), contact),
    });
    await user.click(await screen.findByRole('button', { name: 'Delete maya@vendor.example' }));
    expect(await screen.findByText(/cannot be undone after the 10 seconds in which Undo is offered\.$/)).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('This list is empty')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Contact Restored!')).toBeVisible();
    expect(await screen.findByText('maya@vendor.example', { selector: '[role=gridcell] *' })).toBeInTheDocument();
  });

  it("are added one by one, with the type of the list's owner", async () => {
    const { user, calls } = open(
      { [`POST ${SUBSCRIBERS_PATH}`]: answer(contact, 201) },
      someone({ role: 'bench-sales' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Add Contact' })).toBeDisabled();
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'lee@vendor.example');
    await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Lee{Enter}');
    expect(await screen.findByText('Contact Added!')).toBeVisible();
    expect(calls.find((call) => call.method === 'POST')?.body).toEqual({
      email: 'lee@vendor.example',
      name: 'Lee',
      subscriptionType: 'candidate-lists',
    });
    await waitFor(() =>
      expect(calls.filter((call) => call.method === 'GET' && call.path === SUBSCRIBERS_PATH)).toHaveLength(2),
    );
  });

  it('are added one after the other in the same dialog', async () => {
    const { user, calls } = open({ [`POST ${SUBSCRIBERS_PATH}`]: answer(contact, 201) });
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    const dialog = within(await screen.findByRole('dialog'));
    const field = dialog.getByRole('textbox', { name: 'Email' });
    expect(dialog.getByRole('button', { name: 'Save and add another' })).toBeDisabled();
    for (const email of ['lee@vendor.example', 'kim@vendor.example']) {
      await user.type(field, email);
      await user.click(dialog.getByRole('button', { name: 'Save and add another' }));
      expect(await screen.findByText(`${email} is Pending until they confirm by email.`)).toBeVisible();
      await waitFor(() => expect(field).toHaveValue(''));
      await waitFor(() => expect(field).toHaveFocus());
    }
    expect(
      calls.filter(({ method }) => method === 'POST').map(({ body }) => (body as { email: string }).email),
    ).toEqual(['lee@vendor.example', 'kim@vendor.example']);
    // The form is empty, so closing asks no question.
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('say why one was not added and keep the input', async () => {
    const { user } = open({
      [`POST ${SUBSCRIBERS_PATH}`]: refusal(409, 'suppressed', 'This address has unsubscribed.'),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'lee@vendor.example{Enter}');
    expect(await screen.findByText('Failed to Add Contact')).toBeVisible();
    expect(screen.getByText('This address has unsubscribed.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue('lee@vendor.example');
  });

  it.each([
    ['Escape', (user: ReturnType<typeof open>['user']) => user.keyboard('{Escape}')],
    ['Cancel', (user: ReturnType<typeof open>['user']) => user.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('ask before pasted lines are lost by %s', async (_way, close) => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.click(await screen.findByRole('tab', { name: 'Bulk Import' }));
    await user.click(screen.getByRole('textbox', { name: 'Contacts' }));
    await user.paste('a@v.example\nb@v.example');
    await close(user);
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(screen.getByRole('textbox', { name: 'Contacts' })).toHaveValue('a@v.example\nb@v.example');
  });

  it('show 404 for a list that does not exist', async () => {
    open({ 'GET /api/email-lists/l1': refusal(404, 'not_found', 'Not found') });
    expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  });
});

describe('the page of a list', () => {
  it('shows its state and growth, each figure linking to its contacts', async () => {
    open();
    const region = within(await screen.findByRole('region', { name: 'Figures' }));
    expect(await region.findByText('380')).toBeVisible();
    expect(region.getByRole('link', { name: 'Confirmed' })).toHaveAttribute('href', '/lists/l1?status=confirmed');
    expect(region.getByRole('link', { name: 'Pending' })).toHaveAttribute('href', '/lists/l1?status=pending');
    expect(region.getByText('Last 8 weeks: 168 added, 56 unsubscribed.')).toBeVisible();
  });

  it('shows the contacts where the figures fail, and loads those again', async () => {
    let up = false;
    const { user } = open({
      'GET /api/email-lists/l1/figures': () => (up ? figures : refusal(503, 'unavailable', 'Busy')),
    });
    expect(await screen.findByText('The figures of this list could not be loaded.')).toBeVisible();
    expect(await screen.findByText('maya@vendor.example')).toBeInTheDocument();
    up = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('380')).toBeVisible();
  });

  it('edits, shares and deletes the list; deleting leads to the lists, with Undo', async () => {
    const { user, calls, router } = open({
      'PATCH /api/email-lists/l1': list,
      'DELETE /api/email-lists/l1': answer(null, 204),
      'POST /api/email-lists/l1/restore': list,
      'GET /api/email-lists': page([]),
    });
    const choose = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: 'Actions for Java vendors' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await choose('Edit');
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' East');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('List Updated!')).toBeVisible();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ name: 'Java vendors East' });
    await choose('Share');
    const dialog = within(await screen.findByRole('dialog', { name: 'Share Java vendors' }));
    expect(dialog.getByText(/\/subscribe\/list\/java-x1$/)).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await choose('Delete');
    await user.click(await screen.findByRole('button', { name: 'Delete list' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/lists'));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('List Restored!')).toBeVisible();
  });
});
