import { fireEvent, screen, within } from '@testing-library/react';
import { fakeFiles, type StoredFileFixture } from './fixtures/file-fixtures';
import { excluded, fakeDrafts, openWizard, storedDraft } from './send-kit';

export const MB = 1024 * 1024;
export const paragraph = (...content: object[]) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content }],
});
const hello = paragraph({ type: 'text', text: 'Hello there' });
export const pdf = (name = 'Java.pdf', size = 1000) => new File(['x'.repeat(size)], name, { type: 'application/pdf' });

/** Opens the step of the content with these files, of which `stored` are in the library. */
export async function openWithFiles({
  files = [],
  stored = [],
  answers = {},
  document = hello,
}: {
  files?: object[];
  stored?: StoredFileFixture[];
  answers?: Record<string, unknown>;
  document?: object | null;
} = {}) {
  const library = fakeFiles(...stored);
  const drafts = fakeDrafts(storedDraft({ step: 3, document, content: document ? null : 'Hello', files }));
  const opened = openWizard(
    {
      'POST /api/send-email/preview': { recipientCount: '408', excluded, attachmentMaxBytes: 2 * MB },
      ...library.answers,
      ...answers,
    },
    '/send/d1',
    drafts,
  );
  const section = within(await screen.findByRole('region', { name: /^Files/ }));
  const row = (name: string) => section.findByRole('listitem', { name });
  const saved = () => (drafts.draft as unknown as { files?: unknown; document?: unknown } | undefined) ?? {};
  return { ...opened, library, section, row, saved };
}
const chooser = () => screen.getByLabelText('Files to add');
/** Chooses files with the file chooser of the step. */
export const choose = (...files: File[]) => fireEvent.change(chooser(), { target: { files } });
