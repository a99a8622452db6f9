import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

let app: TestApp;
beforeAll(async () => {
  // No worker runs, so that none of the recorded sends goes out.
  app = await startApp({ env: { ROLE: 'web' } });
});
afterAll(() => app.close());

type State = 'moving' | 'paused' | 'ended';

/** Records sends in this state that began these numbers of minutes ago. */
async function record(user: SignedUp, state: State, minutesAgo: readonly number[]): Promise<void> {
  for (const minutes of minutesAgo)
    await rows(
      app.em(),
      `insert into email_history (id, user_id, subject, content, email_type, recipient_count, status, sent_at, settled_at, paused_at, usage_date, content_hash, sender_name, reply_to)
       values (?, ?, ?, 'x', 'job-post', 1, ?, now() - make_interval(mins => ?::int), ${state === 'ended' ? 'now()' : 'null'},
               ${state === 'paused' ? 'now()' : 'null'}, current_date, 'hash', 'Ann', 'ann@sender.test')`,
      [randomUUID(), user.id, `${state} ${minutes}`, state === 'ended' ? 'sent' : 'pending', minutes],
    );
}

const minutes = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

async function listed(user: SignedUp): Promise<string[]> {
  const { body } = await user.agent.get('/api/running-tasks').expect(200);
  return (body.sends as { subject: string }[]).map(({ subject }) => subject);
}

describe('running tasks', () => {
  it.each(['ended', 'paused'] as const)(
    'hold a moving send older than more newer %s ones than are listed',
    async (state) => {
      const user = await app.user();
      await record(user, 'moving', [90]);
      await record(user, state, minutes(25));
      const subjects = await listed(user);
      expect(subjects).toContain('moving 90');
      expect(subjects).toHaveLength(20);
    },
  );

  it('lists paused sends before ended ones, and within each kind the newest', async () => {
    const user = await app.user();
    await record(user, 'paused', [80]);
    await record(user, 'ended', minutes(25));
    const subjects = await listed(user);
    expect(subjects).toContain('paused 80');
    expect(subjects[0]).toBe('ended 1');
    expect(subjects).not.toContain('ended 25');
  });
});
