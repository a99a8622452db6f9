import { client } from '../../../api/client';
import type {
  ConfirmationStatusDto,
  ContactDto,
  EmailListDetailDto,
  ImportDto,
  ListDayDto,
} from '../../../api/endpoints.gen';

export type Contact = ContactDto;
export type ContactList = EmailListDetailDto;
export type ConfirmationStatus = ConfirmationStatusDto;
export type ListDay = ListDayDto;
export type ImportJob = ImportDto;

/** Defined here because the generated call takes typed lines only; a file is uploaded as a form. */
const files = client.injectEndpoints({
  endpoints: (build) => ({
    importContactFile: build.mutation<{ id: string }, { id: string; file: File; attestation?: string }>({
      query: ({ id, file, attestation }) => {
        const body = new FormData();
        body.set('file', file);
        if (attestation) body.set('attestation', attestation);
        return { url: `/api/email-lists/${encodeURIComponent(id)}/subscribers/import`, method: 'POST', body };
      },
      invalidatesTags: (_result, error) => (error ? [] : ['RunningTasks']),
    }),
  }),
});

/** The list that is shared with all users; for admins. */
export function useDefaultList() {
  const found = client.useFindListsQuery({});
  const id = found.data?.find((list) => list.isDefault)?.id;
  const list = client.useGetEmailListQuery({ id: id ?? '' }, { skip: !id });
  return {
    list: list.data,
    error: found.error ?? list.error,
    isFetching: found.isFetching || list.isFetching,
    refetch: () => (id ? list.refetch() : found.refetch()),
  };
}

/** Starts an import of typed lines or of a file. @returns the job's id */
export function useStartImport(id: string) {
  const [importLines] = client.useImportContactsMutation();
  const [importFile] = files.useImportContactFileMutation();
  return async (source: { lines: string[] } | { file: File }, attestation?: string) => {
    const started = await ('file' in source
      ? importFile({ id, file: source.file, attestation }).unwrap()
      : importLines({ id, importContactsDto: { lines: source.lines, attestation } }).unwrap());
    return started.id;
  };
}

export const rejectedRowsUrl = (id: string, jobId: string) =>
  `/api/email-lists/${encodeURIComponent(id)}/subscribers/import/${encodeURIComponent(jobId)}/rejected.csv`;

export const exportUrl = (id: string) => `/api/email-lists/${encodeURIComponent(id)}/subscribers/export`;
