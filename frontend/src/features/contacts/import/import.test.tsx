import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { importState, lineOf, openImport, summaryOf } from '../../../../test/fixtures/import-fixtures';
import { answer, page, refusal } from '../../../../test/fake-api';
import { fakeStreamInEachTest, openedStream } from '../../../../test/fake-stream';

fakeStreamInEachTest();

describe('the start of an import', () => {
  it('puts pasted rows into the chosen list, and continues with the columns', async () => {
    let listId: string | null = null;
    const { user, calls } = openImport('/contacts/import?list=l1', {
      'POST /api/imports': answer({ id: 'i1' }, 201),
      'PATCH /api/imports/i1': () => {
        listId = 'l1';
        return importState();
      },
      'GET /api/imports/i1': () => importState({ options: { ...importState().options, listId } }),
    });
    const field = await screen.findByRole('textbox', { name: 'Paste rows' });
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled();
    await user.click(field);
    await user.paste('Carver, Lee <lee@vendor.example>; maya@vendor.example');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('list', { name: 'Columns' })).toBeVisible();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      text: 'Carver, Lee <lee@vendor.example>; maya@vendor.example',
    });
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ listId: 'l1' }));
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Put them on' })).toHaveTextContent('Java vendors'),
    );
  });

  it('refuses files of unknown kinds, and shows what the server found wrong', async () => {
    openImport('/contacts/import', {
      'POST /api/imports': refusal(400, 'file_type', 'This file is not an Excel workbook. Save it as .xlsx or CSV.'),
    });
    const input = await screen.findByLabelText('File to import');
    fireEvent.change(input, { target: { files: [new File(['x'], 'contacts.xls')] } });
    expect(await screen.findByText('contacts.xls cannot be read. Save it as .xlsx or CSV.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Choose a file' })).toBeEnabled();
  });

  it('refuses folders that are dropped, and uploads nothing of them', async () => {
    const { calls } = openImport('/contacts/import');
    const folder = new File([], 'Contacts');
    const item = { kind: 'file', getAsFile: () => folder, webkitGetAsEntry: () => ({ isDirectory: true }) };
    fireEvent.drop(await screen.findByRole('button', { name: 'Choose a file' }), {
      dataTransfer: { types: ['Files'], files: [folder], items: [item] },
    });
    expect(await screen.findByText('Folders cannot be added. Choose the files in them.')).toBeVisible();
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('shows unfinished imports to continue, and ended ones with report and undo', async () => {
    const done = summaryOf({ id: 'i2', status: 'done', fileName: 'old.csv', undoUntil: '2026-11-30T10:00:00.000Z' });
    const { user, calls } = openImport('/contacts/import', {
      'GET /api/imports': page([summaryOf(), done]),
      'POST /api/imports/i2/undo': answer(importState({ id: 'i2', status: 'running', stage: 'undo' }), 202),
    });
    expect(await screen.findByText(/You have an unfinished import\. vendors\.xlsx/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/contacts/import/i1');
    expect(screen.getByText(/120 contacts added, 3 contacts updated, 7 lines left out/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Report of old.csv' })).toHaveAttribute('href', '/contacts/import/i2');
    await user.click(screen.getByRole('button', { name: 'Undo old.csv' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/are not restored/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Undo this import' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/imports/i2/undo')).toBe(true));
  });
});

describe('the columns of an import', () => {
  it('show the guessed targets, and a target belongs to one column', async () => {
    const { user, calls } = openImport('/contacts/import/i1', {
      'PATCH /api/imports/i1': importState(),
      'POST /api/imports/i1/check': answer(importState({ status: 'checking' }), 202),
    });
    const columns = within(await screen.findByRole('list', { name: 'Columns' }));
    expect(columns.getAllByText('Guessed')).toHaveLength(1);
    expect(columns.getByText('As last time')).toBeVisible();
    expect(columns.getByText('ann@acme.example · bob@acme.example')).toBeVisible();
    await user.click(columns.getByRole('combobox', { name: 'Tier' }));
    await user.click(await screen.findByRole('option', { name: 'Company' }));
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'PATCH').at(-1)?.body).toEqual({
        mapping: ['email', 'ignore', 'company'],
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Check' }));
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/check'))).toBe(true));
  });

  it('cannot be checked without an email column', async () => {
    openImport('/contacts/import/i1', {
      'GET /api/imports/i1': importState({
        columns: [{ index: 0, header: 'Name', samples: ['Ann'], target: 'name', from: 'guessed' }],
      }),
    });
    expect(await screen.findByText('No column looks like an email address. Choose it.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Check' })).toBeDisabled();
  });

  it('save the list, the tags, the handling of known people, and the attestation', async () => {
    const { user, calls } = openImport('/contacts/import/i1', { 'PATCH /api/imports/i1': importState() });
    const sent = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    expect(screen.queryByRole('checkbox', { name: /already agreed/ })).not.toBeInTheDocument();
    await user.click(await screen.findByRole('combobox', { name: 'Put them on' }));
    await user.click(await screen.findByRole('option', { name: 'Java vendors' }));
    await user.click(screen.getByRole('radio', { name: /Replace/ }));
    await user.type(screen.getByRole('combobox', { name: 'Tag all with' }), 'Fair 2026{Enter}');
    await user.click(screen.getByRole('checkbox', { name: /already agreed/ }));
    await user.type(screen.getByRole('textbox', { name: 'Where and how did they agree?' }), 'At the fair');
    await user.tab();
    await waitFor(() => expect(sent()).toContainEqual({ attestation: 'At the fair' }));
    expect(sent()).toEqual(
      expect.arrayContaining([{ listId: 'l1' }, { existing: 'replace' }, { tags: ['Fair 2026'] }]),
    );
  });

  it('can be mapped to a new field', async () => {
    const { user, calls } = openImport('/contacts/import/i1', {
      'PATCH /api/imports/i1': importState(),
      'POST /api/contact-fields': answer(
        { id: 'f9', key: 'tier', label: 'Tier', type: 'text', options: [], position: 3 },
        201,
      ),
    });
    await user.click(await screen.findByRole('combobox', { name: 'Tier' }));
    await user.click(await screen.findByRole('option', { name: 'New field…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add field' }));
    expect(dialog.getByRole('textbox', { name: 'Label' })).toHaveValue('Tier');
    await user.click(dialog.getByRole('button', { name: 'Add field' }));
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'PATCH').at(-1)?.body).toEqual({
        mapping: ['email', 'company', 'field.tier'],
      }),
    );
  });
});

describe('the check of an import', () => {
  const ready = importState({
    status: 'ready',
    stage: null,
    report: {
      new: 120,
      updated: 3,
      unchanged: 20,
      leftOut: 7,
      groups: [
        { code: 'invalid', count: 7 },
        { code: 'role', count: 4 },
        { code: 'mistyped', count: 38 },
      ],
      domains: [{ domain: 'acme.example', people: 12 }],
      typos: [{ from: 'gmial.com', to: 'gmail.com', rows: 38 }],
      unchecked: { domains: 2, people: 3 },
    },
  });

  it('shows counts, offers corrections of likely typing errors, and imports once', async () => {
    const { user, calls } = openImport('/contacts/import/i1', {
      'GET /api/imports/i1': ready,
      'POST /api/imports/i1/fix-domain': answer(ready, 202),
      'PATCH /api/imports/i1': ready,
      'POST /api/imports/i1/commit': answer(importState({ status: 'running', stage: 'commit' }), 202),
    });
    expect(await screen.findByText('Nothing has been imported yet.')).toBeVisible();
    expect(screen.getByText('12 people at acme.example')).toBeVisible();
    expect(screen.getByText(/^2 domains with 3 people could not be checked/)).toBeVisible();
    const typos = within(screen.getByRole('list', { name: 'Looks mistyped' }));
    expect(typos.getByRole('listitem')).toHaveTextContent('gmial.com, 38 rows: did you mean gmail.com?');
    await user.click(typos.getByRole('button', { name: 'Fix all of gmial.com' }));
    await waitFor(() =>
      expect(calls.find(({ path }) => path.endsWith('/fix-domain'))?.body).toEqual({
        from: 'gmial.com',
        to: 'gmail.com',
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Leave out role addresses' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ roles: 'drop' }));
    await user.click(screen.getByRole('button', { name: 'Import 123 contacts' }));
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/commit'))).toBe(true));
    expect(calls.find(({ path }) => path.endsWith('/commit'))?.headers.get('idempotency-key')).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  it('shows the lines of a group, all of them on demand, and a line is corrected in place', async () => {
    const { user, calls } = openImport('/contacts/import/i1', {
      'GET /api/imports/i1': ready,
      'GET /api/imports/i1/rows': page([lineOf({ line: 12, email: 'ann(at)acme.example' })], 12),
      'PATCH /api/imports/i1/rows/12': lineOf({ line: 12, email: 'ann@acme.example', codes: [], verdict: 'new' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Show the lines: Not an email address' }));
    const lines = within(await screen.findByRole('list', { name: 'Not an email address' }));
    expect(lines.getByText('Line 12')).toBeVisible();
    expect(calls.at(-1)?.query).toMatchObject({ group: 'invalid', limit: '10' });
    await user.click(await screen.findByRole('button', { name: 'Show all 12' }));
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ group: 'invalid', limit: '100' }));
    await user.click(await screen.findByRole('button', { name: 'Correct line 12' }));
    const field = screen.getByRole('textbox', { name: 'Address of line 12' });
    expect(field).toHaveFocus();
    await user.clear(field);
    await user.type(field, 'ann@acme.example{Enter}');
    await waitFor(() =>
      expect(calls.find(({ path, method }) => method === 'PATCH' && path.endsWith('/rows/12'))?.body).toEqual({
        email: 'ann@acme.example',
      }),
    );
  });

  it('leads back to the columns', async () => {
    const { user } = openImport('/contacts/import/i1', { 'GET /api/imports/i1': ready });
    await user.click(await screen.findByRole('button', { name: 'Back to the columns' }));
    expect(await screen.findByRole('list', { name: 'Columns' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Back to the check' }));
    expect(await screen.findByText('Nothing has been imported yet.')).toBeVisible();
  });
});

describe('the end of an import', () => {
  it('follows the progress, then shows the result with links onwards', async () => {
    let isDone = false;
    openImport('/contacts/import/i1', {
      'GET /api/imports/i1': () =>
        isDone
          ? importState({
              status: 'done',
              stage: null,
              result: { added: 120, updated: 3, unchanged: 20, leftOut: 7, removed: 0, takenOff: 0, kept: [] },
              undoUntil: '2026-11-30T10:00:00.000Z',
              listId: 'l1',
              listName: 'Java vendors',
            })
          : importState({ status: 'running', stage: 'commit', progress: { done: 50, total: 150 } }),
    });
    expect(await screen.findByText('50 of 150 (33%)')).toBeVisible();
    isDone = true;
    (await openedStream()).changed('import', 'i1');
    expect(
      await screen.findByRole('heading', {
        name: '120 contacts added, 3 contacts updated, 20 contacts unchanged, 7 lines left out.',
      }),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Show these contacts' })).toHaveAttribute('href', '/contacts?import=i1');
    expect(screen.getByRole('link', { name: 'Download the lines left out' })).toHaveAttribute(
      'href',
      '/api/imports/i1/rejected.csv',
    );
    expect(screen.getByText('It can be undone until Nov 30, 2026.')).toBeVisible();
  });

  it('says how many stayed when it was undone, and why', async () => {
    openImport('/contacts/import/i1', {
      'GET /api/imports/i1': importState({
        status: 'undone',
        stage: null,
        result: {
          added: 120,
          updated: 3,
          unchanged: 20,
          leftOut: 0,
          removed: 117,
          takenOff: 1,
          kept: [
            { reason: 'confirmed', count: 2 },
            { reason: 'mailed', count: 1 },
          ],
        },
      }),
    });
    expect(
      await screen.findByRole('heading', {
        name: 'Undone: 117 contacts removed, 1 contact you had before taken off the list.',
      }),
    ).toBeVisible();
    expect(screen.getByText('2 contacts stay: they confirmed.')).toBeVisible();
    expect(screen.getByText('1 contact stays: a send has reached them.')).toBeVisible();
  });

  it('says why a file could not be read', async () => {
    openImport('/contacts/import/i1', {
      'GET /api/imports/i1': importState({
        status: 'failed',
        stage: null,
        columns: [],
        message: 'This file unpacks to more than we read.',
      }),
    });
    expect(await screen.findByText('This file unpacks to more than we read.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Import another file' })).toHaveAttribute('href', '/contacts/import');
  });
});
