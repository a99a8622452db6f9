/** Who a user is in the trade. */
export const ROLES = ['recruiter', 'bench-sales'] as const;
export type Role = (typeof ROLES)[number];
