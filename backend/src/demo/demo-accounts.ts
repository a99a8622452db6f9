import type { EntityManager } from '@mikro-orm/postgresql';
import { AuthCredential, mintReferralCode, User } from '../modules/auth/index.js';
import { newId } from '../shared/database/queries/columns.js';
import { rows } from '../shared/database/queries/rows.js';
import type { Role } from '../shared/enums.js';
import { DEMO_EMAIL } from './demo-content.js';

const DAY_MS = 86_400_000;
/** Days since the demo account registered. */
export const ACCOUNT_AGE_DAYS = 60;

interface Person {
  email: string;
  firstName: string;
  lastName: string;
  agencyName: string | null;
  role: Role;
  /** Days since registration. */
  days: number;
  more?: Partial<User>;
  isUnverified?: boolean;
}

const COLLEAGUES: Person[] = [
  {
    email: 'marcus.hale@brightbench.example',
    firstName: 'Marcus',
    lastName: 'Hale',
    agencyName: 'Brightbench Consulting',
    role: 'bench-sales',
    days: 41,
  },
  {
    email: 'irene.osei@brightbench.example',
    firstName: 'Irene',
    lastName: 'Osei',
    agencyName: 'Brightbench Consulting',
    role: 'recruiter',
    days: 33,
  },
  {
    email: 'leo.tran@harborline.example',
    firstName: 'Leo',
    lastName: 'Tran',
    agencyName: 'Harborline Staffing',
    role: 'recruiter',
    days: 12,
  },
];

const OTHERS: Person[] = [
  {
    email: 'wanda.price@talentworks.example',
    firstName: 'Wanda',
    lastName: 'Price',
    agencyName: 'Talentworks',
    role: 'recruiter',
    days: 57,
    more: { customDailyLimit: '5' },
  },
  {
    email: 'sanjay.menon@nexthire.example',
    firstName: 'Sanjay',
    lastName: 'Menon',
    agencyName: 'Nexthire',
    role: 'bench-sales',
    days: 50,
  },
  {
    email: 'olga.petrov@codebridge.example',
    firstName: 'Olga',
    lastName: 'Petrov',
    agencyName: 'Codebridge',
    role: 'recruiter',
    days: 28,
  },
  {
    email: 'quick.leads@bulkoffers.example',
    firstName: 'Max',
    lastName: 'Quick',
    agencyName: null,
    role: 'recruiter',
    days: 20,
    more: { suspendedAt: daysAgo(18) },
  },
  {
    email: 'fatima.noor@stackpeople.example',
    firstName: 'Fatima',
    lastName: 'Noor',
    agencyName: 'Stackpeople',
    role: 'bench-sales',
    days: 6,
    isUnverified: true,
  },
];

/** Addresses of all demo accounts. */
export const DEMO_ADDRESSES = [DEMO_EMAIL, ...[...COLLEAGUES, ...OTHERS].map(({ email }) => email)];

export interface DemoAccounts {
  /** Id of the demo account. */
  demo: string;
  /** Ids of the accounts that the demo account referred, oldest first. */
  colleagues: string[];
}

/**
 * Creates the demo account and eight others.
 * @param passwordHash hash for the demo account; nobody can sign in to the others
 */
export async function seedAccounts(em: EntityManager, passwordHash: string): Promise<DemoAccounts> {
  const demo = await seedAccount(
    em,
    {
      email: DEMO_EMAIL,
      firstName: 'Dana',
      lastName: 'Reyes',
      agencyName: 'Brightbench Consulting',
      role: 'bench-sales',
      days: ACCOUNT_AGE_DAYS,
      more: { isAdmin: true, timeZone: 'America/New_York' },
    },
    passwordHash,
  );
  const colleagues: string[] = [];
  // Replaces the end of the hash, so that no password matches.
  const tagAt = passwordHash.lastIndexOf('$') + 1;
  const closed = passwordHash.slice(0, tagAt) + [...passwordHash.slice(tagAt)].reverse().join('');
  for (const person of COLLEAGUES) colleagues.push(await seedAccount(em, person, closed));
  for (const person of OTHERS) await seedAccount(em, person, closed);
  await seedTrail(em, demo);
  return { demo, colleagues };
}

async function seedAccount(
  em: EntityManager,
  { days, more, isUnverified = false, ...person }: Person,
  passwordHash: string,
): Promise<string> {
  const id = newId();
  const createdAt = daysAgo(days);
  await em.insert(User, {
    id,
    emailNorm: person.email,
    referralCode: mintReferralCode(),
    createdAt,
    ...person,
    ...more,
  });
  await em.insert(AuthCredential, {
    userId: id,
    email: person.email,
    passwordHash,
    isVerified: !isUnverified,
    verifiedAt: isUnverified ? null : new Date(createdAt.getTime() + 6 * 60_000),
    createdAt,
  });
  return id;
}

/** Creates audit events and signed-in devices of the demo account. */
async function seedTrail(em: EntityManager, userId: string): Promise<void> {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
  await rows(
    em,
    `insert into audit_events (kind, user_id, actor_id, ip_address, user_agent, at)
     select kind, ?::uuid, ?::uuid, ip, case when device = 'phone' then ? else ? end, now() - make_interval(hours => hours)
     from (values ('account.registered', '198.51.100.24', 'desk', 1440), ('account.verified', '198.51.100.24', 'desk', 1439), ('session.opened', '198.51.100.24', 'desk', 1439),
       ('profile.changed', '198.51.100.24', 'desk', 1400), ('session.refused', '203.0.113.77', 'desk', 612), ('session.opened', '198.51.100.24', 'phone', 340), ('password.changed', '198.51.100.24', 'desk', 338),
       ('session.opened', '198.51.100.24', 'desk', 52)) as e(kind, ip, device, hours)`,
    [userId, userId, phone, firefox],
  );
  await rows(
    em,
    `insert into auth_sessions (user_id, session_token, expires_at, ip_address, user_agent, created_at, last_seen_at)
     select ?::uuid, encode(sha256(gen_random_uuid()::text::bytea), 'hex'), now() + interval '20 days', '198.51.100.24', agent, now() - make_interval(hours => hours), now() - make_interval(hours => hours / 4)
     from (values (?, 340), (?, 52)) as d(agent, hours)`,
    [userId, phone, firefox],
  );
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}
