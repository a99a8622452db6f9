import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BulkActions } from '../../../src/modules/contacts/bulk/bulk-actions.service.js';
import { BulkRunner } from '../../../src/modules/contacts/bulk/bulk-runner.js';
import { ProfileReader } from '../../../src/modules/contacts/profiles/profile-reader.service.js';
import { DeliveryTuning } from '../../../src/modules/delivery/delivery-tuning.js';
import { SendExpansions, SendFinalizer } from '../../../src/modules/delivery/index.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { prepareProfiles, seedList, sendBody, type SeededList, startSending } from '../sending/support.js';

const PEOPLE = 240;
/** Number of members of the segment `inside`. */
const INSIDE = 180;
let app: TestApp;

beforeAll(async () => {
  // Accepts sends but runs no worker. The tests run the workers' steps themselves.
  app = await startSending({ layOutAtOnce: 100, firstChunk: 1_000 }, { env: { ROLE: 'web' } });
});
afterAll(() => app.close());

const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);
const step = (id: string) => app.get(SendExpansions).insertNextChunk(id);
async function expanded(id: string): Promise<number> {
  let state = await step(id);
  for (; state === 'more'; state = await step(id));
  expect(state).toBe('done');
  return rowsOf(id);
}
const rowsOf = async (id: string) =>
  (await sql<{ n: number }>(`select count(*)::int as n from email_delivery_logs where history_id = ?`, [id]))[0]!.n;

const MAILED = { field: 'mailed', operator: 'atLeast', value: 1 };
const NOT_MAILED = { field: 'mailed', operator: 'notLastDays', value: 7 };
const MAILED_LATELY = { field: 'mailed', operator: 'lastDays', value: 7 };

async function world(name: string) {
  const user = await app.user({ set: { tier: 'pro' } });
  const addresses = Array.from(
    { length: PEOPLE },
    (_, i) => `${name}${i}@${i < INSIDE ? 'in.example' : 'out.example'}`,
  );
  const list = await seedList(app, user, { addresses });
  await prepareProfiles(app, user);
  return { user, list, inside: await segment(user, { field: 'companyDomain', operator: 'is', value: 'in.example' }) };
}
let serial = 0;
const segment = async (user: SignedUp, ...rules: object[]): Promise<string> =>
  (
    await user.agent
      .post('/api/segments')
      .send({ name: `Segment ${++serial}`, filter: { combinator: 'and', rules } })
      .expect(201)
  ).body.id as string;
const accepted = async (user: SignedUp, lists: SeededList[], extra: object) =>
  (
    await user.agent
      .post('/api/send-email')
      .send(sendBody(lists, { subject: `Large ${++serial}`, ...extra }))
      .expect(202)
  ).body as { id: string; recipientCount: string };
const counting = async (user: SignedUp, rule: object, not = false) =>
  (
    await user.agent
      .post('/api/segments/count')
      .send({ filter: { combinator: 'and', not, rules: [rule] } })
      .expect(200)
  ).body.count as number;
const previewed = async (user: SignedUp, lists: SeededList[], extra: object) =>
  (
    await user.agent
      .post('/api/send-email/preview')
      .send({ emailListIds: lists.map(({ id }) => id), emailType: 'job-post', ...extra })
      .expect(200)
  ).body as object;
const rendered = async (user: SignedUp, extra: object) =>
  (
    await user.agent
      .post('/api/send-email/render')
      .send({ emailListIds: [], emailType: 'job-post', subject: 'Java', content: 'Hello', ...extra })
      .expect(200)
  ).body as { recipient: { email: string } | null; next: string | null; previous: string | null };
const mailedBefore = (user: SignedUp, people: number) =>
  sql(
    `insert into contact_activity (profile_id, last_mailed_at, mailed_count) select id, now() - interval '1 day', 1 from contact_profiles where owner_id = ? order by email limit ?`,
    [user.id, people],
  );
const peopleOf = async (user: SignedUp) =>
  (await sql<{ n: number }>(`select count(*)::int as n from contact_profiles where owner_id = ?`, [user.id]))[0]!.n;

describe('a large send to a segment of people', () => {
  it('who were not mailed lately does not count itself as mail to them', async () => {
    const { user } = await world('fresh');
    await mailedBefore(user, 40);
    const { id } = await accepted(user, [], { segmentIds: [await segment(user, NOT_MAILED)] });
    expect(await expanded(id)).toBe(PEOPLE - 40);
  });

  it('who were mailed lately reaches nobody else', async () => {
    const { user } = await world('known');
    await mailedBefore(user, 120);
    const { id } = await accepted(user, [], { segmentIds: [await segment(user, MAILED_LATELY)] });
    expect(await expanded(id)).toBe(120);
  });
});

describe('while the audience of a large send is not frozen', () => {
  it('nobody counts as mailed by it or as not mailed by it', async () => {
    const { user, inside } = await world('open');
    await mailedBefore(user, 30);
    const { id } = await accepted(user, [], { segmentIds: [inside] });
    expect(await counting(user, MAILED)).toBe(30);
    expect(await counting(user, NOT_MAILED)).toBe(0);
    expect(await counting(user, NOT_MAILED, true)).toBe(30);
    expect(await counting(user, MAILED, true)).toBe(0);
    const mailed = await segment(user, MAILED);
    expect((await user.agent.get(`/api/contacts?limit=100&segment=${mailed}`).expect(200)).body).toHaveLength(30);
    expect(await expanded(id)).toBe(INSIDE);
    expect(await counting(user, NOT_MAILED)).toBe(PEOPLE - INSIDE - (await counting(user, MAILED)) + INSIDE);
  });

  it('a send that excludes mailed people also excludes everybody whom it may mail', async () => {
    const { user, list, inside } = await world('excluded');
    await accepted(user, [], { segmentIds: [inside] });
    const body = sendBody([list], { excludeSegmentIds: [await segment(user, MAILED)] });
    expect((await user.agent.post('/api/send-email').send(body).expect(400)).body.code).toBe('no_recipients');
  });

  it('a bulk change of mailed people waits, so that nobody is deleted who was not mailed', async () => {
    const { user, inside } = await world('bulk');
    const { id } = await accepted(user, [], { segmentIds: [inside] });
    const order = { action: 'delete', segmentId: await segment(user, MAILED) };
    const { jobId } = (await user.agent.post('/api/contacts/bulk').send(order).expect(202)).body;
    const runner = new BulkRunner(
      app.get(EntityManager),
      app.get(ProfileReader),
      app.get(BulkActions),
      app.get(JobQueue),
    );
    await runner.handle();
    expect(await peopleOf(user)).toBe(PEOPLE);
    const job = async () => (await user.agent.get(`/api/contacts/bulk/${jobId}`).expect(200)).body;
    expect((await job()).finishedAt).toBeNull();
    await expanded(id);
    await runner.handle();
    expect(await job()).toMatchObject({ status: 'done', done: INSIDE });
    expect(await peopleOf(user)).toBe(PEOPLE - INSIDE);
  });
});

describe('the audiences of one sender', () => {
  /**
   * Two sends, accepted one after the other: a large one to `inside`, then one to further people and to everybody who
   * was not mailed yet.
   */
  async function two(name: string) {
    const { user, inside } = await world(name);
    const more = await seedList(app, user, {
      addresses: Array.from({ length: 110 }, (_, i) => `${name}-more${i}@more.example`),
    });
    const unmailed = await segment(user, NOT_MAILED);
    const first = await accepted(user, [], { segmentIds: [inside] });
    const second = await accepted(user, [more], { segmentIds: [unmailed] });
    return { user, inside, first: first.id, second: second.id };
  }

  it('are frozen in the order of acceptance', async () => {
    const { first, second } = await two('order');
    expect(await step(second)).toBe('busy');
    expect(await expanded(first)).toBe(INSIDE);
    expect(await expanded(second)).toBe(PEOPLE - INSIDE + 110);
  });

  it('do not wait for a cancelled one, which gets no deliveries', async () => {
    const { user, inside, first, second } = await two('cancelled');
    await user.agent.post(`/api/email-history/${first}/cancel`).expect(200);
    expect(await expanded(second)).toBe(PEOPLE + 110);
    expect(await expanded(first)).toBe(0);
    await app.get(SendFinalizer).finalizeIfDone(first);
    const { body } = await user.agent.get(`/api/email-history/${first}`).expect(200);
    expect(body).toMatchObject({ stopped: 'cancelled', recipientCount: '0' });
    expect(body.status).not.toBe('pending');
    await user.agent.delete(`/api/segments/${inside}`).expect(204);
  });

  it('do not wait for one that failed', async () => {
    const { inside, first, second } = await two('failed');
    await sql(
      `update segments set filter = jsonb_set(filter, '{rules,0,field}', '"field.no_longer_there"') where id = ?`,
      [inside],
    );
    expect(await step(second)).toBe('busy');
    expect(await expanded(first)).toBe(0);
    expect(await expanded(second)).toBe(PEOPLE + 110);
  });
});

describe('an audience that cannot be frozen', () => {
  const failureOf = async (id: string) =>
    (
      await sql<{ failure: string | null; isFixed: boolean }>(
        `select failure, frozen_at is not null as "isFixed" from send_audiences where history_id = ?`,
        [id],
      )
    )[0];

  it('because the contacts are being prepared is tried again', async () => {
    const { user, inside } = await world('passing');
    const { id } = await accepted(user, [], { segmentIds: [inside] });
    await sql(`update contact_preparations set finished_at = null where owner_id = ?`, [user.id]);
    expect(await step(id)).toBe('busy');
    expect(await failureOf(id)).toEqual({ failure: null, isFixed: false });
    await sql(`update contact_preparations set finished_at = now() where owner_id = ?`, [user.id]);
    expect(await expanded(id)).toBe(INSIDE);
  });

  it('within the time limit fails the send with the reason', async () => {
    const { inside, user } = await world('slow');
    const { id } = await accepted(user, [], { segmentIds: [inside] });
    const tuning = app.get<{ freezeMs: number }>(DeliveryTuning);
    const usual = tuning.freezeMs;
    tuning.freezeMs = 200;
    try {
      await inTransaction(app.em(), async (em) => {
        await rows(em, `lock table send_left_out in share mode`);
        expect(await step(id)).toBe('more');
      });
    } finally {
      tuning.freezeMs = usual;
    }
    expect(await failureOf(id)).toEqual({ failure: expect.stringContaining('took too long'), isFixed: true });
    expect(await expanded(id)).toBe(0);
  });
});

describe('before a large send', () => {
  it('its preview is an estimate where the exact count takes too long', async () => {
    const { user, list, inside } = await world('about');
    await inTransaction(app.em(), async (em) => {
      // Only the exact count waits for this lock.
      await rows(em, `lock table suppressions in access exclusive mode`);
      expect(await previewed(user, [list], { excludeSegmentIds: [inside] })).toMatchObject({
        recipientCount: String(PEOPLE),
        isAbout: true,
      });
    });
    const exact = await previewed(user, [list], { excludeSegmentIds: [inside] });
    expect(exact).toMatchObject({ recipientCount: '60', excluded: { excludedSegment: INSIDE } });
    expect(exact).not.toHaveProperty('isAbout');
  });

  it('a preview without recipients is refused with the reasons', async () => {
    const { user, list } = await world('nobody');
    const { body } = await user.agent
      .post('/api/send-email')
      .send(sendBody([list], { excludeAddresses: ['in.example', 'out.example'] }))
      .expect(400);
    expect(body).toMatchObject({ code: 'no_recipients', details: { excludedHere: PEOPLE } });
  });

  it('the members of a segment can be paged through', async () => {
    const { user, list, inside } = await world('step');
    const first = await rendered(user, { segmentIds: [inside] });
    expect(first).toMatchObject({ recipient: { email: 'step0@in.example' }, previous: null });
    const second = await rendered(user, { segmentIds: [inside], recipient: { after: first.next } });
    expect(second).toMatchObject({ recipient: { email: 'step100@in.example' } });
    const back = await rendered(user, { segmentIds: [inside], recipient: { before: second.previous } });
    expect(back.recipient).toEqual(first.recipient);
    const last = await rendered(user, { segmentIds: [inside], recipient: { search: 'step99@' } });
    expect(last).toMatchObject({ recipient: { email: 'step99@in.example' }, next: null });
    const both = { emailListIds: [list.id], segmentIds: [inside] };
    expect((await rendered(user, { ...both, recipient: { search: 'step239@' } })).recipient).toMatchObject({
      email: 'step239@out.example',
    });
  });
});
