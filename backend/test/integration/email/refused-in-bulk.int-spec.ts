import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JUDGING_LOCK, SuppressionPolicy } from '../../../src/modules/bounces/suppression-policy.service.js';
import { RefusalJudging } from '../../../src/modules/bounces/refusal-judging.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList, send, settled, startSending } from '../sending/support.js';
import { suppressionsOf } from './support.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let sink: SmtpSink;
beforeAll(async () => {
  sink = new SmtpSink();
  app = await startSending({ sweepMs: 3_600_000 }, { env: { SMTP_URL: await sink.listen() } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const unlimited = { set: { tier: 'pro' } };

/** Inserts refusals in the form in which a send records them, one for each address. */
async function refused(
  user: SignedUp,
  sendId: string,
  list: SeededList,
  { code = '5.1.1', kind = 'hard-address', daysAgo = 0 } = {},
): Promise<void> {
  await rows(
    app.em(),
    `insert into bounce_reports (mail_kind, mail_id, report_key, user_id, history_id, address_hash, class, code, created_at)
     select 'delivery', gen_random_uuid(), 'smtp', ?, ?, email_hash, ?, ?, now() - make_interval(days => ?::int) from subscriptions where email_list_id = ?`,
    [user.id, sendId, kind, code, daysAgo, list.id],
  );
}
const bounced = async (list: SeededList): Promise<number> =>
  (
    await rows<{ n: number }>(
      app.em(),
      `select count(*)::int as n from subscriptions c join suppressions s on s.address_hash = c.email_hash and s.scope = 'all' and s.reason = 'bounced' where c.email_list_id = ? and c.suppressed = 'bounced'`,
      [list.id],
    )
  )[0]!.n;

describe('many refused recipients', () => {
  it('delay neither a cancel nor the send', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 20_000 });
    sink.modes.delayMs = 2_000;
    const sendId = await send(user, await seedList(app, user, { addresses: ['one@slow.test', 'two@slow.test'] }));
    await refused(user, sendId, list);
    // The lock prevents refusals from being judged while the send is cancelled.
    await app.em().transactional(async (em) => {
      await rows(em, `select pg_advisory_xact_lock(${JUDGING_LOCK})`);
      await user.agent.post(`/api/email-history/${sendId}/cancel`).expect(200);
    });
    await settled(user, sendId);
    expect(await bounced(list)).toBe(20_000);
    const [state] = await rows<{ contacts: number }>(
      app.em(),
      `select contact_count as contacts from email_lists where id = ?`,
      [list.id],
    );
    expect(state).toEqual({ contacts: 20_000 });
    sink.modes.delayMs = 0;
  });

  it('suppress dead addresses while the send is running', async () => {
    const user = await app.user(unlimited);
    sink.modes.delayMs = 1_000;
    const sendId = await send(
      user,
      await seedList(app, user, {
        addresses: ['p550-dead@x.test', ...Array.from({ length: 60 }, (_, i) => `ok-${i}@x${i}.test`)],
      }),
    );
    const open = async (): Promise<boolean> =>
      (await rows(app.em(), `select 1 from bounce_reports where history_id = ? and applied_at is null`, [sendId]))
        .length > 0;
    await until(open);
    await app.get(RefusalJudging).round();
    expect(await suppressionsOf(app, 'p550-dead@x.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
    expect((await user.agent.get(`/api/email-history/${sendId}`).expect(200)).body.status).toBe('pending');
    sink.modes.delayMs = 0;
    await settled(user, sendId);
  });

  it('have the same effect in a batch as individually', async () => {
    const user = await app.user(unlimited);
    const sends: string[] = [];
    for (const subject of ['a', 'b', 'c'])
      sends.push(
        await send(user, await seedList(app, user, { addresses: [`ok-${subject}@judged.test`] }), { subject }),
      );
    await Promise.all(sends.map((id) => settled(user, id)));
    const lists = Object.fromEntries(
      await Promise.all(
        ['unsure', 'twice', 'policy', 'full', 'recovered', 'quick'].map(
          async (name) => [name, await seedList(app, user, { addresses: [`${name}@judged.test`], name })] as const,
        ),
      ),
    );
    await refused(user, sends[0]!, lists.unsure!, { code: '5.1.2' });
    for (const id of [sends[0]!, sends[1]!]) await refused(user, id, lists.twice!, { code: '5.1.2' });
    await refused(user, sends[0]!, lists.policy!, { kind: 'policy', code: '5.7.1' });
    for (const [at, id] of sends.entries()) {
      await refused(user, id, lists.full!, { kind: 'mailbox-soft', code: '5.2.2', daysAgo: 4 * at });
      await refused(user, id, lists.recovered!, { kind: 'mailbox-soft', code: '5.2.2', daysAgo: 4 * at });
      await refused(user, id, lists.quick!, { kind: 'mailbox-soft', code: '5.2.2', daysAgo: at });
    }
    await rows(
      app.em(),
      `update email_delivery_logs d set contact_id = c.id, sent_at = now() - interval '3 days' from subscriptions c where d.history_id = ? and c.email_list_id = ?`,
      [sends[0], lists.recovered!.id],
    );
    await Promise.all([
      app.get(SuppressionPolicy).applyOpen(5),
      app.get(SuppressionPolicy).applyOpen(5),
      app.get(SuppressionPolicy).applyOfSend(sends[1]!),
    ]);
    expect(await rows(app.em(), `select 1 from bounce_reports where applied_at is null`)).toEqual([]);
    const dead = await Promise.all(Object.entries(lists).map(async ([name, list]) => [name, await bounced(list)]));
    expect(Object.fromEntries(dead)).toEqual({ unsure: 0, twice: 1, policy: 0, full: 1, recovered: 0, quick: 0 });
  });
});
