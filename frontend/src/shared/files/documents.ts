import { shallowEqual, useSelector, useStore } from 'react-redux';
import { isApiError } from '../../api/api-error';
import { sessionEnded, shownUserId } from '../../api/base-api';
import { client } from '../../api/client';
import type { StoredFile } from '../../api/stored-file';
import type { PageArgs } from '../../ui/grid/use-server-grid';
import { sizeText } from './file-texts';
import { uploadDocument, type UploadedDocument, type UploadProgress } from './upload-document';

export type { StoredFile };

/** Maximum number of files of one email. */
export const MAX_FILES = 10;

/** The user's documents, newest first. */
export const useDocuments = (args: PageArgs) =>
  client.useListFilesQuery({ ...args, kind: 'document' }, { refetchOnMountOrArgChange: true });

/** The space that the account's files use, and its limits, in bytes. */
export const useFileSpace = () => client.useGetFileSpaceQuery();

/**
 * Why a file is refused before the upload, as text; the server checks the content.
 * @param maxBytes limit of one file; undefined while it is unknown
 */
export function refusalOf({ name, size }: File, maxBytes: number | undefined): string | null {
  if (size === 0) return `${name} is empty`;
  return maxBytes !== undefined && size > maxBytes ? `A file has at most ${sizeText(maxBytes)}` : null;
}

/** Returns a function that uploads a document and then refreshes all lists of files. @throws as `uploadDocument` */
export function useUploadDocument(): (file: File, progress: UploadProgress) => Promise<UploadedDocument> {
  const { dispatch, getState } = useStore();
  return async (file, progress) => {
    try {
      const uploaded = await uploadDocument(file, progress, shownUserId(getState()));
      dispatch(client.util.invalidateTags(['Files']));
      return uploaded;
    } catch (error) {
      if (isApiError(error) && error.status === 401) dispatch(sessionEnded());
      throw error;
    }
  };
}

export type DocumentState = StoredFile['state'] | 'deleted' | 'failed' | 'loading';

/** The current state of one document. Changes, such as the end of its scan, arrive by the event stream. */
export function useDocument(id: string) {
  const { currentData, error, isFetching, refetch } = client.useGetFileQuery(
    { id },
    { refetchOnMountOrArgChange: true },
  );
  const isGone = isApiError(error) && error.status === 404;
  const file = isGone ? undefined : currentData;
  const state: DocumentState = isGone ? 'deleted' : (file?.state ?? (error ? 'failed' : 'loading'));
  return { file, state, isFetching, refetch };
}

/** The documents among these that `useDocument` has loaded for the screen, by id. */
export function useKnownDocuments(ids: readonly string[]): Map<string, StoredFile> {
  const found = useSelector(
    (state) =>
      ids.map((id) => {
        const { data, isError } = client.endpoints.getFile.select({ id })(state as never);
        return isError ? undefined : data;
      }),
    shallowEqual,
  );
  return new Map(found.flatMap((file) => (file ? [[file.id, file] as const] : [])));
}
