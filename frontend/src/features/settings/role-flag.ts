import { storage } from '../../lib/storage';

const key = (userId: string) => `role_selected_${userId}`;

/** Whether this browser has seen the person choose a role, or close the question (product.md section 3). */
export const hasSelectedRole = (userId: string) => storage.read(key(userId), (value) => value === true) ?? false;

export const markRoleSelected = (userId: string) => storage.write(key(userId), true);
