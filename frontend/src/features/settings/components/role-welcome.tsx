import { useState } from 'react';
import { roles } from '../../../lib/roles';
import { useCurrentUser } from '../api';
import { messages } from '../messages';
import { hasSelectedRole } from '../role-flag';
import { RoleDialog } from './role-dialog';

/** Asks every recruiter once on this browser (decisions.md D39): the role they have is only the default. */
export function RoleWelcome() {
  const user = useCurrentUser();
  const [answered, setAnswered] = useState(() => hasSelectedRole(user.id));
  const isUnset = (user.role ?? roles[0]) === roles[0];
  return <RoleDialog title={messages.welcome} open={isUnset && !answered} onClose={() => setAnswered(true)} />;
}
