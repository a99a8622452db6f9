import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RecheckedContact } from '../../../src/modules/lists/index.js';
import { RecipientCheck } from '../../../src/modules/delivery/batches/recipient-check.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { type TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let admin: SignedUp;

beforeAll(async () => {
  // Two messages a second, so that the send takes a while.
  app = await startSending({}, { env: { SEND_RATE: '2' } });
  admin = await app.user({ admin: true });
});
afterAll(() => app.close());

it("a suspended sender's queued mail stops, and the log gives the reason", async () => {
  const ann = await app.user();
  const list = await seedList(app, ann, { count: 60 });
  const id = await send(ann, list);
  const sentToPeople = () => app.mails.all.some((mail) => mail.to.some((address) => address.endsWith('@people.test')));
  await until(sentToPeople);
  await admin.agent.patch(`/api/admin/users/${ann.id}`).send({ suspended: true, reason: 'Spam' }).expect(200);
  await admin.agent.patch(`/api/admin/users/${ann.id}`).send({ customDailyLimit: 0 }).expect(200);
  await ann.agent.get('/api/auth/user').expect(401);
  await ann.agent.post('/api/send-email').send({}).expect(401);
  await app.http().post('/api/auth/login').send({ email: ann.email, password: PASSWORD }).expect(403);
  await until(async () => {
    const [row] = await rows<{ status: string }>(app.em(), 'select status from email_history where id = ?', [id]);
    return row!.status !== 'pending';
  });
  await admin.agent.patch(`/api/admin/users/${ann.id}`).send({ suspended: false }).expect(200);
  await ann.agent.post('/api/auth/login').send({ email: ann.email, password: PASSWORD }).expect(200);
  const { counts } = await settled(ann, id);
  expect(counts.skipped).toBeGreaterThan(20);
  expect(counts.sent! + counts.skipped!).toBe(60);
  const { body } = await ann.agent.get(`/api/email-history/${id}/deliveries?status=skipped&limit=1`).expect(200);
  expect(body[0].detail).toContain('The account of the sender is suspended');
  const shown = (await admin.agent.get(`/api/admin/sends?userId=${ann.id}`).expect(200)).body;
  expect(shown).toMatchObject([{ id, senderEmail: ann.email, recipientCount: '60', sent: counts.sent }]);
  const overview = (await admin.agent.get('/api/admin/overview').expect(200)).body;
  expect(overview).toMatchObject({
    users: 2,
    pendingUsers: 0,
    today: { sends: 1, senders: 1, recipients: 60, skipped: counts.skipped },
  });
});

it('a suspension stops mail from the next message on, a reinstatement resumes it', async () => {
  const bob = await app.user();
  const list = await seedList(app, bob, { count: 1 });
  const [contact] = await rows<{ id: string }>(app.em(), 'select id from subscriptions where email_list_id = ?', [
    list.id,
  ]);
  const claim = { id: '00000000-0000-4000-8000-000000000000', contactId: contact!.id };
  const answer = async () => {
    const asked = { id: claim.id, userId: bob.id, acceptedAt: new Date(), contactType: 'job-posts' as const };
    const { sql, params } = app.get(RecipientCheck).questionSql(asked, `'${claim.contactId}'`);
    const { mailable, skipped } = await app
      .get(RecipientCheck)
      .judge(asked, [claim], await rows<RecheckedContact>(app.em(), sql, params));
    return mailable.has(claim.contactId) || skipped.get(claim.contactId);
  };
  const suspend = (suspended: boolean) =>
    admin.agent.patch(`/api/admin/users/${bob.id}`).send({ suspended, reason: 'Spam' }).expect(200);
  expect(await answer()).toBe(true);
  await suspend(true);
  expect(await answer()).toBe('The account of the sender is suspended');
  await suspend(false);
  expect(await answer()).toBe(true);
});
