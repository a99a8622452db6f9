import { describe, expect, it } from '@jest/globals';
import { AttestedImports } from '../../../src/modules/lists/admin/attested-imports.service.js';
import {
  app,
  admin,
  ann,
  address,
  query,
  listOf,
  add,
  confirm,
  acts,
  recipients,
  defaultList,
} from './contacts-support.js';
import { until } from '../../kit/until.js';

/** Repeats `look` until its value is as expected. */
async function read<T>(look: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  let value: T;
  await until(async () => isDone((value = await look())));
  return value!;
}

describe('the Subscriptions tab', () => {
  it('shows every contact of every list, filtered by search, list and state', async () => {
    const list = await listOf(ann, 'Cobol vendors');
    const contact = await add(ann, list);
    await add(admin, defaultList);
    const { body, headers } = await admin.agent.get('/api/admin/subscriptions?limit=2').expect(200);
    expect(headers['x-total-count']).toBe('2');
    expect(
      body.map(({ listName, ownerEmail }: { listName: string; ownerEmail: string | null }) => [listName, ownerEmail]),
    ).toEqual([
      ['Entire network', null],
      ['Cobol vendors', ann.email],
    ]);
    expect(body[1]).toEqual({
      id: contact.id,
      email: contact.email,
      name: null,
      subscriptionType: 'job-posts',
      confirmed: false,
      suppressed: null,
      createdAt: expect.any(String),
      emailListId: list,
      listName: 'Cobol vendors',
      ownerEmail: ann.email,
    });
    const found = async (search: string) =>
      (await admin.agent.get(`/api/admin/subscriptions?${search}`).expect(200)).body.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found(`search=${contact.email.slice(1, 9).toUpperCase()}`)).toEqual([contact.id]);
    expect(await found(`emailListId=${list}&confirmed=false`)).toEqual([contact.id]);
    expect(await found('confirmed=true&limit=5')).toEqual([]);
    expect((await admin.agent.get('/api/admin/lists?search=cobol').expect(200)).body).toEqual([
      { id: list, name: 'Cobol vendors', contactCount: 1, isDefault: false, ownerEmail: ann.email },
    ]);
  });

  it('confirms and unconfirms with evidence and actor; a link mailed before an unconfirmation no longer confirms', async () => {
    const list = await listOf(ann);
    const contact = await add(ann, list);
    const token = /token=([\w-]{43})/.exec((await app.mails.waitFor(contact.email))[0]!.text)![1]!;
    expect((await confirm(contact.id, { confirmed: true, reason: 'By phone' }).expect(200)).body).toMatchObject({
      id: contact.id,
      confirmed: true,
      listName: 'Java vendors',
    });
    await confirm(contact.id).expect(200);
    expect(await recipients(ann, [list])).toEqual([contact.email]);
    const [row] = await query<{ consent: object }>('select consent from subscriptions where id = ?', [contact.id]);
    expect(row!.consent).toEqual({ at: expect.any(String), how: 'admin', actor: admin.id });
    expect((await confirm(contact.id, { confirmed: false }).expect(200)).body.confirmed).toBe(false);
    expect(await recipients(ann, [list])).toEqual([]);
    await app.http().get(`/api/subscribe/confirm/${token}`).set('Accept', 'application/json').expect(404);
    const events = await query<{ kind: string; how: string; details: { actorId?: string } }>(
      'select kind, how, details from consent_events where contact_id = ? order by created_at',
      [contact.id],
    );
    expect(events.map(({ kind, how, details }) => [kind, how, details?.actorId])).toEqual([
      ['requested', 'owner', undefined],
      ['confirmed', 'admin', admin.id],
      ['unconfirmed', 'admin', admin.id],
    ]);
    expect((await acts('contact.confirmed'))[0]).toMatchObject({
      actorEmail: admin.email,
      userEmail: ann.email,
      reason: `${contact.email} on "Java vendors": By phone`,
    });
    expect(await acts('contact.unconfirmed')).toHaveLength(1);
  });

  it('accepts only true and false, and mails no suppressed person', async () => {
    const list = await listOf(ann);
    const contact = await add(ann, list);
    for (const confirmed of ['false', 1, null, undefined]) await confirm(contact.id, { confirmed }).expect(400);
    await confirm('0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10').expect(404);
    await admin.agent.post('/api/admin/suppressions').send({ email: contact.email }).expect(201);
    await confirm(contact.id).expect(200);
    expect(await recipients(ann, [list])).toEqual([]);
  });
});

describe('attested imports', () => {
  async function batch(user = ann, count = 3): Promise<{ id: string; list: string; emails: string[] }> {
    const list = await listOf(user, 'Clients');
    const emails = Array.from({ length: count }, address);
    const { body } = await user.agent
      .post(`/api/email-lists/${list}/subscribers/import`)
      .send({ lines: emails, attestation: 'Clients since 2024, signed contract' })
      .expect(202);
    await read(
      () => user.agent.get(`/api/email-lists/${list}/subscribers/import/${body.id}`),
      ({ body: { status } }) => status === 'done',
    );
    return { id: body.id, list, emails };
  }

  it('wait with text, sample and owner, and are confirmed as a whole, with evidence', async () => {
    const { id, list, emails } = await batch();
    const { body } = await admin.agent.get('/api/admin/imports?state=waiting&limit=1').expect(200);
    expect(body[0]).toEqual({
      id,
      listId: list,
      listName: 'Clients',
      attestation: 'Clients since 2024, signed contract',
      total: 3,
      isComplete: true,
      state: 'waiting',
      createdAt: expect.any(String),
      decidedAt: null,
      sample: expect.arrayContaining(emails.map((email) => ({ email, name: null }))),
      owner: {
        id: ann.id,
        email: ann.email,
        name: 'Ann Kumar',
        agencyName: null,
        memberSince: expect.any(String),
        suspended: false,
        confirmedImports: 0,
        declinedImports: 0,
      },
    });
    const answers = await Promise.all(
      [1, 2].map(() =>
        admin.agent.post(`/api/admin/imports/${id}/confirm`).send({ reason: 'Contract seen' }).expect(200),
      ),
    );
    expect(answers.map((answer) => answer.body)).toEqual([{ confirmed: 3 }, { confirmed: 3 }]);
    expect((await admin.agent.post(`/api/admin/imports/${id}/decline`).expect(409)).body.code).toBe('already_decided');
    expect(
      await read(
        () => recipients(ann, [list]),
        (found) => found.length === 3,
      ),
    ).toEqual([...emails].sort());
    const evidence = await query<{ consent: object; introduction_due: boolean }>(
      'select consent, introduction_due from subscriptions where import_id = ?',
      [id],
    );
    expect(evidence[0]).toEqual({
      consent: { at: expect.any(String), how: 'attestation', actor: admin.id, form: 'import' },
      introduction_due: true,
    });
    const events = await query<{ details: object }>(
      `select details from consent_events where email_list_id = ? and kind = 'attested'`,
      [list],
    );
    expect(events).toHaveLength(3);
    expect(events[0]!.details).toMatchObject({
      attestation: 'Clients since 2024, signed contract',
      actorId: admin.id,
      importId: id,
    });
    expect(await acts('import.confirmed')).toMatchObject([
      { reason: '3 contacts on "Clients": Contract seen', userEmail: ann.email, actorEmail: admin.email },
    ]);
    for (const email of emails) expect(app.mails.to(email)).toHaveLength(0);
  });

  it('are declined, which sends the confirmation mails', async () => {
    const { id, emails } = await batch();
    expect(
      (await admin.agent.post(`/api/admin/imports/${id}/decline`).send({ reason: 'No proof' }).expect(200)).body,
    ).toEqual({ declined: 3 });
    for (const email of emails) await app.mails.waitFor(email);
    expect((await admin.agent.get('/api/admin/imports?state=declined').expect(200)).body[0]).toMatchObject({
      id,
      state: 'declined',
      owner: { declinedImports: 1 },
    });
  });

  it('apply also to a removed contact that Undo restores later', async () => {
    const { id, list } = await batch();
    const contacts = `/api/email-lists/${list}/subscribers`;
    const [contact] = (await ann.agent.get(contacts).expect(200)).body as { id: string }[];
    await ann.agent.delete(`${contacts}/${contact!.id}`).expect(204);
    expect(
      (await admin.agent.post(`/api/admin/imports/${id}/confirm`).send({ reason: 'Contract seen' }).expect(200)).body,
    ).toEqual({ confirmed: 2 });
    await ann.agent.post(`${contacts}/${contact!.id}/restore`).expect(200);
    await app.get(AttestedImports).carryOutPart(id);
    expect(await query('select confirmed, opt_in_state from subscriptions where import_id = ?', [id])).toEqual(
      Array(3).fill({ confirmed: true, opt_in_state: 'none' }),
    );
    await app.get(AttestedImports).carryOutPart(id);
    expect(await query('select carried_out_at is not null as ended from contact_imports where id = ?', [id])).toEqual([
      { ended: true },
    ]);
  });

  it('are completed by another worker after a crash', async () => {
    const { id, list, emails } = await batch();
    await query(
      `update contact_imports set attestation_state = 'confirmed', decided_at = now(), decided_by = ? where id = ?`,
      [admin.id, id],
    );
    expect(
      await read(
        () => recipients(ann, [list]),
        (found) => found.length === 3,
      ),
    ).toEqual([...emails].sort());
    const [row] = await read(
      () =>
        query<{ done: boolean }>('select carried_out_at is not null as done from contact_imports where id = ?', [id]),
      ([found]) => found!.done,
    );
    expect(row!.done).toBe(true);
  });
});

describe('the default list', () => {
  it('is changed by admins only, with audit entries', async () => {
    await ann.agent.get(`/api/email-lists/${defaultList}/subscribers`).expect(404);
    const contact = await add(admin, defaultList);
    await admin.agent
      .patch(`/api/email-lists/${defaultList}/subscribers/${contact.id}`)
      .send({ name: 'Sam' })
      .expect(200);
    await admin.agent.delete(`/api/email-lists/${defaultList}/subscribers/${contact.id}`).expect(204);
    const { body } = await admin.agent
      .post(`/api/email-lists/${defaultList}/subscribers/import`)
      .send({ lines: [address()] })
      .expect(202);
    await read(
      () => admin.agent.get(`/api/email-lists/${defaultList}/subscribers/import/${body.id}`),
      ({ body: { status } }) => status === 'done',
    );
    await admin.agent.patch(`/api/email-lists/${defaultList}`).send({ description: 'Everybody' }).expect(200);
    expect((await admin.agent.get(`/api/email-lists/${defaultList}`).expect(200)).body.description).toBe('Everybody');
    await admin.agent.delete(`/api/email-lists/${defaultList}`).expect(403);
    const lines = (await admin.agent.get(`/api/admin/audit?actorId=${admin.id}&limit=5`).expect(200)).body;
    expect(lines.map(({ kind, reason }: { kind: string; reason: string }) => [kind, reason])).toEqual([
      ['network.changed', 'description'],
      ['network.imported', expect.stringContaining('bytes')],
      ['network.contact_removed', contact.email],
      ['network.contact_changed', contact.email],
      ['network.contact_added', contact.email],
    ]);
  });
});
