import { page } from './fake-api';

// Default answers for whole screens, for tests that do not focus on them.

const noStats = {
  emailsSentToday: 0,
  totalLists: 0,
  activeLists: 0,
  totalContacts: 0,
  tier: 'free',
  recentActivity: [],
};

/** The dashboard of a new account. */
export const dashboardAnswers = { 'GET /api/dashboard/stats': noStats };

/** A sender profile that was never saved. */
export const noSenderProfile = {
  version: 0,
  title: null,
  phone: null,
  website: null,
  profileUrl: null,
  addressLine1: null,
  addressLine2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  signature: null,
  footer: null,
  logoFileId: null,
  accent: null,
  showLogo: false,
  address: null,
  addressRequired: false,
};

const senderAnswers = {
  'GET /api/sender-profile': noSenderProfile,
  'POST /api/sender-profile/preview': { html: '<html><head></head><body><p>Sample</p></body></html>', text: 'Sample' },
  'GET /api/files': [],
};

export const settingsAnswers = {
  ...senderAnswers,
  ...dashboardAnswers,
  'GET /api/auth/sessions': [],
  'GET /api/auth/audit': page([]),
  'GET /api/contact-fields': [],
  'GET /api/contact-tags': [],
  'GET /api/notification-settings': { summaryHour: 8, timeZone: 'UTC', mailIsOff: false, kinds: [] },
  'GET /api/stripe/subscription-status': { hasSubscription: false, referralCreditsMonths: '0', subscription: null },
};

export const referralsAnswers = {
  'GET /api/referrals': {
    stats: { totalInvites: 0, pendingInvites: 0, acceptedInvites: 0, signupConversions: 0, paidConversions: 0 },
    invites: [],
  },
  'GET /api/referrals/code': { code: 'abc', referralUrl: 'http://localhost/invite/abc' },
  'GET /api/referrals/invites': page([]),
};

/** A free account that uses 48 MB of 200 MB. */
export const fileSpace = {
  usedBytes: 48 * 1024 * 1024,
  limitBytes: 200 * 1024 * 1024,
  fileBytes: 10 * 1024 * 1024,
  attachmentBytes: 2 * 1024 * 1024,
  attachmentBudgetBytes: 1000 * 1024 * 1024,
};

/** The answers for an empty wizard and an empty Library. */
export const writingAnswers = {
  'GET /api/sender-profile': noSenderProfile,
  'GET /api/drafts': page([]),
  'GET /api/email-templates': page([]),
  'GET /api/files': [],
  'GET /api/files/space': fileSpace,
  'GET /api/merge-tags': [],
};
