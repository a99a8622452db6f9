import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { ChoiceResolver } from '../../../src/modules/delivery/index.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import { seedList, settled } from '../sending/support.js';
import { accepted, app, deliveries, post, prepare, preview, PRO, segment, sql } from './support.js';
import { WAIT_LIMIT_MS } from '../../kit/until.js';

const companyIs = (domain: string) => ({ field: 'companyDomain', operator: 'is', value: domain });
async function world() {
  const user = await app.user(PRO);
  const list = await seedList(app, user, { addresses: ['a@acme.example', 'b@acme.example', 'c@other.example'] });
  const bench = await seedList(app, user, { addresses: ['b@acme.example', 'd@acme.example'], name: 'Bench' });
  await sql(`update subscriptions set confirmed = false where email_list_id = ? and email_norm = 'd@acme.example'`, [
    bench.id,
  ]);
  await prepare(user);
  return { user, list, bench, acme: await segment(user, 'Acme', companyIs('acme.example')) };
}

describe('a send to a segment', () => {
  it('reaches its members who confirmed on any own list, once, and no network member', async () => {
    const { user, acme } = await world();
    await seedList(app, null, { addresses: ['d@acme.example', 'n@acme.example'] });
    const counted = await preview(user, [], { segmentIds: [acme] });
    expect(counted).toMatchObject({ recipientCount: '2', excluded: { pending: 1, duplicates: 1 } });
    const { id, recipientCount } = await accepted(user, [], { segmentIds: [acme] });
    expect(recipientCount).toBe('2');
    const entry = await settled(user, id);
    expect(await deliveries(user, id)).toEqual(['a@acme.example', 'b@acme.example']);
    expect(entry).toMatchObject({ lists: [], audience: { segments: [{ id: acme, name: 'Acme' }] } });
    const [used] = await sql<{ at: Date | null }>(`select last_used_at as at from segments where id = ?`, [acme]);
    expect(used?.at).not.toBeNull();
  });

  it('goes to lists and segments together, and excludes members of a segment whatever list they are on', async () => {
    const { user, list, acme } = await world();
    const both = await accepted(user, list, { segmentIds: [acme] });
    expect(await deliveries(user, both.id)).toEqual(['a@acme.example', 'b@acme.example', 'c@other.example']);
    const without = await accepted(user, list, { excludeSegmentIds: [acme] });
    expect(await deliveries(user, without.id)).toEqual(['c@other.example']);
    const { body: out } = await user.agent.get(`/api/email-history/${without.id}/left-out?limit=9`).expect(200);
    expect(out).toMatchObject([
      {
        email: 'a@acme.example',
        reason: 'excludedSegment',
        detail: 'In the segment "Acme", which this send leaves out',
      },
      { email: 'b@acme.example', reason: 'excludedSegment' },
    ]);
  });

  it('uses only the connection of its transaction to resolve the audience', async () => {
    const { user, acme, list } = await world();
    const other = await segment(user, 'Other', companyIs('other.example'));
    await user.agent.post('/api/do-not-send').send({ value: 'rule.example', reason: 'other' }).expect(201);
    const choice = {
      listIds: [list.id],
      segmentIds: [acme, other],
      excludeListIds: [],
      excludeSegmentIds: [other],
      excludeAddresses: [],
      perCompany: null,
      names: {},
    };
    const of = { ownerId: user.id, contactType: 'job-posts' as const };
    await inTransaction(app.em(), async (em) => {
      // Any query on another connection has to wait for these locks.
      await rows(
        em,
        'lock table users, contact_preparations, segments, profile_fields, contact_tags, email_lists, companies, do_not_send_rules in access exclusive mode',
      );
      const resolved = app.get(ChoiceResolver).resolve(em, choice, of);
      // eslint-disable-next-line staffcast/no-bare-wait -- the losing side of a race: nothing may wait
      const waited = pause(WAIT_LIMIT_MS, 'waits for another connection', { ref: false });
      expect(await Promise.race([resolved, waited])).toMatchObject({
        rules: [{ value: 'rule.example' }],
        pool: { segments: [expect.anything(), expect.anything()] },
      });
    });
  });

  it('of people who were not mailed reaches nobody twice, also with two concurrent sends', async () => {
    const { user } = await world();
    const unmailed = await segment(user, 'Not this week', { field: 'mailed', operator: 'notLastDays', value: 7 });
    const answers = await Promise.all([1, 2].map(() => post(user, [], { segmentIds: [unmailed] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 400]);
    expect(answers.find(({ status }) => status === 400)!.body.code).toBe('no_recipients');
  });

  it("is refused where the segment is another account's, deleted or broken; the send of a draft gets 409", async () => {
    const { user, list, acme } = await world();
    const other = await world();
    const press = (extra: object) => post(user, list, extra);
    await press({ segmentIds: [other.acme] }).expect(404);
    await press({ excludeSegmentIds: ['nonsense'] }).expect(404);
    await press({ segmentIds: Array.from({ length: 101 }, () => acme) }).expect(400);
    const { body: draft } = await user.agent
      .post('/api/drafts')
      .send({ segmentIds: [acme], subject: 'Hi' })
      .expect(201);
    expect(draft.segmentIds).toEqual([acme]);
    const { id: sentId } = await accepted(user, list, { segmentIds: [acme] });
    await settled(user, sentId);
    await user.agent.delete(`/api/segments/${acme}`).expect(204);
    const { body: refused } = await press({ segmentIds: [acme], draftId: draft.id }).expect(409);
    expect(refused.code).toBe('segment_broken');
    const { body: copy } = await user.agent.post('/api/drafts').send({ fromSendId: sentId }).expect(201);
    expect(copy).toMatchObject({ segmentIds: [], goneSegments: ['Acme'], emailListIds: [list.id] });
  });

  it("may filter by a company's kind and by do-not-send rules", async () => {
    const { user, list } = await world();
    await user.agent.patch('/api/companies/acme.example').send({ kind: 'vendor' }).expect(200);
    await user.agent.post('/api/do-not-send').send({ value: 'b@acme.example', reason: 'other' }).expect(201);
    const count = async (...rules: object[]) =>
      (
        await user.agent
          .post('/api/segments/count')
          .send({ filter: { combinator: 'and', rules } })
          .expect(200)
      ).body.count as number;
    expect(await count({ field: 'companyKind', operator: 'isOneOf', value: ['vendor'] })).toBe(3);
    expect(await count({ field: 'companyKind', operator: 'isNoneOf', value: ['vendor', 'other'] })).toBe(1);
    expect(await count({ field: 'doNotSend', operator: 'covers' })).toBe(1);
    await user.agent.post('/api/do-not-send').send({ value: 'mail.other.example', reason: 'other' }).expect(201);
    expect(await count({ field: 'doNotSend', operator: 'coversNot' })).toBe(3);
    await user.agent.post('/api/do-not-send').send({ value: 'acme.example', reason: 'other' }).expect(201);
    expect(await count({ field: 'doNotSend', operator: 'covers' })).toBe(3);
    const { id } = await accepted(user, list, {});
    expect(await deliveries(user, id)).toEqual(['c@other.example']);
  });
});
