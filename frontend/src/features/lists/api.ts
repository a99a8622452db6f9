import { client } from '../../api/client';
import type { CreateEmailListDto, EmailListDto, UpdateEmailListDto } from '../../api/endpoints.gen';
import { isApiError } from '../../api/api-error';
import type { PageArgs } from '../../ui/grid/use-server-grid';

export { useCurrentUser } from '../../api/session';

export type EmailList = EmailListDto;
export type NewEmailList = CreateEmailListDto;
export type EmailListChange = UpdateEmailListDto;

export const useLists = (args: PageArgs) => client.useListEmailListsQuery(args);

export function useCreateList() {
  const [create, { isLoading }] = client.useCreateEmailListMutation();
  return [(list: NewEmailList) => create({ createEmailListDto: list }).unwrap(), isLoading] as const;
}

export function useUpdateList() {
  const [update, { isLoading }] = client.useUpdateEmailListMutation();
  return [(id: string, change: EmailListChange) => update({ id, updateEmailListDto: change }).unwrap(), isLoading] as const;
}

export function useDeleteList() {
  const [remove, { isLoading }] = client.useDeleteEmailListMutation();
  return [(id: string) => remove({ id }).unwrap(), isLoading] as const;
}

/** A plan's limit says itself what to do; any other failure gets the fixed text. */
export const failureText = (error: unknown, fallback: string) => (isApiError(error) && error.code === 'plan_limit' ? error.message : fallback);
