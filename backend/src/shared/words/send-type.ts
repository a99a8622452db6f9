import type { Role } from './role.js';

/** What one press of Send Email carries. */
export const SEND_TYPES = ['job-post', 'candidate-list'] as const;
export type SendType = (typeof SEND_TYPES)[number];

/** The send type that a role may send; admins may send both (decisions.md D8). */
export const SEND_TYPE_OF_ROLE: Record<Role, SendType> = {
  recruiter: 'job-post',
  'bench-sales': 'candidate-list',
};
