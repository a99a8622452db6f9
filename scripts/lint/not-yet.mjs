// Test files that still do what a rule refuses. They only become fewer.
export const CLOCK_IN_EXPECT = [
  'backend/test/integration/attacks/mail-accounts.int-spec.ts',
  'backend/test/integration/audience/do-not-send.int-spec.ts',
  'backend/test/integration/email/standards.int-spec.ts',
  'backend/test/integration/outreach/paths.int-spec.ts',
  'backend/test/integration/referrals/credits.int-spec.ts',
];

export const BARE_WAIT = [
  'backend/test/integration/admin/decisions-under-load.int-spec.ts',
  'backend/test/integration/attacks/paced-batches.int-spec.ts',
  'backend/test/integration/attacks/sign-in-flood.int-spec.ts',
  'backend/test/integration/audience/audience-segments.int-spec.ts',
  'backend/test/integration/audience/do-not-send.int-spec.ts',
  'backend/test/integration/auth/guessing.int-spec.ts',
  'backend/test/integration/email/bounce-burst.int-spec.ts',
  'backend/test/integration/email/server-faults.int-spec.ts',
  'backend/test/integration/email/throttling.int-spec.ts',
  'backend/test/integration/events/events.int-spec.ts',
  'backend/test/integration/limits/lost-permission.int-spec.ts',
  'backend/test/integration/lists/concurrent-unsubscribes.int-spec.ts',
  'backend/test/integration/sending/engine.int-spec.ts',
  'backend/test/integration/sending/slices.int-spec.ts',
  'frontend/e2e/all-day.journey.ts',
  'frontend/e2e/contacts/do-not-send.journey.ts',
  'frontend/src/app/layouts/use-focus-restore.test.tsx',
];
