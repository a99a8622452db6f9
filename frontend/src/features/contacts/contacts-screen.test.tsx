import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { openContacts as open, profile } from '../../../test/fixtures/profile-fixtures';
import { answer, page, refusal } from '../../../test/fake-api';
import { screenWidth } from '../../../test/setup';

describe('the contacts', () => {
  it('are listed once each, with company, tags and consent, and link to the person', async () => {
    open('/contacts');
    expect(await screen.findByRole('link', { name: 'Priya Patel' })).toHaveAttribute('href', '/contacts/p1');
    expect(screen.getByText('Prime vendor')).toBeVisible();
    expect(screen.getByText('Can be mailed')).toBeVisible();
  });

  it('show the chosen columns, which are saved when the menu closes', async () => {
    const { user, calls } = open('/contacts', {
      'GET /api/contacts': page([profile({ fields: { visa: 'H1B' } })]),
      'PUT /api/contact-columns': { columns: [] },
    });
    expect(await screen.findByRole('columnheader', { name: 'Company' })).toBeVisible();
    expect(screen.queryByRole('columnheader', { name: 'Visa status' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Visa status', checked: false }));
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Company', checked: true }));
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        columns: ['tags', 'consent', 'field.visa'],
      }),
    );
  });

  it('without a name are shown by their address', async () => {
    open('/contacts', { 'GET /api/contacts': page([profile({ firstName: null, lastName: null })]) });
    expect(await screen.findByRole('link', { name: 'priya@acme.example' })).toHaveAttribute('href', '/contacts/p1');
  });

  it('are searched and filtered on the server, and a company shows its people', async () => {
    const { user, calls } = open('/contacts');
    await user.type(await screen.findByRole('searchbox', { name: 'Search name, email, company...' }), 'pri');
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ search: 'pri' }));
    await user.click(await screen.findByRole('button', { name: 'Acme Staffing' }));
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ search: 'pri', domain: 'acme.example' }));
    await user.click(screen.getByRole('button', { name: 'Show all companies, not only acme.example' }));
    expect(screen.queryByRole('button', { name: /not only acme/ })).not.toBeInTheDocument();
  });

  it('are filtered in a sheet on a phone, which Escape or Done closes', async () => {
    screenWidth(390);
    const { user, calls } = open('/contacts');
    const button = await screen.findByRole('button', { name: 'Filters' });
    expect(screen.queryByRole('combobox', { name: 'Consent' })).not.toBeInTheDocument();
    await user.click(button);
    const sheet = within(screen.getByRole('region', { name: 'Filters' }));
    await user.click(sheet.getByRole('combobox', { name: 'Consent' }));
    await user.click(await screen.findByRole('option', { name: 'Pending' }));
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ consent: 'pending' }));
    expect(button).toHaveTextContent('Filters (1)');
    await waitFor(() => expect(sheet.getByRole('combobox', { name: 'Consent' })).toHaveFocus());
    await user.keyboard('{Escape}');
    expect(button).toHaveFocus();
    expect(screen.queryByRole('region', { name: 'Filters' })).not.toBeInTheDocument();
    await user.click(button);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(button).toHaveAttribute('aria-expanded', 'false');
  });

  it('are changed in bulk: the selected ones, or all that were found', async () => {
    const { user, calls } = open('/contacts?q=pri', {
      'GET /api/contacts': page([profile()], 412),
      'POST /api/contacts/bulk': answer({ jobId: 'b1' }, 202),
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select row' }));
    const bar = within(screen.getByRole('region', { name: 'Selected contacts' }));
    expect(bar.getByText('1 selected')).toBeVisible();
    await user.click(bar.getByRole('button', { name: 'Select all 412 found' }));
    expect(screen.getByText('412 selected')).toBeVisible();
    // A contact that is unticked must not be changed with 'all'.
    await user.click(screen.getByRole('checkbox', { name: 'Unselect row' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select row' }));
    expect(screen.getByText('1 selected')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Select all 412 found' }));
    await user.click(screen.getByRole('button', { name: 'Add tag' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Add tag: 412 contacts' }));
    await user.click(dialog.getByRole('button', { name: 'Add tag' }));
    expect(await dialog.findByText('Choose a tag')).toBeVisible();
    await user.click(dialog.getByRole('combobox', { name: 'Tag' }));
    await user.click(await screen.findByRole('option', { name: 'Prime vendor' }));
    await user.click(dialog.getByRole('button', { name: 'Add tag' }));
    expect(await screen.findByText('Changing Contacts')).toBeVisible();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      filter: { search: 'pri' },
      action: 'addTags',
      tags: [7],
    });
    expect(screen.queryByRole('region', { name: 'Selected contacts' })).not.toBeInTheDocument();
  });

  it('have a field set in bulk; an empty value clears it, and a refused one is reported', async () => {
    let refuse = true;
    const { user, calls } = open('/contacts', {
      'POST /api/contacts/bulk': () =>
        refuse
          ? refusal(400, 'validation_failed', 'Some fields are not right', [
              { field: 'fields.rate', message: 'Rate: please enter a number' },
            ])
          : answer({ jobId: 'b1' }, 202),
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select row' }));
    await user.click(screen.getByRole('button', { name: 'Set field' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Set field: 1 contact' }));
    await user.click(dialog.getByRole('button', { name: 'Set field' }));
    expect(await dialog.findByText('Choose a field')).toBeVisible();
    await user.click(dialog.getByRole('combobox', { name: 'Field' }));
    await user.click(await screen.findByRole('option', { name: 'Rate' }));
    await user.type(dialog.getByRole('textbox', { name: 'New value' }), 'much');
    await user.click(dialog.getByRole('button', { name: 'Set field' }));
    expect(await dialog.findByText('Rate: please enter a number')).toBeVisible();
    refuse = false;
    await user.clear(dialog.getByRole('textbox', { name: 'New value' }));
    await user.type(dialog.getByRole('textbox', { name: 'New value' }), '85.5');
    await user.click(dialog.getByRole('button', { name: 'Set field' }));
    expect(await screen.findByText('Changing Contacts')).toBeVisible();
    expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
      ids: ['p1'],
      action: 'setField',
      field: 'rate',
      value: 85.5,
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select row' }));
    await user.click(screen.getByRole('button', { name: 'Set field' }));
    const again = within(await screen.findByRole('alertdialog'));
    await user.click(again.getByRole('combobox', { name: 'Field' }));
    await user.click(await screen.findByRole('option', { name: 'Job title' }));
    await user.click(again.getByRole('button', { name: 'Set field' }));
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
        ids: ['p1'],
        action: 'setField',
        field: 'job_title',
        value: null,
      }),
    );
  });

  it('show how many are prepared as long as some are missing', async () => {
    open('/contacts', { 'GET /api/contacts/preparation': { preparing: true, done: 412_000, total: 1_000_000 } });
    expect(await screen.findByText('Preparing your contacts: 412,000 of 1,000,000.')).toBeVisible();
  });

  it('are added with the typed values; one that already exists can be opened', async () => {
    const { user, calls } = open('/contacts?new=contact', {
      'POST /api/contacts': answer(
        {
          statusCode: 409,
          code: 'contact_exists',
          message: 'This address is already among your contacts',
          details: { id: 'p1' },
        },
        409,
      ),
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Add contact' }));
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'priya@acme.example');
    await user.click(dialog.getByRole('button', { name: 'Add Contact' }));
    expect(await dialog.findByText('This address is already among your contacts')).toBeVisible();
    expect(dialog.getByRole('link', { name: 'Open that contact' })).toHaveAttribute('href', '/contacts/p1');
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ email: 'priya@acme.example' });
  });
});

describe("a person's page", () => {
  it('shows in red that the person unsubscribed', async () => {
    open('/contacts/p1', { 'GET /api/contacts/p1': profile({ consent: 'left', leftAt: '2026-11-03T15:00:00.000Z' }) });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'They left on Nov 3, 2026. Only their own new confirmation brings them back.',
    );
  });

  it('shows the timeline by day, with links to sends, and older pages on request', async () => {
    const entry = (at: string, title: string, over = {}) => ({ at, kind: 'messages', title, detail: null, ...over });
    const { user } = open('/contacts/p1', {
      'GET /api/contacts/p1/timeline': ({ query }: { query: Record<string, string> }) =>
        query.cursor
          ? page([entry('2026-10-01T09:00:00Z', 'Imported from a file')])
          : page(
              [
                entry('2026-11-20T09:30:00Z', 'Sent "Java hotlist"', { sendId: 's1' }),
                entry('2026-11-20T09:00:00Z', 'Note', {
                  kind: 'notes',
                  detail: { noteId: 'n1', body: 'Call <b>Tuesdays</b>' },
                }),
              ],
              2,
              'older',
            ),
    });
    const day = within(await screen.findByRole('region', { name: 'Nov 20, 2026' }));
    expect(day.getByRole('link', { name: 'Sent "Java hotlist"' })).toHaveAttribute('href', '/history/s1');
    expect(day.getByText('Call <b>Tuesdays</b>')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show earlier' }));
    expect(await screen.findByText('Imported from a file')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show earlier' })).not.toBeInTheDocument();
  });

  it('shows how a consent was given, and quotes a statement; internal facts are not shown', async () => {
    const { user } = open('/contacts/p1', {
      'GET /api/contacts/p1/timeline': page([
        {
          at: '2026-11-20T09:30:00Z',
          kind: 'consent',
          title: 'Confirmed by an admin on your statement',
          detail: {
            how: 'admin',
            ip: null,
            userAgent: null,
            wordingVersion: null,
            details: { actorId: 'a1', attestation: 'Signed up at our fair' },
          },
        },
        {
          at: '2026-11-19T09:30:00Z',
          kind: 'consent',
          title: 'Confirmed by the link in the mail',
          detail: {
            how: 'link',
            ip: '203.0.113.7',
            userAgent: 'Firefox',
            wordingVersion: '2026-01',
            details: { liftedSuppression: false },
          },
        },
        { at: '2026-11-18T09:30:00Z', kind: 'messages', title: 'Sent "Java"', detail: { status: 'sent' } },
      ]),
    });
    expect(await screen.findByText('“Signed up at our fair”')).toBeVisible();
    await user.click(screen.getByText('Details', { selector: 'summary' }));
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'Time',
      'IP address',
      'Browser',
      'Wording version',
    ]);
    expect(screen.getByText('203.0.113.7')).toBeVisible();
    expect(screen.queryByText(/actorId|liftedSuppression/)).not.toBeInTheDocument();
  });

  it('saves each field when the focus leaves it; a refused value stays as typed, with the reason', async () => {
    let refuse = false;
    const { user, calls } = open('/contacts/p1?tab=details', {
      'PATCH /api/contacts/p1': () =>
        refuse
          ? refusal(400, 'validation_failed', 'Some fields are not right', [
              { field: 'fields.rate', message: 'Rate: please enter a number' },
            ])
          : profile({ company: 'Northline' }),
    });
    const company = await screen.findByRole('textbox', { name: 'Company' });
    await user.clear(company);
    await user.type(company, 'Northline');
    await user.tab();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ company: 'Northline' });
    refuse = true;
    const rate = await screen.findByRole('textbox', { name: 'Rate' });
    await user.type(rate, 'much');
    await user.tab();
    expect(await screen.findByText('Rate: please enter a number')).toBeVisible();
    expect(rate).toHaveValue('much');
  });

  it('adds the person to a list, and removes them from one', async () => {
    const { user, calls } = open('/contacts/p1?tab=lists', {
      'GET /api/contacts/p1': profile({
        lists: [{ id: 'l2', name: 'Bench', membershipId: 'm2', status: 'pending', subscriptionType: 'job-posts' }],
      }),
      'POST /api/email-lists/l1/subscribers': answer({ id: 'm1' }, 201),
      'DELETE /api/email-lists/l2/subscribers/m2': answer({}, 204),
    });
    await user.click(await screen.findByRole('button', { name: 'Add to Java vendors' }));
    expect(await screen.findByText('Added to Java vendors')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove from Bench' }));
    expect(await screen.findByText('Removed from Bench')).toBeVisible();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      email: 'priya@acme.example',
      subscriptionType: 'job-posts',
    });
  });

  it('says that older lists are missing where there are more than 100', async () => {
    open('/contacts/p1?tab=lists', {
      'GET /api/email-lists': page([{ id: 'l1', name: 'Java vendors', isDefault: false }], 130),
    });
    expect(await screen.findByText(/Only your newest 100 lists are offered here/)).toBeVisible();
  });
});
