import { client } from '../../api/client';
import type { ReferralInviteDto, ReferralStatsDto } from '../../api/endpoints.gen';
import type { PageArgs } from '../../ui/grid/use-server-grid';

export type Invite = ReferralInviteDto;
export type ReferralStats = ReferralStatsDto;

export const useReferrals = () => client.useGetReferralsQuery();
export const useReferralCode = () => client.useGetReferralCodeQuery();
export const useInvites = (args: PageArgs) => client.useListInvitesQuery(args);

export function useSendInvite() {
  const [send] = client.useSendInviteMutation();
  return (inviteeEmail: string) => send({ inviteDto: { inviteeEmail } }).unwrap();
}

export function useInviteOptOut() {
  const [optOut, state] = client.useOptOutOfInvitesMutation();
  return [(token: string) => optOut({ optOutDto: { token } }).unwrap(), state] as const;
}
