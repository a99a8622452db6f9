/** The two roles and what follows from them (product.md section 6, decisions D8 and D20). */
export const roles = ['recruiter', 'bench-sales'] as const;
export type Role = (typeof roles)[number];

export const sendTypes = ['job-post', 'candidate-list'] as const;
export type SendType = (typeof sendTypes)[number];

export const contactTypes = ['job-posts', 'candidate-lists'] as const;
export type ContactType = (typeof contactTypes)[number];

/** Recruiter, Bench Sales or Not Set. */
export function roleLabel(role: string | null | undefined): string {
  if (role === 'recruiter') return 'Recruiter';
  return role === 'bench-sales' ? 'Bench Sales' : 'Not Set';
}

export const sendTypeLabel: Record<SendType, string> = { 'job-post': 'Job Post', 'candidate-list': 'Candidate List' };

/** What this person's role lets them send; an admin both. */
export const mayTypes = (role: string | null, isAdmin: boolean): readonly SendType[] =>
  isAdmin ? sendTypes : role === 'bench-sales' ? ['candidate-list'] : ['job-post'];

/** The type a contact gets when this person adds it. */
export const contactTypeFor = (role: string | null): ContactType => (role === 'bench-sales' ? 'candidate-lists' : 'job-posts');
