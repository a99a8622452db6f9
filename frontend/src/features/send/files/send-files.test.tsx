import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fakeStream, openedStream } from '../../../../test/fake-stream';
import { FakeUpload, fakeUploads } from '../../../../test/fake-upload';
import { storedFile } from '../../../../test/fixtures/file-fixtures';
import { MB, paragraph, pdf, openWithFiles, choose } from '../../../../test/send-files-kit';
import { excluded } from '../../../../test/send-kit';

let restore: () => void;
beforeEach(() => {
  restore = fakeUploads();
});
afterEach(() => restore());

describe('the files of an email', () => {
  it('are uploaded with a bar that says the bytes, and announced at 0, 50 and 100 percent', async () => {
    const { section, row, library, saved } = await openWithFiles();
    choose(pdf('Java.pdf', 4 * 1024));
    const bar = await section.findByRole('progressbar', { name: 'Uploading Java.pdf' });
    const said = section.getByRole('status');
    expect(said).toHaveTextContent('Uploading Java.pdf, 0 percent');
    FakeUpload.last.progress(2 * 1024);
    expect(bar).toHaveAttribute('aria-valuetext', '2 KB of 4 KB');
    expect(section.getByText('2 KB of 4 KB')).toBeVisible();
    expect(said).toHaveTextContent('Uploading Java.pdf, 50 percent');
    expect(FakeUpload.last.form.get('kind')).toBe('document');
    library.set(storedFile({ name: 'Java.pdf', byteSize: 4 * 1024 }));
    await FakeUpload.last.answer(storedFile({ name: 'Java.pdf' }));
    expect(within(await row('Java.pdf')).getByText('PDF, 4 KB')).toBeVisible();
    expect(said).toHaveTextContent('Java.pdf, 100 percent, is uploaded');
    expect(section.queryByRole('progressbar')).not.toBeInTheDocument();
    await waitFor(() => expect(saved().files).toEqual([{ fileId: 'f1', as: 'link', expiresInDays: 30 }]));
  });

  it('are uploaded when they are dropped', async () => {
    const { section } = await openWithFiles();
    fireEvent.drop(section.getByRole('button', { name: 'Add files' }), {
      dataTransfer: { types: ['Files'], files: [pdf(), pdf('B.pdf')] },
    });
    expect(await section.findAllByRole('progressbar')).toHaveLength(2);
  });

  it('are no folders: the files beside them are added, and a sentence says so until the next files', async () => {
    const { section } = await openWithFiles();
    const item = (file: File, isDirectory: boolean) => ({
      kind: 'file',
      getAsFile: () => file,
      webkitGetAsEntry: () => ({ isDirectory }),
    });
    const folder = new File([], 'Resumes');
    fireEvent.drop(section.getByRole('button', { name: 'Add files' }), {
      dataTransfer: { types: ['Files'], files: [folder, pdf()], items: [item(folder, true), item(pdf(), false)] },
    });
    expect(section.getByRole('alert')).toHaveTextContent('Folders cannot be added. Choose the files in them.');
    expect(await section.findAllByRole('progressbar')).toHaveLength(1);
    choose(pdf('B.pdf'));
    expect(await section.findAllByRole('progressbar')).toHaveLength(2);
    expect(section.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('are not added where the upload is stopped', async () => {
    const { user, section } = await openWithFiles();
    choose(pdf());
    await user.click(await section.findByRole('button', { name: 'Stop uploading Java.pdf' }));
    expect(FakeUpload.last.isStopped).toBe(true);
    expect(section.queryByRole('listitem')).not.toBeInTheDocument();
  });

  it('say in their row why one was refused, until another is chosen in its place', async () => {
    const { user, row, section } = await openWithFiles();
    choose(pdf('tool.pdf'));
    await section.findByRole('progressbar');
    await FakeUpload.last.answer(
      { statusCode: 415, code: 'file_type_refused', message: 'Send a PDF, Word (.docx), ODT or text file' },
      415,
    );
    const refused = within(await row('tool.pdf'));
    expect(refused.getByText('Send a PDF, Word (.docx), ODT or text file')).toBeVisible();
    await user.click(refused.getByRole('button', { name: 'Choose another' }));
    choose(pdf('Java.pdf'));
    expect(await section.findByRole('progressbar', { name: 'Uploading Java.pdf' })).toBeVisible();
    expect(section.queryByRole('listitem', { name: 'tool.pdf' })).not.toBeInTheDocument();
  });

  it('are refused before they are sent where they are too large', async () => {
    const { row, section } = await openWithFiles();
    await section.findByText(/up to 10 MB each/);
    choose(new File([new Uint8Array(10 * MB + 1)], 'big.pdf'));
    expect(within(await row('big.pdf')).getByText('A file has at most 10 MB')).toBeVisible();
    expect(FakeUpload.all).toEqual([]);
  });

  it('are Checking… until the scan has ended, which the event stream tells', async () => {
    const quiet = fakeStream();
    try {
      const { row, library } = await openWithFiles({
        files: [{ fileId: 'f1' }],
        stored: [storedFile({ state: 'checking' })],
      });
      const file = within(await row('Resume, Java developer.pdf'));
      expect(file.getByText('Checking…')).toBeVisible();
      const stream = await openedStream();
      library.set(storedFile());
      stream.changed('file', 'f1');
      expect(await file.findByText('Ready')).toBeVisible();
      library.set(storedFile({ state: 'refused' }));
      stream.changed('file', 'f1');
      expect(await file.findByText('Refused: contains a virus')).toBeVisible();
      expect(file.getByRole('button', { name: 'Choose another' })).toBeVisible();
    } finally {
      quiet();
    }
  });

  it('that were deleted are told, and another takes their place in the text as well', async () => {
    const { user, row, library, saved, section } = await openWithFiles({
      files: [{ fileId: 'f2', as: 'link', expiresInDays: 7 }],
      document: paragraph({ type: 'fileLink', attrs: { fileId: 'f2', label: 'Resume' } }),
    });
    const gone = within(await row('File'));
    expect(gone.getByText('This file was deleted. Remove it or choose another.')).toBeVisible();
    await user.click(gone.getByRole('button', { name: 'Choose another' }));
    choose(pdf());
    await section.findByRole('progressbar');
    library.set(storedFile());
    await FakeUpload.last.answer(storedFile());
    await row('Resume, Java developer.pdf');
    await waitFor(() => expect(saved().files).toEqual([{ fileId: 'f1', as: 'link', expiresInDays: 7 }]));
    expect(JSON.stringify(saved().document)).toContain('{"fileId":"f1","label":"Resume"}');
  });

  it('stand in the block above the signature as long as the text does not link to them', async () => {
    const { user, section, row, saved } = await openWithFiles({
      files: [{ fileId: 'f1', as: 'link', expiresInDays: 30 }],
      stored: [storedFile()],
    });
    const block = await section.findByRole('list', { name: 'Files listed above the signature' });
    expect(block).toHaveTextContent(/^Resume, Java developer \(PDF, 240 KB\), until [A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    await user.click(within(await row('Resume, Java developer.pdf')).getByRole('combobox', { name: 'Available for' }));
    await user.click(await screen.findByRole('option', { name: '90 days' }));
    await waitFor(() => expect(saved().files).toEqual([{ fileId: 'f1', as: 'link', expiresInDays: 90 }]));
    await user.click(section.getByRole('button', { name: 'Place in the text' }));
    const field = await screen.findByRole('textbox', { name: 'Email content' });
    expect(within(field).getByText('Resume, Java developer')).toHaveAttribute('data-file-link', 'f1');
    await waitFor(() =>
      expect(section.queryByRole('list', { name: 'Files listed above the signature' })).not.toBeInTheDocument(),
    );
    await waitFor(() =>
      expect(JSON.stringify(saved().document)).toContain('{"fileId":"f1","label":"Resume, Java developer"}'),
    );
  });

  it('leave the text with their row', async () => {
    const { user, row, saved, saves } = await openWithFiles({
      files: [{ fileId: 'f1' }],
      stored: [storedFile()],
      document: paragraph({ type: 'text', text: 'See ' }, { type: 'fileLink', attrs: { fileId: 'f1', label: 'it' } }),
    });
    await row('Resume, Java developer.pdf');
    await user.click(await screen.findByRole('button', { name: 'Remove Resume, Java developer.pdf' }));
    await waitFor(() => expect(JSON.stringify(saved().document)).not.toContain('fileLink'));
    expect(saves().at(-1)?.body).not.toHaveProperty('files');
  });

  it('that only the text links to have a row of their own', async () => {
    const { row } = await openWithFiles({
      stored: [storedFile()],
      document: paragraph({ type: 'fileLink', attrs: { fileId: 'f1', label: 'Resume' } }),
    });
    expect(await row('Resume, Java developer.pdf')).toBeVisible();
  });

  it('can be attached as long as the size times the recipients allows it', async () => {
    const { user, row, saved, section } = await openWithFiles({
      files: [{ fileId: 'f1' }, { fileId: 'f2' }],
      stored: [storedFile(), storedFile({ id: 'f2', name: 'Large.pdf', byteSize: 2 * MB })],
      answers: { 'POST /api/send-email/preview': { recipientCount: '900', excluded, attachmentMaxBytes: 1000 * 1024 } },
    });
    const large = within(await row('Large.pdf'));
    expect(
      await large.findByText('Attached files: up to 2 MB in all, and 500 recipients at this size. Use links.'),
    ).toBeVisible();
    await user.click(large.getByRole('combobox', { name: 'Send as' }));
    expect(await screen.findByRole('option', { name: 'Attached' })).toHaveAttribute('aria-disabled', 'true');
    await user.keyboard('{Escape}');
    const small = within(await row('Resume, Java developer.pdf'));
    expect(small.queryByText(/Use links/)).not.toBeInTheDocument();
    await user.click(small.getByRole('combobox', { name: 'Send as' }));
    await user.click(await screen.findByRole('option', { name: 'Attached' }));
    expect(small.queryByRole('combobox', { name: 'Available for' })).not.toBeInTheDocument();
    // Together the files exceed the limit of one message.
    expect(await large.findByText('Attached files: up to 2 MB in all. Use links.')).toBeVisible();
    expect(section.getByRole('list', { name: 'Files listed above the signature' })).toHaveTextContent(/^Large/);
    await waitFor(() =>
      expect(saved().files).toEqual([
        { fileId: 'f1', as: 'attachment', expiresInDays: 30 },
        { fileId: 'f2', as: 'link', expiresInDays: 30 },
      ]),
    );
  });

  it('are chosen from earlier ones', async () => {
    const { user, section, saved } = await openWithFiles({
      files: [{ fileId: 'f1' }],
      stored: [
        storedFile(),
        storedFile({ id: 'f2', name: 'QA lead.pdf' }),
        storedFile({ id: 'f3', name: 'Bad.pdf', state: 'refused' }),
      ],
    });
    await user.click(section.getByRole('button', { name: 'Choose from Library' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Choose from Library' }));
    expect(await dialog.findByRole('checkbox', { name: /^Resume, Java.*In this email/ })).toBeDisabled();
    expect(dialog.getByRole('checkbox', { name: /^Bad\.pdf/ })).toBeDisabled();
    await user.click(dialog.getByRole('checkbox', { name: /^QA lead\.pdf/ }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(saved().files).toMatchObject([{ fileId: 'f1' }, { fileId: 'f2' }]));
  });

  it('are at most ten, also where one is chosen from earlier ones while another is uploaded', async () => {
    const ids = Array.from({ length: 10 }, (_, i) => `f${i + 1}`);
    const named = (id: string) => storedFile({ id, name: `${id}.pdf` });
    const { user, section, saved } = await openWithFiles({
      files: ids.slice(1).map((fileId) => ({ fileId })),
      stored: ids.map(named),
      answers: Object.fromEntries(ids.slice(3).map((id) => [`GET /api/files/${id}`, { ...named(id), links: [] }])),
    });
    choose(pdf('Late.pdf'));
    await section.findByRole('progressbar', { name: 'Uploading Late.pdf' });
    await user.click(section.getByRole('button', { name: 'Choose from Library' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Choose from Library' }));
    await user.click(await dialog.findByRole('checkbox', { name: /^f1\.pdf/ }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    await FakeUpload.last.answer(storedFile({ id: 'late', name: 'Late.pdf' }));
    expect(await section.findByText('You can add up to 10 files to an email.')).toBeVisible();
    await waitFor(() => expect(saved().files).toHaveLength(10));
  });

  it('are none in a plain text, which cannot be placed either', async () => {
    const { section, row } = await openWithFiles({ files: [{ fileId: 'f1' }], stored: [storedFile()], document: null });
    await row('Resume, Java developer.pdf');
    await section.findByText('Ready');
    expect(section.queryByRole('button', { name: 'Place in the text' })).not.toBeInTheDocument();
  });
});
