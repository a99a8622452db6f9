import { describe, expect, it } from '@jest/globals';
import { Suppressions } from '../../../src/modules/lists/index.js';
import { hashAddress } from '../../../src/shared/mail/address.js';
import { add, daysLater, importLines, newList, query, settled, subscribe } from './support.js';
import { app, ann, nextSerial, person, confirm, tokenOf, contactOf, member } from './asks-support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

describe('people who must not be asked again', () => {
  it.each(['all', 'complained', 'bounced'])(
    'are asked by no one (%s), and the form gives its usual answer',
    async (why) => {
      const { email, list } = await member();
      await daysLater(app, 1);
      const before = await contactOf(email, list);
      await app.em().transactional(async (em) => {
        await app.get(Suppressions).add(em, {
          scope: why === 'all' ? 'all' : 'owner',
          ownerId: why === 'all' ? null : ann.id,
          addressHash: hashAddress(email),
          addressNorm: email,
          reason: why === 'all' ? 'unsubscribed' : (why as 'bounced'),
        });
      });
      const [other, probe] = [(await newList(await app.user())).id, person()];
      for (const emailListId of [list, other, undefined]) {
        const [first, second] = [
          await subscribe(app, { email, emailListId }),
          await subscribe(app, { email, emailListId }),
        ];
        const [asked, again] = [
          await subscribe(app, { email: probe, emailListId }),
          await subscribe(app, { email: probe, emailListId }),
        ];
        expect([first.status, first.body, second.status, second.body]).toEqual([
          asked.status,
          asked.body,
          again.status,
          again.body,
        ]);
      }
      expect((await add(ann, list, email)).status).toBe(409);
      await settled(app);
      expect(app.mails.to(email)).toHaveLength(1);
      expect(await contactOf(email, list)).toMatchObject({
        confirmed: true,
        consent: before.consent,
        subscription_type: 'job-posts',
        source: before.source,
      });
    },
  );

  it('and unsubscribed from one sender are asked once in 30 days, also at an alias', async () => {
    const name = `left${nextSerial()}`;
    const { email, list, token } = await member(`${name}@asked.example`);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    await daysLater(app, 1);
    const mails = () => app.mails.all.filter(({ to }) => to[0]!.startsWith(name)).length;
    await subscribe(app, { email, emailListId: list }).expect(200);
    await app.mails.waitFor(email, 2);
    const other = (await newList(ann)).id;
    for (let day = 0; day < 3; day += 1) {
      await daysLater(app, 1);
      await subscribe(app, { email, emailListId: list }).expect(200);
      await subscribe(app, { email: `${name}+${day}@asked.example`, emailListId: other }).expect(200);
      await settled(app);
      expect(mails()).toBe(2);
    }
    await daysLater(app, 28);
    await subscribe(app, { email, emailListId: list }).expect(200);
    await app.mails.waitFor(email, 3);
    await confirm(tokenOf(app.mails.to(email)[2]!.text)).expect(200);
    expect(await contactOf(email, list)).toMatchObject({ confirmed: true, suppressed: null });
  });

  it('are asked by one owner at most twice for one list, also after removing and adding', async () => {
    const serial = nextSerial();
    const owner = await app.user({ email: `owner${serial}@own.test` });
    const name = `twice${serial}`;
    const mails = () => app.mails.all.filter(({ to }) => to[0]!.startsWith(name)).length;
    let { id: list } = await newList(owner);
    const again = async (email: string) => {
      const { body } = await add(owner, list, email).expect(201);
      await settled(app);
      await daysLater(app, 2);
      return body.id as string;
    };
    const first = await again(`${name}@asked.example`);
    expect(mails()).toBe(1);
    await owner.agent.delete(`/api/email-lists/${list}/subscribers/${first}`).expect(204);
    const second = await again(`${name}+x@asked.example`);
    expect(mails()).toBe(2);
    expect(
      (await owner.agent.post(`/api/email-lists/${list}/subscribers/${second}/resend-confirmation`).expect(409)).body
        .code,
    ).toBe('already_resent');
    await owner.agent.delete(`/api/email-lists/${list}/subscribers/${second}`).expect(204);
    await again(`${name}@asked.example`);
    await importLines(owner, list, [`${name}+y@asked.example`, `${name}+z@asked.example`]);
    await owner.agent.delete(`/api/email-lists/${list}`).expect(204);
    list = (await newList(owner)).id;
    await again(`${name}@asked.example`);
    await untilAccountSettled(app, owner);
    await query(app, `delete from users where id = ?`, [owner.id]);
    const reborn = await app.user({ email: owner.email });
    list = (await newList(reborn)).id;
    await add(reborn, list, `${name}@asked.example`).expect(201);
    await settled(app);
    expect(mails()).toBe(2);
    await subscribe(app, { email: `${name}@asked.example`, emailListId: list }).expect(200);
    await app.mails.waitFor(`${name}@asked.example`, 2);
    await settled(app);
    expect(mails()).toBe(3);
  });

  it("are asked by one owner at most three times in 30 days over all lists, and six times with requests on the owner's pages", async () => {
    const owner = await app.user();
    const name = `many${nextSerial()}`;
    const mails = () => app.mails.all.filter(({ to }) => to[0]!.startsWith(name)).length;
    const aliases = ['', '+a', '+b'];
    const ownDays: number[] = [];
    for (let day = 0; day < 7; day += 1) {
      for (const alias of aliases)
        await add(owner, (await newList(owner)).id, `${name}${alias}@asked.example`).expect(201);
      await settled(app);
      ownDays.push(mails());
      await daysLater(app, 1);
    }
    expect(ownDays).toEqual([3, 3, 3, 3, 3, 3, 3]);
    const { body: contact } = await add(owner, (await newList(owner)).id, `${name}@asked.example`).expect(201);
    const list = (
      await query<{ id: string }>(app, `select email_list_id as id from subscriptions where id = ?`, [contact.id])
    )[0]!.id;
    expect(
      (await owner.agent.post(`/api/email-lists/${list}/subscribers/${contact.id}/resend-confirmation`).expect(409))
        .body,
    ).toMatchObject({ code: 'already_resent', message: expect.stringContaining('three times in 30 days') });
    for (let day = 0; day < 7; day += 1) {
      for (const alias of aliases)
        await subscribe(app, { email: `${name}${alias}@asked.example`, emailListId: (await newList(owner)).id }).expect(
          200,
        );
      await settled(app);
      await daysLater(app, 1);
    }
    expect(mails()).toBe(6);
    // Another owner may still ask.
    await add(ann, (await newList(ann)).id, `${name}@asked.example`).expect(201);
    await settled(app);
    expect(mails()).toBe(7);
    // The three asks that were held back are sent once the earlier ones are 30 days old.
    await daysLater(app, 30);
    await settled(app);
    expect(mails()).toBe(10);
  });

  it('get at most three mails a day over all aliases', async () => {
    const [list, name] = [(await newList(ann)).id, `bomb${nextSerial()}`];
    await importLines(
      ann,
      list,
      Array.from({ length: 20 }, (_, n) => `${name}+${n}@asked.example`),
    );
    for (let n = 0; n < 20; n += 1)
      await subscribe(app, { email: `${name}+p${n}@asked.example`, emailListId: (await newList(ann)).id }).expect(200);
    await settled(app);
    expect(app.mails.all.filter(({ to }) => to[0]!.startsWith(name))).toHaveLength(3);
  });
});
