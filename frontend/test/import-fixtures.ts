import type { AccountImportDetailDto, AccountImportDto, ImportLineDto } from '../src/api/endpoints.gen';
import { fakeApi, page, someone } from './fake-api';
import { renderApp } from './render';

/** An import in the step in which its columns are chosen. */
export const summaryOf = (over: Partial<AccountImportDto> = {}): AccountImportDto => ({
  id: 'i1',
  status: 'mapping',
  stage: null,
  fileName: 'vendors.xlsx',
  fileKind: 'xlsx',
  listId: null,
  listName: null,
  progress: { done: 150, total: 150 },
  result: { added: 120, updated: 3, unchanged: 20, leftOut: 7, removed: 0, takenOff: 0, kept: [] },
  undoUntil: null,
  expiresAt: '2026-11-30T10:00:00.000Z',
  message: null,
  createdAt: '2026-11-23T10:00:00.000Z',
  finishedAt: null,
  ...over,
});

export const importState = (over: Partial<AccountImportDetailDto> = {}): AccountImportDetailDto => ({
  ...summaryOf(),
  result: null,
  lines: 150,
  encoding: null,
  sheets: [],
  sheet: null,
  hasHeader: true,
  columns: [
    {
      index: 0,
      header: 'Email',
      samples: ['ann@acme.example', 'bob@acme.example'],
      target: 'email',
      from: 'guessed',
    },
    { index: 1, header: 'Firm', samples: ['Acme'], target: 'company', from: 'remembered' },
    { index: 2, header: 'Tier', samples: [], target: 'ignore', from: null },
  ],
  options: { listId: null, tags: [], existing: 'fill', roles: 'keep', attestation: null },
  report: null,
  ...over,
});

export const lineOf = (over: Partial<ImportLineDto> = {}): ImportLineDto => ({
  line: 2,
  email: 'nope',
  name: null,
  company: null,
  verdict: 'left_out',
  codes: ['invalid'],
  reason: 'Not an email address',
  suggestion: null,
  misfits: [],
  cells: ['nope'],
  isCorrected: false,
  ...over,
});

/** Opens a screen of an import with default answers. */
export function openImport(path: string, answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-lists': page([{ id: 'l1', name: 'Java vendors', isDefault: false, contactCount: 0 }]),
    'GET /api/contact-tags': [{ id: 7, name: 'Prime vendor', colour: null }],
    'GET /api/contact-fields': [],
    'GET /api/imports': page([]),
    'GET /api/imports/i1': importState(),
    ...answers,
  });
  return { calls, ...renderApp(path) };
}
