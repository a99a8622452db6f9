/** The two roles, and which sends each may write. */
export const roles = ['recruiter', 'bench-sales'] as const;
export type Role = (typeof roles)[number];

export const sendTypes = ['job-post', 'candidate-list'] as const;
export type SendType = (typeof sendTypes)[number];

/** Recruiter, Bench Sales or Not Set. */
export function roleLabel(role: string | null | undefined): string {
  if (role === 'recruiter') return 'Recruiter';
  return role === 'bench-sales' ? 'Bench Sales' : 'Not Set';
}

export const sendTypeLabel: Record<SendType, string> = { 'job-post': 'Job Post', 'candidate-list': 'Candidate List' };

/** The types that a role may send; an admin may send both. */
export const mayTypes = (role: string | null, isAdmin: boolean): readonly SendType[] =>
  isAdmin ? sendTypes : role === 'bench-sales' ? ['candidate-list'] : ['job-post'];
