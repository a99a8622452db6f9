import { client } from '../../api/client';
import type { AuditEventDto, ChangeSettingsDto, DeviceSessionDto } from '../../api/endpoints.gen';
import { useForgetAccount } from '../../api/session';
import type { Role } from '../../lib/roles';

export type Device = DeviceSessionDto;
export type AuditEvent = AuditEventDto;
export { useCurrentUser } from '../../api/session';

export function useChangeRole() {
  const [change] = client.useChangeRoleMutation();
  return (role: Role) => change({ changeRoleDto: { role } }).unwrap();
}

export function useChangeName() {
  const [change] = client.useChangeNameMutation();
  return (name: { firstName: string; lastName: string }) => change({ changeNameDto: name }).unwrap();
}

export function useChangeSettings() {
  const [change] = client.useChangeSettingsMutation();
  return (settings: ChangeSettingsDto) => change({ changeSettingsDto: settings }).unwrap();
}

export function useSetPicture() {
  const [set, { isLoading }] = client.useSetAvatarMutation();
  return [(picture: Blob) => set({ body: picture }).unwrap(), isLoading] as const;
}

export function useRemovePicture() {
  const [remove, { isLoading }] = client.useRemoveAvatarMutation();
  return [() => remove().unwrap(), isLoading] as const;
}

export const useDevices = () => client.useListSessionsQuery(undefined, { refetchOnMountOrArgChange: true });

export function useEndDevice() {
  const [end, { isLoading }] = client.useEndSessionMutation();
  return [(id: string) => end({ id }).unwrap(), isLoading] as const;
}

export function useEndOtherDevices() {
  const [end, { isLoading }] = client.useEndOtherSessionsMutation();
  return [() => end().unwrap(), isLoading] as const;
}

export function useChangePassword() {
  const [change] = client.useChangePasswordMutation();
  return (currentPassword: string, newPassword: string) => change({ changePasswordDto: { currentPassword, newPassword } }).unwrap();
}

/** The newest lines of the own trail; a device that was signed out elsewhere is there when the screen is opened. */
export const useTrail = (limit: number) => client.useListAuditEventsQuery({ limit }, { refetchOnMountOrArgChange: true });

/** How much goes with the account. */
export const useHoldings = (isAsked: boolean) => client.useGetDashboardStatsQuery(undefined, { skip: !isAsked });

/** Deletes the account; `forget` then drops what was loaded for it. */
export function useDeleteAccount() {
  const [remove] = client.useDeleteAccountMutation();
  const forgetAccount = useForgetAccount();
  return async (password: string) => {
    const forget = forgetAccount();
    const answer = await remove({ deleteAccountDto: { password } }).unwrap();
    return { answer, forget };
  };
}

export const EXPORT_URL = '/api/auth/export';
