export const list = {
  id: 'l1',
  name: 'Java vendors',
  slug: 'java',
  description: '',
  agencyName: '',
  agencyLogo: null,
  ownerName: '',
  contactCount: 2,
  isDefault: false,
  createdAt: '2026-01-05T10:00:00Z',
  updatedAt: '2026-01-05T10:00:00Z',
};

export const contact = (over = {}) => ({
  id: 'c1',
  email: 'maya@vendor.example',
  name: 'Maya',
  subscriptionType: 'job-posts',
  confirmed: false,
  suppressed: null,
  createdAt: '2026-01-05T10:00:00Z',
  ...over,
});

export const counts = {
  queued: 60,
  sent: 30,
  unconfirmed: 1,
  failed: 4,
  skipped: 3,
  bounced: 2,
  complained: 0,
  unsubscribed: 5,
};
