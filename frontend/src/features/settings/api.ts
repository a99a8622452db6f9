import { client } from '../../api/client';
import type { Role } from '../../lib/roles';

export { useCurrentUser } from '../../api/session';

export function useChangeRole() {
  const [change] = client.useChangeRoleMutation();
  return (role: Role) => change({ changeRoleDto: { role } }).unwrap();
}
