import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { open, SUBSCRIBERS_PATH } from '../../../../test/fixtures/contact-fixtures';
import { answer, refusal } from '../../../../test/fake-api';
import { fakeStreamInEachTest, openedStream } from '../../../../test/fake-stream';
import { contactStatus } from '../../../shared/contact';
import { asTyped, toLines } from './bulk-import-form';

fakeStreamInEachTest();

describe('the import into a list', () => {
  it('is followed to the end, and every line left out has its reason', async () => {
    let isOver = false;
    const job = { id: 'j1', total: 3, added: 0, skipped: 0, rows: [] };
    const task = {
      id: 'j1',
      listId: 'l1',
      listName: 'Java vendors',
      status: 'running',
      total: 3,
      added: 1,
      skipped: 0,
      message: null,
      endedAt: null,
    };
    const { user, calls } = open({
      [`POST ${SUBSCRIBERS_PATH}/import`]: answer({ id: 'j1' }, 202),
      [`GET ${SUBSCRIBERS_PATH}/import/j1`]: () =>
        isOver
          ? { ...job, status: 'done', added: 2, skipped: 1, rows: [{ line: 3, email: 'nope', reason: 'invalid' }] }
          : { ...job, status: 'running', added: 1 },
      'GET /api/running-tasks': () => ({
        sends: [],
        imports: calls.some(({ method }) => method === 'POST')
          ? [{ ...task, ...(isOver && { status: 'done', added: 2, skipped: 1 }) }]
          : [],
      }),
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
    expect(calls.find((call) => call.method === 'POST')?.body).toEqual({
      lines: ['a@v.example', '', 'nope', 'b@v.example, Bea'],
      attestation: 'At the fair',
    });
  });

  it('says when more lines were left out than are shown', async () => {
    localStorage.setItem('import_l1', '"j1"');
    open({
      [`GET ${SUBSCRIBERS_PATH}/import/j1`]: {
        id: 'j1',
        status: 'done',
        total: 1500,
        added: 0,
        skipped: 1500,
        rows: [{ line: 1, email: 'nope', reason: 'invalid' }],
      },
    });
    expect(await screen.findByText(/The download holds all of them/)).toBeVisible();
  });

  it('keeps pasted lines while the other tab is open', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.click(await screen.findByRole('tab', { name: 'Bulk Import' }));
    await user.click(screen.getByRole('textbox', { name: 'Contacts' }));
    await user.paste('a@v.example\nb@v.example');
    await user.click(screen.getByRole('tab', { name: 'Single Contact' }));
    await user.click(screen.getByRole('tab', { name: 'Bulk Import' }));
    expect(screen.getByRole('textbox', { name: 'Contacts' })).toHaveValue('a@v.example\nb@v.example');
  });

  it('keeps the file, the attestation and the single contact while the other tab is open', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'lee@vendor.example');
    await user.click(screen.getByRole('tab', { name: 'Bulk Import' }));
    fireEvent.change(screen.getByLabelText('CSV file'), {
      target: { files: [new File(['email'], 'vendors.csv', { type: 'text/csv' })] },
    });
    await user.click(screen.getByRole('checkbox', { name: /already agreed/ }));
    await user.type(screen.getByRole('textbox', { name: 'Where and how did they agree?' }), 'At the fair');
    await user.click(screen.getByRole('tab', { name: 'Single Contact' }));
    expect(screen.getByRole('textbox', { name: 'Email' })).toHaveValue('lee@vendor.example');
    await user.click(screen.getByRole('tab', { name: 'Bulk Import' }));
    expect(screen.getByText('vendors.csv')).toBeVisible();
    expect(screen.getByRole('checkbox', { name: /already agreed/ })).toBeChecked();
    expect(screen.getByRole('textbox', { name: 'Where and how did they agree?' })).toHaveValue('At the fair');
  });

  it('refuses a file that is no text, and does not show success where nobody was added', async () => {
    const { user, calls } = open({
      [`POST ${SUBSCRIBERS_PATH}/import`]: answer({ id: 'j1' }, 202),
      [`GET ${SUBSCRIBERS_PATH}/import/j1`]: {
        id: 'j1',
        status: 'done',
        total: 1,
        added: 0,
        skipped: 1,
        rows: [{ line: 2, email: 'nope', reason: 'invalid' }],
      },
      'GET /api/running-tasks': () => ({
        sends: [],
        imports: calls.some(({ method }) => method === 'POST')
          ? [
              {
                id: 'j1',
                listId: 'l1',
                listName: 'Java vendors',
                status: 'done',
                total: 1,
                added: 0,
                skipped: 1,
                message: null,
                endedAt: '2026-01-05T10:00:00Z',
              },
            ]
          : [],
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add Contact' }));
    await user.click(await screen.findByRole('tab', { name: 'Bulk Import' }));
    const pick = (name: string, type: string) =>
      fireEvent.change(screen.getByLabelText('CSV file'), {
        target: { files: [new File(['email\nnope'], name, { type })] },
      });
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

  it('ignores an import whose report was removed', async () => {
    localStorage.setItem('import_l1', '"old"');
    const { calls } = open({ [`GET ${SUBSCRIBERS_PATH}/import/old`]: refusal(404, 'not_found', 'Not found') });
    await waitFor(() => expect(calls.some((call) => call.path.endsWith('/import/old'))).toBe(true));
    await waitFor(() => expect(localStorage.getItem('import_l1')).toBeNull());
    expect(screen.queryByRole('region', { name: 'Import' })).not.toBeInTheDocument();
  });
});

describe('helpers of the contacts screen', () => {
  it('read lines, trimmed, without blank ones', () => {
    expect(asTyped('\n a@b\r\n\nc@d \n\n')).toEqual(['', 'a@b', '', 'c@d']);
    expect(toLines(' a@b \r\n\n\tc@d, C\r e@f')).toEqual(['a@b', 'c@d, C', 'e@f']);
  });

  it('show a suppression before a confirmation', () => {
    expect(contactStatus({ confirmed: true, suppressed: 'bounced' })).toBe('bounced');
    expect(contactStatus({ confirmed: true, suppressed: null })).toBe('confirmed');
    expect(contactStatus({ confirmed: false, suppressed: null })).toBe('pending');
  });
});
