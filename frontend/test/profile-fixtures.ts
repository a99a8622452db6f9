import type { ProfileDetailDto } from '../src/api/endpoints.gen';
import { fakeApi, page, someone } from './fake-api';
import { renderApp } from './render';

/** A contact as returned by the API. */
export const profile = (over: Partial<ProfileDetailDto> = {}): ProfileDetailDto => ({
  id: 'p1',
  email: 'priya@acme.example',
  firstName: 'Priya',
  lastName: 'Patel',
  company: 'Acme Staffing',
  companyDomain: 'acme.example',
  jobTitle: 'Vendor Manager',
  phone: null,
  phoneE164: null,
  city: null,
  region: null,
  country: null,
  timeZone: null,
  skills: [],
  tags: [7],
  fields: {},
  listIds: ['l1'],
  consent: 'mailable',
  lastMailedAt: '2026-11-20T09:30:00.000Z',
  createdAt: '2026-01-05T09:30:00.000Z',
  lists: [],
  leftAt: null,
  interests: null,
  doNotSend: null,
  ...over,
});

/** Default answers for the screens of contacts. */
const usual = {
  'GET /api/auth/user': someone(),
  'GET /api/email-lists': page([{ id: 'l1', name: 'Java vendors', isDefault: false }]),
  'GET /api/contact-tags': [{ id: 7, name: 'Prime vendor', colour: null }],
  'GET /api/contact-fields': [
    { id: 'f1', key: 'visa', label: 'Visa status', type: 'choice', options: ['H1B', 'GC'], position: 1 },
    { id: 'f2', key: 'rate', label: 'Rate', type: 'number', options: [], position: 2 },
  ],
  'GET /api/contact-columns': { columns: ['company', 'tags', 'consent'] },
  'GET /api/contacts/preparation': { preparing: false, done: 0, total: 0 },
  'GET /api/segments': page([]),
  'GET /api/contacts/p1': profile(),
  'GET /api/contacts/p1/timeline': page([]),
};

/**
 * Opens a screen of contacts.
 * @returns the screen and the calls that it makes
 */
export function openContacts(path: string, answers: Record<string, unknown> = {}) {
  const calls = fakeApi({ ...usual, 'GET /api/contacts': page([profile()]), ...answers });
  return { calls, ...renderApp(path) };
}
