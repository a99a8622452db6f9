import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { importState, openImport, summaryOf } from '../../../../../test/fixtures/import-fixtures';
import { answer, page } from '../../../../../test/fake-api';

const failed = (over: Parameters<typeof importState>[0]) =>
  importState({ status: 'failed', message: 'The import stopped because of a fault on our side.', ...over });

describe('a failed import', () => {
  it('continues its commit where it stopped, or is undone', async () => {
    const { user, calls } = openImport('/contacts/import/i1', {
      'GET /api/imports/i1': failed({
        stage: 'commit',
        undoUntil: '2026-11-30T10:00:00.000Z',
        result: { added: 120, updated: 3, unchanged: 20, leftOut: 7, removed: 0, takenOff: 0, kept: [] },
      }),
      'POST /api/imports/i1/commit': answer(importState({ status: 'running', stage: 'commit' }), 202),
      'POST /api/imports/i1/undo': answer(importState({ status: 'running', stage: 'undo' }), 202),
    });
    await user.click(await screen.findByRole('button', { name: 'Import again' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/imports/i1/commit')).toBe(true));
    expect(screen.queryByRole('button', { name: 'Check again' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Undo this import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Undo this import' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/imports/i1/undo')).toBe(true));
  });

  it('of the reading or checking stage is checked again', async () => {
    const { user, calls } = openImport('/contacts/import/i1', {
      'GET /api/imports/i1': failed({ stage: 'read', columns: [] }),
      'POST /api/imports/i1/check': answer(importState({ status: 'reading', stage: 'read' }), 202),
    });
    await user.click(await screen.findByRole('button', { name: 'Check again' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/imports/i1/check')).toBe(true));
    expect(screen.queryByRole('button', { name: 'Undo this import' })).not.toBeInTheDocument();
  });

  it('without a stage to continue with, such as a direct one, begins anew', async () => {
    openImport('/contacts/import/i1', { 'GET /api/imports/i1': failed({ stage: null }) });
    expect(await screen.findByRole('link', { name: 'Import another file' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /again/ })).not.toBeInTheDocument();
  });

  it('can be undone from the list of imports', async () => {
    const one = summaryOf({ status: 'failed', stage: 'commit', undoUntil: '2026-11-30T10:00:00.000Z' });
    openImport('/contacts/import', { 'GET /api/imports': page([one]) });
    expect(await screen.findByRole('button', { name: 'Undo vendors.xlsx' })).toBeVisible();
  });
});
