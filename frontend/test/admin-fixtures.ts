import { fakeApi, page, someone } from './fake-api';
import { renderApp } from './render';

export const numbers = {
  users: 3,
  pendingUsers: 1,
  suspendedUsers: 0,
  waitingImports: 0,
  reportedFiles: 0,
  filesScanned: true,
  flaggedUsers: 1,
  today: { sends: 2, senders: 1, recipients: 1240, sent: 1200, failed: 4, skipped: 1, bounced: 9, complained: 1 },
};

export const pending = {
  user: {
    id: 'p1',
    firstName: 'Lee',
    lastName: 'Ito',
    role: 'recruiter',
    tier: 'free',
    createdAt: '2026-01-05T12:00:00Z',
  },
  credential: { email: 'lee@agency.example' },
};

export const user = {
  id: 'u2',
  email: 'sam@agency.example',
  firstName: 'Sam',
  lastName: 'Vogt',
  agencyName: null,
  profileImageUrl: null,
  role: 'recruiter',
  tier: 'free',
  customDailyLimit: null,
  isAdmin: false,
  isVerified: true,
  referralCreditsMonths: '0',
  timeZone: 'UTC',
  createdAt: '2026-01-05T12:00:00Z',
  suspended: false,
  suspendedAt: null,
  flag: 'watch',
  emailsSentToday: 1,
};

export const rates = { mails: 2000, bounced: 5, complained: 3, bounceRate: 0.0025, complaintRate: 0.0015 };

export const detail = {
  ...user,
  plan: { plan: 'free', source: 'none', until: null, subscriptionStatus: null, dailyLimit: 1, remainingToday: 0 },
  totalLists: 2,
  totalContacts: 412,
  devices: [],
  reputation: { userId: 'u2', flag: 'watch', last7Days: { ...rates, mails: 0 }, last30Days: rates },
};

export const contact = {
  id: 'c1',
  email: 'maya@vendor.example',
  name: null,
  subscriptionType: 'job-posts',
  confirmed: false,
  suppressed: null,
  createdAt: '2025-01-05T12:00:00Z',
  emailListId: 'l1',
  listName: 'Java vendors',
  ownerEmail: 'sam@agency.example',
};

export const batch = {
  id: 'b1',
  listId: 'l1',
  listName: 'Clients',
  attestation: 'Signed contract',
  total: 990,
  sample: [{ email: 'a@v.example', name: null }],
  isComplete: true,
  state: 'waiting',
  createdAt: '2026-01-05T12:00:00Z',
  decidedAt: null,
  owner: {
    id: 'u2',
    email: 'sam@agency.example',
    name: 'Sam Vogt',
    agencyName: 'Vogt',
    memberSince: '2025-01-05T12:00:00Z',
    suspended: false,
    confirmedImports: 1,
    declinedImports: 0,
  },
};

export const suppression = {
  id: 's1',
  email: 'gone@v.example',
  cause: 'bounced',
  scope: 'all',
  ownerEmail: null,
  createdAt: '2026-01-05T12:00:00Z',
  expiresAt: null,
};

export const providerRate = {
  account: 'smtp',
  provider: 'google',
  rateNow: 12.4,
  perSecond: 20,
  refusedLastHour: 3,
  waiting: 1200,
  expectedEnd: '2026-01-05T13:00:00Z',
  pausedUntil: null,
  lastAnswer: '421 4.7.28 slow down',
};

export const provider = {
  id: 'm1',
  name: 'backup',
  apiKeyRef: 'SMTP_PASSWORD_BACKUP',
  isConfigured: true,
  config: { host: 'smtp.example.com', port: 587 },
  isDefault: false,
  isActive: true,
  state: 'failing',
  lastOkAt: null,
  lastErrorAt: '2026-01-05T12:00:00Z',
  lastError: '535 no',
  heldUntil: null,
};

export const secrets = [
  { name: 'SMTP_PASSWORD_BACKUP', isAddress: false },
  { name: 'SMTP_URL_RELAY', isAddress: true },
];

export function open(path: string, answers: Record<string, unknown> = {}, me = someone({ isAdmin: true })) {
  const calls = fakeApi({
    'GET /api/auth/user': me,
    'GET /api/admin/overview': numbers,
    'GET /api/admin/pending-users': page([pending]),
    'GET /api/admin/users': page([user]),
    'GET /api/admin/users/u2': detail,
    'GET /api/admin/sends': page([]),
    'GET /api/admin/audit': page([]),
    'GET /api/admin/subscriptions': page([contact]),
    'GET /api/admin/imports': page([batch]),
    'GET /api/admin/lists': [],
    'GET /api/admin/suppressions': page([suppression]),
    'GET /api/admin/providers': [provider],
    'GET /api/admin/provider-rates': [providerRate],
    'GET /api/admin/provider-secrets': secrets,
    'GET /api/admin/senders': page([]),
    ...answers,
  });
  return { calls, ...renderApp(path) };
}
