import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { numbers, open } from '../../../../test/fixtures/admin-fixtures';
import { page } from '../../../../test/fake-api';
import { screenWidth } from '../../../../test/setup';

const reported = (over: Record<string, unknown> = {}) => ({
  id: 'f1',
  name: 'Resume.pdf',
  mediaType: 'application/pdf',
  byteSize: 240 * 1024,
  userId: 'u2',
  userEmail: 'sam@agency.example',
  reports: 2,
  reportedAt: '2026-01-05T12:00:00.000Z',
  takenDownAt: null,
  ...over,
});

it('reported files are counted in the tab, and taken down with a reason', async () => {
  let files = [
    reported(),
    reported({ id: 'f2', name: 'Old.pdf', userEmail: null, takenDownAt: '2026-01-05T12:00:00.000Z' }),
  ];
  const { user, calls } = open('/admin?tab=files', {
    'GET /api/admin/overview': { ...numbers, reportedFiles: 1 },
    'GET /api/admin/files': () => page(files),
    'POST /api/admin/files/f1/take-down': () => {
      files = [reported({ takenDownAt: '2026-01-06T12:00:00.000Z' })];
      return files[0];
    },
  });
  expect(await screen.findByRole('tab', { name: 'Reported files (1)' })).toBeVisible();
  expect(await screen.findByText('sam@agency.example')).toBeVisible();
  expect(screen.getByText('a closed account')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Take down Old.pdf' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Take down Resume.pdf' }));
  const asked = within(await screen.findByRole('alertdialog', { name: 'Take file down' }));
  expect(asked.getByText(/Take down "Resume\.pdf" of sam@agency\.example\?/)).toBeVisible();
  await user.type(asked.getByLabelText(/^Reason/), 'Not theirs');
  await user.click(asked.getByRole('button', { name: 'Take down' }));
  expect(await screen.findByText('File Taken Down')).toBeVisible();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'Not theirs' });
  expect(await screen.findByText('Taken down')).toBeVisible();
});

it('reports are dismissed with a reason, and the file leaves the list', async () => {
  let files = [reported()];
  const { user, calls } = open('/admin?tab=files', {
    'GET /api/admin/overview': { ...numbers, reportedFiles: 1 },
    'GET /api/admin/files': () => page(files),
    'POST /api/admin/files/f1/dismiss': () => {
      files = [];
      return undefined;
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Dismiss reports of Resume.pdf' }));
  const asked = within(await screen.findByRole('alertdialog', { name: 'Dismiss reports' }));
  expect(asked.getByText(/^Dismiss 2 reports of "Resume\.pdf" of sam@agency\.example\?/)).toBeVisible();
  await user.type(asked.getByLabelText(/^Reason/), 'Harmless');
  await user.click(asked.getByRole('button', { name: 'Dismiss' }));
  expect(await screen.findByText('Reports Dismissed')).toBeVisible();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'Harmless' });
  expect(await screen.findByText('No file was reported')).toBeVisible();
});

it('a reported file that its owner deleted can be taken down too', async () => {
  const { user } = open('/admin?tab=files', { 'GET /api/admin/files': page([reported({ name: '' })]) });
  await user.click(await screen.findByRole('button', { name: 'Take down Deleted file' }));
  expect(await screen.findByText(/^Take down a deleted file of sam@agency\.example\?/)).toBeVisible();
});

it('reported files show all in one column on a phone, and say that there are none', async () => {
  screenWidth(390);
  const { unmount } = open('/admin?tab=files', { 'GET /api/admin/files': page([reported()]) });
  expect(await screen.findByText(/^2 reports, the last/)).toBeVisible();
  unmount();
  open('/admin?tab=files', { 'GET /api/admin/files': page([]) });
  expect(await screen.findByText('No file was reported')).toBeVisible();
});

it('Operations says where uploaded files are not scanned', async () => {
  open('/admin/operations', { 'GET /api/admin/overview': { ...numbers, filesScanned: false } });
  expect(await screen.findByText('Uploaded files are not scanned')).toBeVisible();
});
