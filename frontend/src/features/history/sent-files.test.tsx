import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { fakeApi, page, someone } from '../../../test/fake-api';
import { item } from '../../../test/fixtures/history-fixtures';
import { counts } from '../../../test/fixtures/live-fixtures';
import { renderApp } from '../../../test/render';

it.each([
  [null, 'the attached files cannot be read at the moment. The send continues by itself.'],
  [
    '2026-01-06T10:00:00Z',
    'an attached file is missing there. If it is not back by Jan 6, 2026, 10:00 AM UTC, the remaining recipients are skipped.',
  ],
])(
  'a send that waits for its attached files says so, with the time at which it gives up: %s',
  async (givenUpAt, text) => {
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-history/h1': {
        ...item({ status: 'pending' }),
        content: 'Hi',
        lists: [],
        counts,
        retryable: 0,
        files: [],
        filesWait: { since: '2026-01-05T10:00:00Z', givenUpAt },
      },
      'GET /api/email-history/h1/deliveries': page([]),
    });
    renderApp('/history/h1');
    expect(await screen.findByRole('alert')).toHaveTextContent(`Waiting for file storage: ${text}`);
  },
);

it('a send lists its files, with the downloads of those behind a link', async () => {
  const file = { fileId: 'f1', as: 'link', name: 'Resume.pdf', mediaType: 'application/pdf', byteSize: 240 * 1024 };
  fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-history/h1': {
      ...item(),
      content: 'Hi',
      lists: [],
      counts,
      retryable: 0,
      files: [
        { ...file, downloads: 41, automated: 12 },
        { ...file, fileId: 'f2', name: '', as: 'attachment', downloads: null, automated: null },
      ],
    },
    'GET /api/email-history/h1/deliveries': page([]),
  });
  renderApp('/history/h1');
  const files = within(await screen.findByRole('list', { name: 'Files' }));
  expect(files.getByText('Resume.pdf')).toBeVisible();
  expect(files.getByText('PDF, 240 KB, downloads: 41 by people, 12 automatic')).toBeVisible();
  expect(files.getByText('Deleted file')).toBeVisible();
  expect(files.getByText('PDF, 240 KB, attached')).toBeVisible();
});
