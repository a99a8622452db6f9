import { storage } from '../../lib/storage';

const roleFlagKey = (userId: string) => `role_selected_${userId}`;

/** Whether the user has chosen a role, or closed the question, in this browser. */
export const hasSelectedRole = (userId: string) =>
  storage.read(roleFlagKey(userId), (value) => value === true) ?? false;

export const markRoleSelected = (userId: string) => storage.write(roleFlagKey(userId), true);
