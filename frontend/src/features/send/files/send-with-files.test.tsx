import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeUpload, fakeUploads } from '../../../../test/fake-upload';
import { storedFile } from '../../../../test/fixtures/file-fixtures';
import { pdf, openWithFiles, choose } from '../../../../test/send-files-kit';
import { checkOf } from '../../../../test/send-kit';

let restore: () => void;
beforeEach(() => {
  restore = fakeUploads();
});
afterEach(() => restore());

describe('sending an email with files', () => {
  it('waits for an upload that runs, and says so; it goes with the preview, the check and the send', async () => {
    const { user, library, sends, calls, section } = await openWithFiles();
    choose(pdf());
    await section.findByRole('progressbar');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Java.pdf is still being uploaded.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send Email' })).toBeDisabled();
    library.set(storedFile());
    await FakeUpload.last.answer(storedFile());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Send Email' })).toBeEnabled());
    const files = [{ fileId: 'f1', as: 'link', expiresInDays: 30 }];
    await user.click(screen.getByRole('button', { name: 'Send Email' }));
    await waitFor(() => expect(sends()).toMatchObject([{ body: { files } }]));
    for (const path of ['preview', 'render', 'check'])
      expect(calls.findLast((call) => call.path === `/api/send-email/${path}`)?.body).toMatchObject({ files });
  });

  it('asks before the screen is left while a file is uploaded, and stops it then', async () => {
    const { user, router, section } = await openWithFiles();
    choose(pdf());
    await section.findByRole('progressbar');
    void router.navigate('/library');
    const asked = within(await screen.findByRole('alertdialog', { name: 'Leave while files are still uploading?' }));
    expect(FakeUpload.last.isStopped).toBe(false);
    await user.click(asked.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(FakeUpload.last.isStopped).toBe(true));
  });

  it.each([
    ['file_gone', 'A file of this email was deleted. Take it out or add it again.'],
    ['attachments', 'Attached files: up to 2 MB in all. Use links.'],
  ])('leads from a finding about files to them: %s', async (code, text) => {
    const { user } = await openWithFiles({
      files: [{ fileId: 'f1' }],
      answers: {
        'POST /api/send-email/check': checkOf([{ code, level: 'error', text }]),
      },
    });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(await screen.findByRole('button', { name: 'Show' }));
    expect(await screen.findByRole('heading', { name: /^Files/ })).toHaveFocus();
  });
});
