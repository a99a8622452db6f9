import { client } from './client';
import type { CurrentUserDto } from './endpoints.gen';

export type CurrentUser = CurrentUserDto;

/** Who is signed in: undefined while unknown, null when nobody is. */
export function useSession() {
  const { data, error, isLoading, isFetching, refetch } = client.useGetCurrentUserQuery();
  return { user: data as CurrentUser | null | undefined, error, isLoading, isFetching, refetch };
}

/** The signed-in person, for screens behind the guard. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (!user) throw new Error('useCurrentUser is for signed-in screens');
  return user;
}
