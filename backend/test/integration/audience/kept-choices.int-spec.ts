import { describe, expect, it } from '@jest/globals';
import { seedList, sendBody } from '../sending/support.js';
import { app, PRO, sql } from './support.js';

describe('the audience choice of drafts and repeated sends', () => {
  it('is stored, copied from a send, and makes two sends different', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: ['a@carry.example', 'b@drop.example', 'c@drop.example'] });
    const clients = await seedList(app, user, { addresses: ['b@drop.example'], name: 'Clients' });
    const choice = {
      excludeListIds: [clients.id],
      excludeAddresses: ['c@drop.example'],
      perCompany: { max: 2, prefer: 'least_recently_mailed' },
    };
    const { body: draft } = await user.agent
      .post('/api/drafts')
      .send({ emailListIds: [list.id], subject: 'Hi', content: 'x', ...choice })
      .expect(201);
    expect(draft).toMatchObject({ ...choice, segmentIds: [], goneSegments: [] });
    expect((await user.agent.get(`/api/drafts/${draft.id}`).expect(200)).body).toMatchObject(choice);
    const body = sendBody(list, { ...choice, subject: 'Carried' });
    const { body: sent } = await user.agent
      .post('/api/send-email')
      .set('Idempotency-Key', 'one')
      .send(body)
      .expect(202);
    const { body: again } = await user.agent
      .post('/api/send-email')
      .set('Idempotency-Key', 'one')
      .send(body)
      .expect(202);
    expect(again.id).toBe(sent.id);
    await user.agent
      .post('/api/send-email')
      .set('Idempotency-Key', 'one')
      .send({ ...body, excludeAddresses: [] })
      .expect(422);
    const { body: repeat } = await user.agent.post('/api/send-email').send(body).expect(202);
    expect(repeat.id).toBe(sent.id);
    const { body: different } = await user.agent
      .post('/api/send-email')
      .send({ ...body, perCompany: null })
      .expect(202);
    expect(different.id).not.toBe(sent.id);
    await sql(`update email_lists set deleted_at = now() where id = ?`, [clients.id]).catch(() => undefined);
    const { body: copy } = await user.agent.post('/api/drafts').send({ fromSendId: sent.id }).expect(201);
    // The excluded list no longer exists. The copy keeps it and cannot be sent until it is removed. Otherwise people on
    // it might get the email unnoticed.
    expect(copy).toMatchObject({
      excludeListIds: [clients.id],
      excludeAddresses: ['c@drop.example'],
      perCompany: { max: 2 },
    });
    const without = { ...choice, subject: 'Copied' };
    await user.agent.post('/api/send-email').send(sendBody(list, without)).expect(404);
    await user.agent
      .post('/api/send-email')
      .send(sendBody(list, { ...without, excludeListIds: [] }))
      .expect(202);
    const { body: plain } = await user.agent
      .post('/api/drafts')
      .send({ emailListIds: [list.id] })
      .expect(201);
    expect(plain).toMatchObject({ excludeListIds: [], excludeAddresses: [], perCompany: null });
  });
});
