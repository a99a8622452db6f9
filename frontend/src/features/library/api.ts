import { useMemo } from 'react';
import { client } from '../../api/client';
import type {
  CreateDraftDto,
  DraftSummaryDto,
  FileDto,
  FileLinkDto,
  TemplateSummaryDto,
} from '../../api/endpoints.gen';
import type { SendType } from '../../lib/roles';
import type { LinkDays } from '../../shared/files/file-texts';
import { PICTURE_FILTER } from '../../shared/pictures';
import type { RichDocument } from '../../ui/editor/document';
import type { PageArgs } from '../../ui/grid/use-server-grid';

export { useCurrentUser } from '../../api/session';

export type DraftSummary = DraftSummaryDto;
export type TemplateSummary = TemplateSummaryDto;

export const useDrafts = (args: PageArgs) => client.useListDraftsQuery(args, { refetchOnMountOrArgChange: true });

export const useTemplates = (args: PageArgs, type: SendType | '') =>
  client.useListTemplatesQuery({ ...args, ...(type && { type }) });

export const useTemplate = (id: string) => client.useGetTemplateQuery({ id }, { refetchOnMountOrArgChange: true });

export function useDeleteDraft() {
  const [remove] = client.useDeleteDraftMutation();
  return (id: string) => remove({ id }).unwrap();
}

/**
 * Copies a draft.
 * @returns id of the copy
 */
export function useDuplicateDraft() {
  const [create] = client.useCreateDraftMutation();
  return async (fromDraftId: string) => (await create({ createDraftDto: { fromDraftId } }).unwrap()).id;
}

/**
 * Creates a draft from a template.
 * @returns id of the draft
 */
export function useStartDraft() {
  const [create] = client.useCreateDraftMutation();
  const [apply] = client.useApplyTemplateMutation();
  const start = async (emailType: SendType, document: RichDocument, further: Omit<CreateDraftDto, 'document'> = {}) =>
    (await create({ createDraftDto: { emailType, subject: '', document: document as never, ...further } }).unwrap()).id;
  return {
    fromBuiltIn: (emailType: SendType, document: RichDocument) => start(emailType, document),
    fromOwn: async (id: string) => {
      const { emailType, subject, document, brand, signature } = await apply({ id }).unwrap();
      const parts = {
        subject: subject ?? '',
        ...(brand !== null && { brand }),
        ...(signature !== null && { signature }),
      };
      return start(emailType, document as unknown as RichDocument, parts);
    },
  };
}

export function useTemplateActions() {
  const [create] = client.useCreateTemplateMutation();
  const [duplicate] = client.useDuplicateTemplateMutation();
  const [remove] = client.useDeleteTemplateMutation();
  const [update] = client.useUpdateTemplateMutation();
  return {
    create: (name: string, emailType: SendType, document: RichDocument) =>
      create({ createTemplateDto: { name, emailType, document: document as never } }).unwrap(),
    duplicate: (id: string) => duplicate({ id }).unwrap(),
    remove: (id: string) => remove({ id }).unwrap(),
    rename: ({ id, version }: { id: string; version: number }, name: string) =>
      update({ id, 'If-Match': `"${version}"`, updateTemplateDto: { name } }).unwrap(),
    save: (
      id: string,
      version: number,
      change: { subject: string | null; document: RichDocument },
    ): Promise<{ version: number }> =>
      update({
        id,
        'If-Match': `"${version}"`,
        updateTemplateDto: { subject: change.subject, document: change.document as never },
      }).unwrap(),
  };
}

/** An uploaded picture, with the path at which this page shows it. */
export type StoredPicture = FileDto & { path: string };

export function usePictures() {
  const { data, error, isFetching, refetch } = client.useListFilesQuery(PICTURE_FILTER);
  const pictures = useMemo(
    () => data?.rows.map((file): StoredPicture => ({ ...file, path: new URL(file.url!).pathname })),
    [data],
  );
  return { pictures, error, isFetching, refetch };
}

export type FileLink = FileLinkDto;

export function useFileActions() {
  const [remove] = client.useDeleteFileMutation();
  const [rename] = client.useRenameFileMutation();
  const [replace] = client.useReplaceFileMutation();
  const [changeLink] = client.useChangeFileLinkMutation();
  return {
    remove: (id: string) => remove({ id }).unwrap(),
    rename: (id: string, name: string) => rename({ id, renameFileDto: { name } }).unwrap(),
    /**
     * @param fileId id of the uploaded file whose bytes replace the old ones. That file no longer exists afterwards.
     */
    replace: (id: string, fileId: string) => replace({ id, replaceFileDto: { fileId } }).unwrap(),
    extend: (id: string, expiresInDays: LinkDays) => changeLink({ id, changeFileLinkDto: { expiresInDays } }).unwrap(),
    stop: (id: string) => changeLink({ id, changeFileLinkDto: { revoked: true } }).unwrap(),
  };
}
