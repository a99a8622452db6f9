import { client } from '../../api/client';
import type {
  AddProviderDto, AdminAuditDto, AdminImportDto, AdminSenderDto, AdminUserDetailDto, AdminUserDto, ChangeProviderDto, ChangeUserDto, MailSecretDto, OverseenContactDto, OverseenListDto, OverseenSendDto, PendingUserDto, ProviderBacklogDto, ProviderConfigDto,
  ProviderDto, SuppressionDto,
} from '../../api/endpoints.gen';
import type { PageArgs } from '../../ui/grid/use-server-grid';

export type AdminUser = AdminUserDto;
export type AdminUserDetail = AdminUserDetailDto;
export type PendingUser = PendingUserDto;
export type OverseenContact = OverseenContactDto;
export type OverseenList = OverseenListDto;
export type AttestedImport = AdminImportDto;
export type ImportState = AdminImportDto['state'];
export type Suppression = SuppressionDto;
export type OverseenSend = OverseenSendDto;
export type MailSender = AdminSenderDto;
export type AuditLine = AdminAuditDto;
export type Provider = ProviderDto;
export type ProviderRate = ProviderBacklogDto;
export type ProviderConfig = ProviderConfigDto;
export type NewProvider = AddProviderDto;
export type MailSecret = MailSecretDto;
export type UserFilter = { isAdmin?: boolean; isVerified?: boolean; suspended?: boolean };
export type ContactFilter = { confirmed?: boolean; status?: 'unsubscribed'; emailListId?: string };
export { useCurrentUser } from '../../api/session';

export const usePendingUsers = (args: PageArgs) => client.useListPendingUsersQuery(args);
export const useUsers = (args: PageArgs, filter: UserFilter) => client.useListUsersQuery({ ...args, ...filter });
export const useUser = (userId: string) => client.useGetUserQuery({ userId });
export const useContactsOfAll = (args: PageArgs, filter: ContactFilter) => client.useListSubscriptionsQuery({ ...args, ...filter });
export const useFoundLists = (search: string) => client.useFindListsQuery({ search });

/** While a file is still being read its import cannot be decided; the server says when it has been. */
export const useAttestedImports = (args: PageArgs, state: ImportState) => client.useListAttestedImportsQuery({ ...args, state });

export const useSuppressions = (args: PageArgs, filter: { cause?: Suppression['cause']; scope?: Suppression['scope'] }) => client.useListSuppressionsQuery({ ...args, ...filter });
export const useSends = (args: PageArgs, filter: { userId?: string; today?: boolean; status?: OverseenSend['status'] }) => client.useListSendsQuery({ ...args, ...filter });
export const useMailSenders = (args: PageArgs, only?: 'flagged') => client.useListMailSendersQuery({ ...args, ...(only && { only }) });
export const useAudit = (args: PageArgs, filter: { userId?: string; kind?: AuditLine['kind'] }) => client.useListAllAuditEventsQuery({ ...args, ...filter });
export const useOverview = () => client.useGetOverviewQuery();
export const useProviders = () => client.useListProvidersQuery();
export const useProviderRates = () => client.useListProviderRatesQuery();
export const useMailSecrets = () => client.useListProviderSecretsQuery();

export function useVerifyUser() {
  const [verify] = client.useVerifyUserMutation();
  return (userId: string, reason?: string) => verify({ userId, reasonDto: { reason } }).unwrap();
}

export function useChangeUser() {
  const [change] = client.useChangeUserMutation();
  return (userId: string, changeUserDto: ChangeUserDto) => change({ userId, changeUserDto }).unwrap();
}

export function useConfirmContact() {
  const [confirm] = client.useConfirmContactMutation();
  return (id: string, confirmed: boolean, reason?: string) => confirm({ id, confirmContactDto: { confirmed, reason } }).unwrap();
}

/** Confirms or declines a whole import. */
export function useDecideImport() {
  const [confirm] = client.useConfirmImportMutation();
  const [decline] = client.useDeclineImportMutation();
  return (jobId: string, decision: 'confirmed' | 'declined', reason?: string) => (decision === 'confirmed' ? confirm : decline)({ jobId, reasonDto: { reason } }).unwrap();
}

export function useAddSuppression() {
  const [add] = client.useAddSuppressionMutation();
  return (body: { email: string; scope: 'all' | 'network'; cause: 'unsubscribed' | 'complained'; reason?: string }) => add({ addSuppressionDto: body }).unwrap();
}

export function useLiftSuppression() {
  const [lift] = client.useLiftSuppressionMutation();
  return (id: string, reason?: string) => lift({ id, reasonDto: { reason } }).unwrap();
}

export function useChangeProvider() {
  const [change] = client.useChangeProviderMutation();
  return (id: string, changeProviderDto: ChangeProviderDto) => change({ id, changeProviderDto }).unwrap();
}

export function useAddProvider() {
  const [add] = client.useAddProviderMutation();
  return (addProviderDto: NewProvider) => add({ addProviderDto }).unwrap();
}

export function useRemoveProvider() {
  const [remove] = client.useRemoveProviderMutation();
  return (id: string, reason?: string) => remove({ id, reasonDto: { reason } }).unwrap();
}

export function useTestProvider() {
  const [test] = client.useTestProviderMutation();
  return (id: string, to: string) => test({ id, testProviderDto: { to } }).unwrap();
}

export const QUEUES_URL = '/api/admin/queues';
