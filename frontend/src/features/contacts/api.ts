import { useCallback } from 'react';
import { client } from '../../api/client';
import type { ConfirmationStatusDto, ContactDto, EmailListDetailDto, ImportDto, UpdateContactDto } from '../../api/endpoints.gen';
import type { ContactType } from '../../lib/roles';
import type { PageArgs } from '../../ui/grid/use-server-grid';

export type Contact = ContactDto;
export type ContactList = EmailListDetailDto;
export type ConfirmationStatus = ConfirmationStatusDto;
export type ImportJob = ImportDto;
export type ContactStatus = 'confirmed' | 'pending' | 'unsubscribed';
export { useCurrentUser } from '../../api/session';

/** A file goes up as it is, in parts; the generated call takes lines. */
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

export const useList = (id: string) => client.useGetEmailListQuery({ id });

/** The list that is shared with all users; for admins. */
export function useDefaultList() {
  const found = client.useFindListsQuery({});
  const id = found.data?.find((list) => list.isDefault)?.id;
  const list = client.useGetEmailListQuery({ id: id ?? '' }, { skip: !id });
  return { list: list.data, error: found.error ?? list.error, isFetching: found.isFetching || list.isFetching, refetch: () => (id ? list.refetch() : found.refetch()) };
}

export const useContacts = (id: string, args: PageArgs, status?: ContactStatus) =>
  client.useListContactsQuery({ id, ...args, ...(status && { status }) });

export function useAddContact(id: string) {
  const [add] = client.useAddContactMutation();
  return (contact: { email: string; name?: string; subscriptionType: ContactType }) => add({ id, addContactDto: contact }).unwrap();
}

export function useUpdateContact(id: string) {
  const [update] = client.useUpdateContactMutation();
  return (contactId: string, change: UpdateContactDto) => update({ id, contactId, updateContactDto: change }).unwrap();
}

export function useDeleteContact(id: string) {
  const [remove, { isLoading }] = client.useDeleteContactMutation();
  return [(contactId: string) => remove({ id, contactId }).unwrap(), isLoading] as const;
}

export function useResendConfirmation(id: string) {
  const [resend] = client.useResendConfirmationMutation();
  return useCallback((contactId: string) => resend({ id, contactId }).unwrap(), [resend, id]);
}

/** Starts an import of typed lines or of a file; answers with the job to follow. */
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

/** An import as it stands; the server says when it has moved on. */
export function useImport(id: string, jobId: string) {
  const query = client.useGetImportQuery({ id, jobId });
  return { ...query, isOver: query.data?.status === 'done' || query.data?.status === 'failed' };
}

export const rejectedRowsUrl = (id: string, jobId: string) =>
  `/api/email-lists/${encodeURIComponent(id)}/subscribers/import/${encodeURIComponent(jobId)}/rejected.csv`;

export const exportUrl = (id: string) => `/api/email-lists/${encodeURIComponent(id)}/subscribers/export`;
