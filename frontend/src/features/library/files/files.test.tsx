import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, refusal, someone } from '../../../../test/fake-api';
import { fakeFiles, fileLink, storedFile, type StoredFileFixture } from '../../../../test/fixtures/file-fixtures';
import { FakeUpload, fakeUploads } from '../../../../test/fake-upload';
import { renderApp } from '../../../../test/render';
import { fileSpace } from '../../../../test/fixtures/screen-answers';
import { screenWidth } from '../../../../test/setup';

const sent = storedFile({
  usedIn: 3,
  downloads: 41,
  automated: 12,
  expiresAt: '2026-12-21T10:00:00.000Z',
  links: [fileLink(), fileLink({ id: 'k2', subject: 'Old hotlist', revokedAt: '2026-01-06T10:00:00.000Z' })] as never,
});

function open(stored: StoredFileFixture[], answers: Record<string, unknown> = {}, path = '/library?tab=files') {
  const files = fakeFiles(...stored);
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/files/space': fileSpace,
    ...files.answers,
    ...answers,
  });
  const made = (call: string) => calls.filter(({ method, path: to }) => `${method} ${to}` === call);
  return { files, calls, made, ...renderApp(path) };
}
type Opened = ReturnType<typeof open>;

async function openFile({ user }: Opened, name = 'Resume, Java developer.pdf') {
  await user.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name }));
}

describe('the files of the Library', () => {
  it('are rows with their size, emails, downloads and expiry, under the space that is used', async () => {
    open([sent, storedFile({ id: 'f2', name: 'QA.docx', byteSize: 1.5 * 1024 * 1024, state: 'checking' })]);
    const grid = within(await screen.findByRole('grid', { name: 'files' }));
    for (const text of [
      'PDF, 240 KB',
      '3 emails',
      '41 by people, 12 automatic',
      'Dec 21, 2026',
      'Not sent yet',
      'Checking…',
    ])
      expect(await grid.findByText(text)).toBeVisible();
    expect(screen.getByText('48 MB of 200 MB used')).toBeVisible();
  });

  it('show the same in one column on a phone', async () => {
    screenWidth(390);
    open([sent]);
    expect(await screen.findByText('PDF, 240 KB, 3 emails')).toBeVisible();
    expect(screen.getByText('until Dec 21, 2026')).toBeVisible();
  });

  it('say that there are none, and that they could not be loaded', async () => {
    const opened = open([]);
    expect(await screen.findByText('No files yet. Add a resume to an email and it is kept here.')).toBeVisible();
    opened.unmount();
    open([], { 'GET /api/files': refusal(503, 'unavailable', 'Busy') });
    expect(await screen.findAllByRole('button', { name: 'Retry' })).not.toHaveLength(0);
  });

  it('list their links, which are extended and stopped one by one', async () => {
    const opened = open([sent], {
      'PATCH /api/file-links/k1': ({ body }: { body: { revoked?: boolean } }) => {
        const link = fileLink(
          body.revoked ? { revokedAt: '2026-01-07T10:00:00.000Z' } : { expiresAt: '2026-04-05T10:00:00.000Z' },
        );
        opened.files.set({ ...sent, links: [link] as never });
        return link;
      },
    });
    const dialog = await openFile(opened);
    const row = within(await dialog.findByRole('listitem', { name: 'Java hotlist' }));
    expect(row.getByRole('link', { name: 'Java hotlist' })).toHaveAttribute('href', '/history/h1');
    expect(row.getByText(/41 by people, 12 automatic/)).toBeVisible();
    expect(within(dialog.getByRole('listitem', { name: 'Old hotlist' })).getByText('Stopped')).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Stop link in Old hotlist' })).not.toBeInTheDocument();
    await opened.user.click(row.getByRole('button', { name: 'Extend link in Java hotlist' }));
    await opened.user.click(await screen.findByRole('menuitem', { name: '90 days from now' }));
    expect(await screen.findByText('The link works until Apr 5, 2026.')).toBeVisible();
    await opened.user.click(await screen.findByRole('button', { name: 'Stop link in Java hotlist' }));
    const asked = within(await screen.findByRole('alertdialog', { name: 'Stop the link in "Java hotlist"?' }));
    await opened.user.click(asked.getByRole('button', { name: 'Stop link' }));
    expect(await row.findByText('Stopped')).toBeVisible();
    expect(opened.made('PATCH /api/file-links/k1').map(({ body }) => body)).toEqual([
      { expiresInDays: 90 },
      { revoked: true },
    ]);
  });

  it('are renamed without their ending', async () => {
    const opened = open([sent], { 'PATCH /api/files/f1': sent });
    const dialog = await openFile(opened);
    await opened.user.click(dialog.getByRole('button', { name: 'Rename' }));
    const form = within(await screen.findByRole('dialog', { name: 'Rename file' }));
    expect(form.getByLabelText('Name')).toHaveValue('Resume, Java developer');
    await opened.user.type(form.getByLabelText('Name'), ' 2{Enter}');
    await waitFor(() =>
      expect(opened.made('PATCH /api/files/f1')).toMatchObject([{ body: { name: 'Resume, Java developer 2' } }]),
    );
  });

  it('are deleted after a question that says what stops with them', async () => {
    const opened = open([sent], {
      'DELETE /api/files/f1': () => {
        opened.files.remove('f1');
        return answer(undefined, 204);
      },
    });
    const dialog = await openFile(opened);
    await opened.user.click(dialog.getByRole('button', { name: 'Delete' }));
    const asked = within(await screen.findByRole('alertdialog', { name: 'Delete "Resume, Java developer.pdf"?' }));
    expect(asked.getByText(/Links in 3 sent emails stop working\./)).toBeVisible();
    await opened.user.click(asked.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(/^No files yet\./)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('stay where a scheduled email brings them, which the dialog says', async () => {
    const opened = open([sent], {
      'DELETE /api/files/f1': refusal(409, 'file_in_use', 'An email has this file already'),
    });
    await opened.user.click(await screen.findByRole('button', { name: 'Actions for Resume, Java developer.pdf' }));
    await opened.user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('An email has this file already')).toBeVisible();
  });

  it('that were deleted elsewhere say so when their address is opened', async () => {
    open([], {}, '/library?tab=files&file=f1');
    expect(await screen.findByText('This file was deleted.')).toBeVisible();
  });
});

describe('replacing a file', () => {
  async function replace(answers: Record<string, unknown> = {}) {
    const opened = open([sent], answers);
    const dialog = await openFile(opened);
    await opened.user.click(dialog.getByRole('button', { name: 'Replace' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Replace "Resume, Java developer.pdf"' }));
    expect(asked.getByText(/Links in 3 sent emails lead to the new version/)).toBeVisible();
    fireEvent.change(asked.getByLabelText('New version'), { target: { files: [new File(['new'], 'v2.pdf')] } });
    await asked.findByRole('progressbar', { name: 'Uploading v2.pdf' });
    return { ...opened, asked };
  }

  it('uploads the new version, and puts it in the place of the old one', async () => {
    const restore = fakeUploads();
    try {
      const opened = await replace({ 'POST /api/files/f1/replace': sent });
      opened.files.set(storedFile({ id: 'f2', name: 'v2.pdf' }));
      await FakeUpload.last.answer(storedFile({ id: 'f2' }));
      expect(await screen.findByText('Resume, Java developer.pdf was replaced.')).toBeVisible();
      expect(opened.made('POST /api/files/f1/replace')).toMatchObject([{ body: { fileId: 'f2' } }]);
    } finally {
      restore();
    }
  });

  it('says why it was refused, and does not keep the version that was uploaded for it', async () => {
    const restore = fakeUploads();
    try {
      const opened = await replace({
        'POST /api/files/f1/replace': refusal(409, 'file_in_use', 'An email has this file already.'),
        'DELETE /api/files/f2': answer(undefined, 204),
      });
      opened.files.set(storedFile({ id: 'f2', name: 'v2.pdf' }));
      await FakeUpload.last.answer(storedFile({ id: 'f2' }));
      expect(await opened.asked.findByText('An email has this file already.')).toBeVisible();
      await waitFor(() => expect(opened.made('DELETE /api/files/f2')).toHaveLength(1));
    } finally {
      restore();
    }
  });

  it('cannot be cancelled while it runs, so that the new version is not deleted', async () => {
    const restore = fakeUploads();
    try {
      let done: (body: object) => void = () => undefined;
      const replaced = new Promise<object>((resolve) => (done = resolve));
      const opened = await replace({ 'POST /api/files/f1/replace': () => replaced });
      opened.files.set(storedFile({ id: 'f2', name: 'v2.pdf' }));
      await FakeUpload.last.answer(storedFile({ id: 'f2' }));
      expect(await opened.asked.findByText('v2.pdf: replacing…')).toBeVisible();
      await waitFor(() => expect(opened.asked.getByRole('button', { name: 'Cancel' })).toBeDisabled());
      await opened.user.keyboard('{Escape}');
      expect(opened.asked.getByText('v2.pdf: replacing…')).toBeVisible();
      done(sent);
      expect(await screen.findByText('Resume, Java developer.pdf was replaced.')).toBeVisible();
      expect(opened.made('DELETE /api/files/f2')).toEqual([]);
    } finally {
      restore();
    }
  });

  it('keeps a version that was there before, and says where it is the same', async () => {
    const restore = fakeUploads();
    try {
      const opened = await replace();
      await FakeUpload.last.answer(sent, 200);
      expect(await opened.asked.findByText('This is the version that is there already.')).toBeVisible();
    } finally {
      restore();
    }
  });
});
