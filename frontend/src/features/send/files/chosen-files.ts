import { z } from 'zod';
import type { ChosenFileDto } from '../../../api/endpoints.gen';
import { LINK_DAYS, type LinkDays } from '../../../shared/files/file-words';
import { linkedFileIds, withFileLinksTo, type RichDocument } from '../../../ui/editor/document';

/** How a file goes with an email: readers download it, or each message holds it. */
export type FileWay = 'link' | 'attachment';

/** A document that goes with an email. */
export interface ChosenFile {
  fileId: string;
  as: FileWay;
  /** Days that its link works, from when the email is sent. */
  expiresInDays: LinkDays;
}

/** How a file goes with an email unless it is said otherwise; the server takes the same. */
export const linkTo = (fileId: string): ChosenFile => ({ fileId, as: 'link', expiresInDays: 30 });

export const chosenFilesSchema = z
  .array(
    z.object({
      fileId: z.string(),
      as: z.enum(['link', 'attachment']),
      expiresInDays: z.literal(LINK_DAYS),
    }),
  )
  .catch([]);

/** The files of an answer, with what it left at the default. */
export const chosenFilesOf = (files: readonly ChosenFileDto[] | null | undefined): ChosenFile[] =>
  (files ?? []).map(({ fileId, as = 'link', expiresInDays = 30 }) => ({ fileId, as, expiresInDays }));

/** The files as requests have them; none are left away. */
export const filesPart = (files: readonly ChosenFile[] | undefined): { files?: ChosenFileDto[] } =>
  files && files.length > 0 ? { files: [...files] } : {};

/** The files that go with an email: those chosen, in their order, then those that only its text links to. */
export function filesOf({
  files = [],
  document,
}: {
  files?: readonly ChosenFile[];
  document: RichDocument | null;
}): ChosenFile[] {
  const chosen = new Set(files.map(({ fileId }) => fileId));
  const linked = document ? linkedFileIds(document) : [];
  return [...files, ...linked.filter((id) => !chosen.has(id)).map(linkTo)];
}

/** The files and the text with another file in the place of one. */
export const withOtherFile = (
  { files = [], document }: { files?: readonly ChosenFile[]; document: RichDocument | null },
  old: ChosenFile,
  fileId: string,
) => ({
  files: withFile(files, old).map((one) => (one.fileId === old.fileId ? { ...old, fileId } : one)),
  document: document && withFileLinksTo(document, old.fileId, fileId),
});

/** The files with one changed; one that only the text links to is chosen by that. */
export function withFile(files: readonly ChosenFile[] = [], file: ChosenFile): ChosenFile[] {
  const isChosen = files.some(({ fileId }) => fileId === file.fileId);
  return isChosen ? files.map((one) => (one.fileId === file.fileId ? file : one)) : [...files, file];
}

export const withoutFile = (files: readonly ChosenFile[] = [], fileId: string): ChosenFile[] =>
  files.filter((one) => one.fileId !== fileId);
