import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import { csvOf, Importer } from './support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('undo of an import', () => {
  it('removes the people whom it added, except those who confirmed, are on another list or were there before', async () => {
    const user = new Importer(app, await app.user());
    const [list, other] = [await user.list(), await user.list('Others')];
    await user.user.agent.post('/api/contacts').send({ email: 'v0@vendor.example', company: 'Old' }).expect(201);
    const id = await user.upload(csvOf(5_010));
    const checked = await user.checked(id, { listId: list });
    expect(checked.report).toMatchObject({ new: 5_009, updated: 1 });
    await user.committed(id);
    await user.query(
      `update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = ? and email_norm in ('v1@vendor.example', 'v2@vendor.example')`,
      [list],
    );
    await user.user.agent
      .post(`/api/email-lists/${other}/subscribers`)
      .send({ email: 'v3@vendor.example' })
      .expect(201);
    await user.user.agent.post(`/api/imports/${id}/undo`).expect(202);
    const undone = await user.settled(id, 'undone');
    expect(undone.result).toMatchObject({
      removed: 5_006,
      takenOff: 1,
      kept: [
        { reason: 'confirmed', count: 2 },
        { reason: 'other', count: 1 },
      ],
    });
    expect(undone.undoUntil).toBeNull();
    expect(
      await user.query(`select email, company from contact_profiles where owner_id = ? order by email`, [user.user.id]),
    ).toEqual([
      { email: 'v0@vendor.example', company: 'Old' },
      { email: 'v1@vendor.example', company: 'Acme, 1' },
      { email: 'v2@vendor.example', company: 'Acme, 2' },
      { email: 'v3@vendor.example', company: 'Acme, 3' },
    ]);
    expect((await user.counts()).members).toBe(3);
    // A second undo changes nothing.
    await user.user.agent.post(`/api/imports/${id}/undo`).expect(202);
    expect((await user.counts()).people).toBe(4);
  });

  it('keeps people who were mailed, withdraws a pending attestation, and is possible for seven days', async () => {
    const user = new Importer(app, await app.user());
    const list = await user.list();
    const id = await user.upload(csvOf(3));
    await user.checked(id, { listId: list, attestation: 'Our clients since 2024' });
    await user.committed(id);
    const [waiting] = await user.query<object>(
      `select attestation, attestation_state as state from contact_imports where id = ?`,
      [id],
    );
    expect(waiting).toEqual({ attestation: 'Our clients since 2024', state: 'waiting' });
    expect(
      await user.query(`select distinct opt_in_state as state from subscriptions where import_id = ?`, [id]),
    ).toEqual([{ state: 'held' }]);
    const [member] = await user.query<{ id: string }>(
      `select id from subscriptions where import_id = ? and email_norm = 'v1@vendor.example'`,
      [id],
    );
    await user.query(
      `with sent as (insert into email_history (user_id, email_list_id, subject, content, email_type, status, recipient_count, usage_date, content_hash, sender_name, reply_to) values (?, ?, 'Hello', 'Hello', 'job-post', 'sent', 1, current_date, 'x', 'Ann', 'ann@sender.test') returning id)
       insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status, sent_at)
       select ?, id, 1, ?, ?, 'v1@vendor.example', 'Hello', 'sent', now() from sent`,
      [user.user.id, list, user.user.id, member!.id, list],
    );
    await user.user.agent.post(`/api/imports/${id}/undo`).expect(202);
    expect((await user.settled(id, 'undone')).result).toMatchObject({
      removed: 2,
      takenOff: 0,
      kept: [{ reason: 'mailed', count: 1 }],
    });
    expect(await user.query(`select attestation_state as state from contact_imports where id = ?`, [id])).toEqual([
      { state: null },
    ]);

    const late = await user.upload(csvOf(2, 'late'));
    await user.checked(late);
    await user.committed(late);
    await user.query(`update contact_imports set finished_at = now() - interval '8 days' where id = ?`, [late]);
    expect((await user.look(late)).undoUntil).toBeNull();
    expect((await user.user.agent.post(`/api/imports/${late}/undo`).expect(410)).body.code).toBe('undo_expired');
  });
});
