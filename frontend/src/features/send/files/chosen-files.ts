import { z } from 'zod';
import type { ChosenFileDto } from '../../../api/endpoints.gen';
import { LINK_DAYS, type LinkDays } from '../../../shared/files/file-texts';
import { linkedFileIds, withFileLinksTo, type RichDocument } from '../../../ui/editor/document';

/** How a file is sent: as a link for downloading it, or attached to each message. */
export type FileWay = 'link' | 'attachment';

/** A document that is sent with an email. */
export interface ChosenFile {
  fileId: string;
  as: FileWay;
  /** Days for which its link works after the email is sent. */
  expiresInDays: LinkDays;
}

/** The default choice for a file; the server has the same default. */
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

/** The files of a response, with defaults filled in. */
export const chosenFilesOf = (files: readonly ChosenFileDto[] | null | undefined): ChosenFile[] =>
  (files ?? []).map(({ fileId, as = 'link', expiresInDays = 30 }) => ({ fileId, as, expiresInDays }));

/** The files as the requests take them; absent if there are none. */
export const filesPart = (files: readonly ChosenFile[] | undefined): { files?: ChosenFileDto[] } =>
  files && files.length > 0 ? { files: [...files] } : {};

/** The files of an email: the chosen ones in their order, then files that are only linked in the text. */
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

/** Files and text, with one file replaced by another. */
export const withOtherFile = (
  { files = [], document }: { files?: readonly ChosenFile[]; document: RichDocument | null },
  old: ChosenFile,
  fileId: string,
) => ({
  files: withFile(files, old).map((one) => (one.fileId === old.fileId ? { ...old, fileId } : one)),
  document: document && withFileLinksTo(document, old.fileId, fileId),
});

/** The files with one of them changed. A file that was only linked in the text is added to them. */
export function withFile(files: readonly ChosenFile[] = [], file: ChosenFile): ChosenFile[] {
  const isChosen = files.some(({ fileId }) => fileId === file.fileId);
  return isChosen ? files.map((one) => (one.fileId === file.fileId ? file : one)) : [...files, file];
}

export const withoutFile = (files: readonly ChosenFile[] = [], fileId: string): ChosenFile[] =>
  files.filter((one) => one.fileId !== fileId);
