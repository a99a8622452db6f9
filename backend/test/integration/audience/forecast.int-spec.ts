import { describe, expect, it } from '@jest/globals';
import { mailboxHashSql } from '../../../src/modules/auth/index.js';
import type { ForecastDto } from '../../../src/modules/sending/check/check.dto.js';
import { randomOf } from '../../faults/kit/random.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, sendBody, type SeededList, settled } from '../sending/support.js';
import { accepted, app, deliveries, leftOut, prepare, preview, PRO, segment, sql } from './support.js';

const forecastOf = async (user: SignedUp, lists: SeededList[], extra: object = {}): Promise<ForecastDto> => {
  const body = sendBody(lists, { ...extra });
  return (await user.agent.post('/api/send-email/check').send(body).expect(200)).body.forecast as ForecastDto;
};
const countsOf = (names: readonly string[]): Record<string, number> =>
  names.reduce<Record<string, number>>((counts, name) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 }), {});
const sumOf = (counts: Record<string, number>, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
const reasonsOf = ({ reasons }: ForecastDto): Record<string, number> =>
  Object.fromEntries(reasons.map(({ code, count }) => [code, count]));
/** Reasons of suppressions, by the person or by the person's mail server. */
const SUPPRESSED = ['unsubscribed', 'bounced', 'complained'];
const suppress = (owner: SignedUp, reason: string, address: string) =>
  sql(
    `insert into suppressions (scope, owner_id, reason, address_hash, address_norm) values ('owner', ?, ?, sha256(?::bytea), ?)`,
    [owner.id, reason, address, address],
  );

describe('the forecast of a world that stands still', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('is what becomes of each address of own lists, in random world %i', async (seed) => {
    const random = randomOf(seed);
    const isSo = (share: number) => random() < share;
    const user = await app.user(PRO);
    const all = Array.from({ length: 60 }, (_one, n) => `p${n}@c${Math.floor(random() * 5)}-${seed}.example`);
    const some = (share: number) => all.filter(() => isSo(share));
    const first = some(0.8);
    const second = all.filter((address) => !first.includes(address) || isSo(0.4));
    const lists = [
      await seedList(app, user, { addresses: first }),
      await seedList(app, user, { addresses: second, name: 'Second' }),
    ];
    const clients = await seedList(app, user, { addresses: some(0.1), name: 'Clients' });
    const set = (column: string, addresses: readonly string[]) =>
      sql(`update subscriptions set ${column} where email_list_id = ? and email_norm = any (?::text[])`, [
        lists[0]!.id,
        `{${addresses.join(',')}}`,
      ]);
    await set('confirmed = false', some(0.15));
    await set(`subscription_type = 'candidate-lists'`, some(0.1));
    for (const address of some(0.2)) await suppress(user, SUPPRESSED[Math.floor(random() * 3)]!, address);
    // Some addresses are also suppressed for all mail. They must be counted once.
    for (const address of some(0.2))
      await sql(
        `insert into suppressions (scope, reason, address_hash, address_norm) values ('all', 'complained', sha256(?::bytea), ?)`,
        [address, address],
      );
    await prepare(user);
    // From seed 6 on there are no rules, no excluded segments or addresses and no cap, so that the product counts in
    // another way.
    const isPlain = seed >= 6;
    for (const value of isPlain ? [] : some(0.05))
      await user.agent.post('/api/do-not-send').send({ value, reason: 'other' }).expect(201);
    const companyDomain = { field: 'companyDomain', operator: 'is', value: `c1-${seed}.example` };
    const choice = {
      ...(seed < 7 && { excludeListIds: [clients.id] }),
      ...(!isPlain && {
        excludeSegmentIds: [await segment(user, 'First company', companyDomain)],
        excludeAddresses: some(0.05),
      }),
      ...(!isPlain && seed % 2 === 0 && { perCompany: { max: 6 } }),
    };

    const forecast = await forecastOf(user, lists, choice);
    const found = reasonsOf(forecast);
    expect(forecast.total).toBe(60);
    expect(sumOf(found, Object.keys(found)) + forecast.reaches).toBe(forecast.total);
    // Skipped for plain lists (seed 7), because their preview counts memberships and not addresses.
    if (seed < 7) {
      const { excluded } = await preview(user, lists, choice);
      expect(sumOf(found, SUPPRESSED)).toBe(excluded.suppressed);
      expect([found.pending ?? 0, found.otherType ?? 0]).toEqual([excluded.pending, excluded.otherType]);
    }

    const { id } = await accepted(user, lists, choice);
    await settled(user, id);
    expect(await deliveries(user, id)).toHaveLength(forecast.reaches);
    const { unsubscribed: _u, bounced: _b, complained: _c, pending: _p, otherType: _o, ...decided } = found;
    expect(countsOf((await leftOut(user, id)).map(({ reason }) => reason))).toEqual(decided);
  });

  it("knows who of the network has no place left today, or had mail from the sender's mailbox", async () => {
    const user = await app.user(PRO);
    const name = (n: number) => `n${n}@net-forecast.example`;
    const network = await seedList(app, null, { addresses: Array.from({ length: 9 }, (_one, n) => name(n)) });
    const own = await seedList(app, user, { addresses: [name(0), 'own@net-forecast.example'] });
    const hold = (address: string, slots: number, mailbox: string) =>
      sql(
        `insert into network_mails (address_hash, day, slot, delivery_id, sender_id, sender_mailbox)
         select sha256(?::bytea), (now() at time zone 'utc')::date, s, gen_random_uuid(), gen_random_uuid(), ${mailbox} from generate_series(1, ?::int) s`,
        [address, ...(mailbox === 'null' ? [] : [user.id]), slots],
      );
    const cap = app.settings.networkDailyCap;
    // The first of these addresses is also on the sender's own list, so it gets the email anyway.
    for (const n of [0, 1, 2]) await hold(name(n), cap, 'null');
    await hold(name(3), cap - 1, 'null');
    await hold(name(4), 1, mailboxHashSql('?::uuid'));
    await sql(`update subscriptions set confirmed = false where email_list_id = ? and email_norm = ?`, [
      network.id,
      name(5),
    ]);

    const forecast = await forecastOf(user, [own, network]);
    expect(reasonsOf(forecast)).toEqual({ networkCap: 3, pending: 1 });
    expect([forecast.total, forecast.reaches]).toEqual([10, 6]);
    const { id } = await accepted(user, [own, network]);
    const { counts } = await settled(user, id);
    expect(counts).toMatchObject({ sent: 6, skipped: 3 });
  });
});
