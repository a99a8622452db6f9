import { expect } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { changeOf as of, type OpenStream, openStream } from '../../kit/event-stream.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';

export type Follower = Awaited<ReturnType<ReturnType<typeof streamHelpers>['follow']>>;

/** @param here returns the current app; read again in each call of a helper */
export function streamHelpers(here: () => TestApp) {
  const tokenOf = async (user: SignedUp) =>
    (await here().http().post('/api/auth/token').send({ email: user.email, password: PASSWORD }).expect(200)).body
      .accessToken as string;
  async function follow(options: Parameters<TestApp['user']>[0] = {}, on: TestApp = here()) {
    const user = await here().user({ set: { tier: 'pro' }, ...options });
    const token = await tokenOf(user);
    const stream = await openStream(`${on.url}/api/events`, { Authorization: `Bearer ${token}` });
    expect(stream.status).toBe(200);
    return { user, token, stream };
  }
  /** Waits until both instances have received the changes committed so far. */
  async function heard(stream: OpenStream, user: SignedUp): Promise<void> {
    const before = stream.events.length;
    const id = crypto.randomUUID();
    await rows(here().em(), `select pg_notify('account_changes', ?)`, [`${user.id} import ${id}`]);
    await stream.next((event) => stream.events.indexOf(event) >= before && of('import', id)(event));
  }
  return { tokenOf, follow, heard };
}
