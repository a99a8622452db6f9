import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { fakeStream, openedStream } from '../../../test/fake-stream';
import { renderApp } from '../../../test/render';
import { contactStatus } from './contact-status';
import { asTyped, toLines } from './forms/lines';

const list = { id: 'l1', name: 'Java vendors', slug: 'java-x1', description: null, agencyName: null, agencyLogo: null, ownerName: null, contactCount: 1, isDefault: false, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', confirmations: { waiting: 0, hold: null, dailyBudget: 50, sentIn24Hours: 0, continuesAt: null } };
const contact = { id: 'c1', email: 'maya@vendor.example', name: 'Maya', subscriptionType: 'job-posts', confirmed: false, suppressed: null, createdAt: '2025-01-05T12:00:00Z' };
const SUBSCRIBERS = '/api/email-lists/l1/subscribers';

function open(answers: Record<string, unknown> = {}, user = someone()) {
  const calls = fakeApi({ 'GET /api/auth/user': user, 'GET /api/email-lists/l1': list, [`GET ${SUBSCRIBERS}`]: page([contact]), ...answers });
  return { calls, ...renderApp('/lists/l1') };
}

let restore: () => void;
beforeEach(() => {
  restore = fakeStream();
});
afterEach(() => restore());

describe('the contacts of a list', () => {
  it('stand under the list with its count', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Java vendors' })).toBeVisible();
    expect(screen.getByText('Manage contacts in this email distribution list')).toBeVisible();
    expect(screen.getByText('1 contact')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to email lists' })).toHaveAttribute('href', '/lists');
    expect(screen.getByRole('link', { name: 'Send to this list' })).toHaveAttribute('href', '/send?list=l1');
    expect(screen.getByRole('button', { name: 'Copy public link' })).toBeVisible();
    for (const name of ['Email', 'Status', 'Added Date', 'Actions']) expect(await screen.findByRole('columnheader', { name })).toBeInTheDocument();
  });

  it.each([
    [{ hold: 'daily_budget', sentIn24Hours: 40, continuesAt: '2026-01-07T00:00:00.000Z' }, /^1,940 confirmation emails are waiting\. You can email 50 new people a day, .* Sending resumes Jan/],
    [{ hold: 'few_confirmed' }, /^1,940 confirmation emails are on hold: fewer than 5% of the people asked in the last 90 days have confirmed/],
    [{ hold: 'many_bounced' }, /^1,940 confirmation emails are on hold: more than 5% of those sent in the last 90 days bounced/],
    [{ hold: 'unverified', waiting: 1 }, /^1 confirmation email is waiting\. Verify your email address to send it\./],
  ])('say how many wait for their confirmation email, and why: %j', async (status, text) => {
    open({ 'GET /api/email-lists/l1': { ...list, confirmations: { ...list.confirmations, waiting: 1940, ...status } } });
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('say nothing of confirmation emails that are on their way', async () => {
    open({ 'GET /api/email-lists/l1': { ...list, confirmations: { ...list.confirmations, waiting: 3 } } });
    expect(await screen.findByText('1 contact')).toBeVisible();
    expect(screen.queryByText(/confirmation email/)).toBeNull();
  });

  it('say when the list is empty, and when the search finds nothing', async () => {
    const { user } = open({ [`GET ${SUBSCRIBERS}`]: page([]) });
    expect(await screen.findByText('This list is empty')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add Your First Contact' })).toBeVisible();
    await user.type(screen.getByRole('searchbox', { name: 'Search contacts...' }), 'nobody');
    expect(await screen.findByText('No contacts found matching your search')).toBeVisible();
  });

  it('never pass for the answer to a search that failed', async () => {
    let up = true;
    const { user } = open({ [`GET ${SUBSCRIBERS}`]: () => (up ? page([contact]) : refusal(503, 'unavailable', 'Busy for a moment.')) });
    expect(await screen.findByText('maya@vendor.example')).toBeInTheDocument();
    up = false;
    await user.type(screen.getByRole('searchbox', { name: 'Search contacts...' }), 'lee');
    expect(await screen.findByText('Busy for a moment.')).toBeVisible();
    expect(screen.queryByText('maya@vendor.example')).not.toBeInTheDocument();
    up = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('maya@vendor.example')).toBeInTheDocument();
  });

  it('are removed after asking, and the keyboard goes on with the next one', async () => {
    let rows = ['ana', 'maya', 'zoe'].map((name) => ({ ...contact, id: name, email: `${name}@vendor.example` }));
    const { user } = open({
      [`GET ${SUBSCRIBERS}`]: () => page(rows),
      [`DELETE ${SUBSCRIBERS}/maya`]: () => {
        rows = rows.filter(({ id }) => id !== 'maya');
        return answer(null, 204);
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete maya@vendor.example' }));
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('maya@vendor.example', { selector: '[role=gridcell] *' })).not.toBeInTheDocument());
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await waitFor(() => expect(document.activeElement?.closest('[role=row]')).toHaveTextContent('zoe@vendor.example'));
  });

  it('are added one by one, with the type of the owner', async () => {
    const { user, calls } = open({ [`POST ${SUBSCRIBERS}`]: answer(contact, 201) }, someone({ role: 'bench-sales' }));
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Add Contact' })).toBeDisabled();
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'lee@vendor.example');
    await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Lee{Enter}');
    expect(await screen.findByText('Contact Added!')).toBeVisible();
    expect(calls.find((call) => call.method === 'POST')?.body).toEqual({ email: 'lee@vendor.example', name: 'Lee', subscriptionType: 'candidate-lists' });
    await waitFor(() => expect(calls.filter((call) => call.method === 'GET' && call.path === SUBSCRIBERS)).toHaveLength(2));
  });

  it('say why one was not added and keep what was typed', async () => {
    const { user } = open({ [`POST ${SUBSCRIBERS}`]: refusal(409, 'suppressed', 'This address has unsubscribed.') });
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'lee@vendor.example{Enter}');
    expect(await screen.findByText('Failed to Add Contact')).toBeVisible();
    expect(screen.getByText('This address has unsubscribed.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue('lee@vendor.example');
  });

  it('are imported in bulk, followed to the end, and every line left out has its reason', async () => {
    let isOver = false;
    const job = { id: 'j1', total: 3, added: 0, skipped: 0, rows: [] };
    const task = { id: 'j1', listId: 'l1', listName: 'Java vendors', status: 'running', total: 3, added: 1, skipped: 0, message: null, endedAt: null };
    const { user, calls } = open({
      [`POST ${SUBSCRIBERS}/import`]: answer({ id: 'j1' }, 202),
      [`GET ${SUBSCRIBERS}/import/j1`]: () => (isOver ? { ...job, status: 'done', added: 2, skipped: 1, rows: [{ line: 3, email: 'nope', reason: 'invalid' }] } : { ...job, status: 'running', added: 1 }),
      'GET /api/running-tasks': () => ({ sends: [], imports: calls.some(({ method }) => method === 'POST') ? [{ ...task, ...(isOver && { status: 'done', added: 2, skipped: 1 }) }] : [] }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    const stream = await openedStream();
    await user.click(await screen.findByRole('tab', { name: 'Bulk Import' }));
    const field = screen.getByRole('textbox', { name: 'Contacts' });
    expect(field).toHaveAttribute('rows', '10');
    await user.click(field);
    await user.paste('a@v.example\n\n  nope \nb@v.example, Bea\n');
    expect(screen.getByText('3 lines')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: /already agreed/ }));
    expect(screen.getByRole('button', { name: 'Add Contacts' })).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: 'Where and how did they agree?' }), 'At the fair');
    await user.click(screen.getByRole('button', { name: 'Add Contacts' }));
    expect(await screen.findByText('1 of 3 (33%)')).toBeVisible();
    isOver = true;
    stream.changed('import', 'j1');
    expect(await screen.findByText('Contacts Added!')).toBeVisible();
    expect(await screen.findByRole('heading', { name: '2 contacts added, 1 line left out.' })).toBeVisible();
    expect(screen.getByText('Not an email address')).toBeVisible();
    expect(calls.find((call) => call.method === 'POST')?.body).toEqual({ lines: ['a@v.example', '', 'nope', 'b@v.example, Bea'], attestation: 'At the fair' });
  });

  it('say that more was left out than is shown', async () => {
    localStorage.setItem('import_l1', '"j1"');
    open({ [`GET ${SUBSCRIBERS}/import/j1`]: { id: 'j1', status: 'done', total: 1500, added: 0, skipped: 1500, rows: [{ line: 1, email: 'nope', reason: 'invalid' }] } });
    expect(await screen.findByText(/The download holds all of them/)).toBeVisible();
  });

  it('keep what was pasted while the other tab is looked at', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.click(await screen.findByRole('tab', { name: 'Bulk Import' }));
    await user.click(screen.getByRole('textbox', { name: 'Contacts' }));
    await user.paste('a@v.example\nb@v.example');
    await user.click(screen.getByRole('tab', { name: 'Single Contact' }));
    await user.click(screen.getByRole('tab', { name: 'Bulk Import' }));
    expect(screen.getByRole('textbox', { name: 'Contacts' })).toHaveValue('a@v.example\nb@v.example');
  });

  it('keep the file, the words about consent and the single contact while the other tab is looked at', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'lee@vendor.example');
    await user.click(screen.getByRole('tab', { name: 'Bulk Import' }));
    fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [new File(['email'], 'vendors.csv', { type: 'text/csv' })] } });
    await user.click(screen.getByRole('checkbox', { name: /already agreed/ }));
    await user.type(screen.getByRole('textbox', { name: 'Where and how did they agree?' }), 'At the fair');
    await user.click(screen.getByRole('tab', { name: 'Single Contact' }));
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue('lee@vendor.example');
    await user.click(screen.getByRole('tab', { name: 'Bulk Import' }));
    expect(screen.getByText('vendors.csv')).toBeVisible();
    expect(screen.getByRole('checkbox', { name: /already agreed/ })).toBeChecked();
    expect(screen.getByRole('textbox', { name: 'Where and how did they agree?' })).toHaveValue('At the fair');
  });

  it('ask before pasted lines go with Escape', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.click(await screen.findByRole('tab', { name: 'Bulk Import' }));
    await user.click(screen.getByRole('textbox', { name: 'Contacts' }));
    await user.paste('a@v.example\nb@v.example');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(screen.getByRole('textbox', { name: 'Contacts' })).toHaveValue('a@v.example\nb@v.example');
  });

  it('are not taken from a file that is no text, and an import that brought nobody does not pass for one that did', async () => {
    const { user, calls } = open({
      [`POST ${SUBSCRIBERS}/import`]: answer({ id: 'j1' }, 202),
      [`GET ${SUBSCRIBERS}/import/j1`]: { id: 'j1', status: 'done', total: 1, added: 0, skipped: 1, rows: [{ line: 2, email: 'nope', reason: 'invalid' }] },
      'GET /api/running-tasks': () => ({
        sends: [],
        imports: calls.some(({ method }) => method === 'POST') ? [{ id: 'j1', listId: 'l1', listName: 'Java vendors', status: 'done', total: 1, added: 0, skipped: 1, message: null, endedAt: '2026-01-05T10:00:00Z' }] : [],
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.click(await screen.findByRole('tab', { name: 'Bulk Import' }));
    const pick = (name: string, type: string) => fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [new File(['email\nnope'], name, { type })] } });
    pick('contacts.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(await screen.findByRole('alert')).toHaveTextContent('contacts.xlsx is not a CSV file');
    expect(screen.getByRole('button', { name: 'Add Contacts' })).toBeDisabled();
    pick('contacts.csv', 'application/vnd.ms-excel');
    expect(await screen.findByText('contacts.csv')).toBeVisible();
    expect(screen.queryByText(/is not a CSV file/)).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove contacts.csv' }));
    await user.type(screen.getByRole('textbox', { name: 'Contacts' }), 'nope');
    await user.click(screen.getByRole('button', { name: 'Add Contacts' }));
    expect(await screen.findByText('Failed to Add Contacts')).toBeVisible();
    expect(screen.getAllByText('0 contacts added, 1 line left out.').length).toBeGreaterThan(0);
    expect(calls.filter((call) => call.method === 'POST').map((call) => call.body)).toEqual([{ lines: ['nope'] }]);
  });

  it('follow no import whose report is gone', async () => {
    localStorage.setItem('import_l1', '"old"');
    const { calls } = open({ [`GET ${SUBSCRIBERS}/import/old`]: refusal(404, 'not_found', 'Not found') });
    await waitFor(() => expect(calls.some((call) => call.path.endsWith('/import/old'))).toBe(true));
    await waitFor(() => expect(localStorage.getItem('import_l1')).toBeNull());
    expect(screen.queryByRole('region', { name: 'Import' })).not.toBeInTheDocument();
  });

  it('answer 404 for a list that is not there', async () => {
    open({ 'GET /api/email-lists/l1': refusal(404, 'not_found', 'Not found') });
    expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  });
});

describe('small rules', () => {
  it('reads lines, trimmed, without blanks', () => {
    expect(asTyped('\n a@b\r\n\nc@d \n\n')).toEqual(['', 'a@b', '', 'c@d']);
    expect(toLines(' a@b \r\n\n\tc@d, C\r e@f')).toEqual(['a@b', 'c@d, C', 'e@f']);
  });

  it('lets suppression outweigh confirmation', () => {
    expect(contactStatus({ confirmed: true, suppressed: 'bounced' })).toBe('bounced');
    expect(contactStatus({ confirmed: true, suppressed: null })).toBe('confirmed');
    expect(contactStatus({ confirmed: false, suppressed: null })).toBe('pending');
  });
});
