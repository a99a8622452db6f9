import { randomBytes } from 'node:crypto';
import request from 'supertest';
import { rows } from '../../src/shared/database/queries/rows.js';
import type { Role } from '../../src/shared/enums.js';
import type { TestApp } from './app.js';

export const PASSWORD = 'correct horse battery';

export interface SignUpOptions {
  role?: Role;
  /** True by default. */
  verified?: boolean;
  admin?: boolean;
  /** Columns of the user's row that registration does not set. */
  set?: { tier?: string; custom_daily_limit?: string; agency_name?: string; time_zone?: string };
  email?: string;
  firstName?: string;
  lastName?: string;
}

export interface SignedUp {
  id: string;
  email: string;
  /** A supertest agent that holds the session's cookies. */
  agent: ReturnType<typeof request.agent>;
}

/** Registers through the API like a browser, then sets what otherwise needs time or an admin. */
export async function signUp(
  app: TestApp,
  { role = 'recruiter', verified = true, admin = false, set = {}, ...names }: SignUpOptions,
): Promise<SignedUp> {
  const email = names.email ?? `u${randomBytes(5).toString('hex')}@sender.test`;
  const agent = request.agent(app.url);
  const body = {
    email,
    password: PASSWORD,
    firstName: names.firstName ?? 'Ann',
    lastName: names.lastName ?? 'Kumar',
    role,
  };
  const { body: answer } = await agent.post('/api/auth/register').send(body).expect(201);
  const id = answer.user.id as string;
  const em = app.em();
  if (verified)
    await rows(em, `update auth_credentials set is_verified = true, verified_at = now() where user_id = ?`, [id]);
  if (admin) await rows(em, `update users set is_admin = true where id = ?`, [id]);
  // The column `tier` is only a cache. An account is Pro while something grants it that plan.
  if (set.tier === 'pro') await rows(em, `update users set plan_access_until = '2100-01-01' where id = ?`, [id]);
  for (const [column, value] of Object.entries(set))
    await rows(em, `update users set ${column} = ? where id = ?`, [value, id]);
  return { id, email, agent };
}
