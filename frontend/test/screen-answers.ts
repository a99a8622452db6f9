import { page } from './fake-api';

// What whole screens ask for, for tests that only pass through them or look at a part of them.

const noStats = {
  emailsSentToday: 0,
  totalLists: 0,
  activeLists: 0,
  totalContacts: 0,
  tier: 'free',
  recentActivity: [],
};

/** A new account's dashboard. */
export const dashboardAnswers = { 'GET /api/dashboard/stats': noStats };

/** Nothing was saved yet. */
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

/** 48 MB of the 200 MB of a free account. */
export const fileSpace = {
  usedBytes: 48 * 1024 * 1024,
  limitBytes: 200 * 1024 * 1024,
  fileBytes: 10 * 1024 * 1024,
  attachmentBytes: 2 * 1024 * 1024,
  attachmentBudgetBytes: 1000 * 1024 * 1024,
};

/** An empty wizard and Library. */
export const writingAnswers = {
  'GET /api/sender-profile': noSenderProfile,
  'GET /api/drafts': page([]),
  'GET /api/email-templates': page([]),
  'GET /api/files': [],
  'GET /api/files/space': fileSpace,
  'GET /api/merge-tags': [],
};
