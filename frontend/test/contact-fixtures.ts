import { fakeApi, page, someone } from './fake-api';
import { renderApp } from './render';

export const list = {
  id: 'l1',
  name: 'Java vendors',
  slug: 'java-x1',
  description: null,
  agencyName: null,
  agencyLogo: null,
  ownerName: null,
  contactCount: 1,
  isDefault: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  confirmations: { waiting: 0, hold: null, dailyBudget: 50, sentIn24Hours: 0, continuesAt: null },
};

export const contact = {
  id: 'c1',
  email: 'maya@vendor.example',
  name: 'Maya',
  subscriptionType: 'job-posts',
  confirmed: false,
  suppressed: null,
  createdAt: '2025-01-05T12:00:00Z',
};

export const figures = {
  confirmed: 380,
  pending: 28,
  bounced: 4,
  days: Array.from({ length: 56 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10),
    contacts: 300 + 2 * index,
    added: 3,
    unsubscribed: 1,
  })),
};

export const SUBSCRIBERS_PATH = '/api/email-lists/l1/subscribers';

export function open(answers: Record<string, unknown> = {}, user = someone()) {
  const calls = fakeApi({
    'GET /api/auth/user': user,
    'GET /api/email-lists/l1': list,
    [`GET ${SUBSCRIBERS_PATH}`]: page([contact]),
    'GET /api/email-lists/l1/figures': figures,
    ...answers,
  });
  return { calls, ...renderApp('/lists/l1') };
}
