import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, median } from '../goals/goals.js';
import { productRate, withWorker } from '../rates.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

/**
 * Domains of a hundred recipients: 40 at Gmail, 25 at Microsoft, 10 at Yahoo and Apple together, and 25 at business
 * domains, a third of which are hosted by a large provider.
 */
export const PROVIDER_MIX = [
  ...Array.from({ length: 40 }, () => 'gmail.com'),
  ...Array.from({ length: 25 }, (_, i) => ['outlook.com', 'hotmail.com', 'live.com'][i % 3]!),
  ...Array.from({ length: 10 }, (_, i) => ['yahoo.com', 'icloud.com'][i % 2]!),
  ...Array.from({ length: 8 }, (_, i) => `hosted${i}.company.bench`),
  ...Array.from({ length: 17 }, (_, i) => `own${i}.company.bench`),
];
export const HOSTED = Object.fromEntries(
  Array.from({ length: 8 }, (_, i) => [`hosted${i}.company.bench`, i % 2 ? 'microsoft' : 'google']),
);
export const PROVIDERS = {
  'gmail.com': 'google',
  'outlook.com': 'microsoft',
  'hotmail.com': 'microsoft',
  'live.com': 'microsoft',
  'yahoo.com': 'yahoo',
  'icloud.com': 'apple',
  ...HOSTED,
};
export const RATES = { google: 100, microsoft: 60, yahoo: 20, apple: 20 };

/** Stores which providers host these domains, because no DNS server has MX records for them. */
export async function knowHosted(world: World): Promise<void> {
  for (const [domain, provider] of Object.entries(HOSTED))
    await world.db.query('insert into recipient_domains (domain, provider) values ($1, $2) on conflict do nothing', [
      domain,
      provider,
    ]);
}

/**
 * Goal 17: a realistic mix through a relay without limits, to providers that enforce rates. The measurement follows two
 * minutes of learning.
 */
export const providers: Scenario = async ({ world, sink }) => {
  const [recipients, learning, seconds] = [100_000, 120, 240];
  const list = await world.listOf(recipients, PROVIDER_MIX, 'Real mix');
  await knowHosted(world);
  await sink.reset();
  await sink.set({ perSecond: RATES, providers: PROVIDERS });
  return withWorker(world, async () => {
    const start = Date.now();
    const { id } = await world.send(list);
    const passed = () => (Date.now() - start) / 1000;
    const traffic = async () => (await sink.counts()).byProvider;
    const own = async () =>
      Object.entries(await traffic())
        .filter(([name]) => name.startsWith('own'))
        .reduce((sum, [, { accepted }]) => sum + accepted, 0);
    const ownAll =
      (recipients * PROVIDER_MIX.filter((domain) => domain.startsWith('own')).length) / PROVIDER_MIX.length;
    while ((await own()) < ownAll && passed() < learning) await pause(100);
    const [others, othersIn] = [await own(), passed()];
    await pause(Math.max(0, learning - passed()) * 1000);
    const [before, from] = [await traffic(), passed()];
    await pause(Math.max(0, seconds - passed()) * 1000);
    const [after, length] = [await traffic(), passed() - from];
    const since = (name: string, what: 'accepted' | 'refused') =>
      (after[name]?.[what] ?? 0) - (before[name]?.[what] ?? 0);
    const names = Object.keys(RATES) as (keyof typeof RATES)[];
    const shares = names.map((name) => ({ name, share: since(name, 'accepted') / length / RATES[name] }));
    const refused = names.map((name) => ({
      name,
      share: (100 * since(name, 'refused')) / Math.max(1, since(name, 'accepted') + since(name, 'refused')),
    }));
    const first = names.map(
      (name) =>
        `${name} ${before[name]?.refused ?? 0} of ${(before[name]?.accepted ?? 0) + (before[name]?.refused ?? 0)}`,
    );
    const statuses = await world.statuses(id);
    return [
      figure(
        '17',
        Math.min(...shares.map(({ share }) => share)),
        shares.map(({ name, share }) => `${name} ${share.toFixed(2)}`).join(', '),
      ),
      figure(
        '17b',
        Math.max(...refused.map(({ share }) => share)),
        `${refused.map(({ name, share }) => `${name} ${share.toFixed(2)}`).join(', ')}; in the first two minutes ${first.join(', ')}`,
      ),
      info(
        'to domains without a rate meanwhile',
        others / othersIn,
        '/s',
        `${others} of ${ownAll} in ${othersIn.toFixed(0)} s`,
      ),
      info('failed', statuses.failed ?? 0, ''),
    ];
  });
};

/**
 * Sends to recipients at one provider against sends to as many at neutral domains, both through a relay without limits,
 * in alternation.
 */
export const oneProvider: Scenario = async ({ world, sink, rounds, large: count }) => {
  const [one, neutral] = [
    await world.listOf(count, ['gmail.com'], 'One provider'),
    await world.list(count, 'Neutral domains'),
  ];
  const [atOne, atMany]: number[][] = [[], []];
  await withWorker(world, async () => {
    for (let round = 0; round < rounds; round++) {
      atOne!.push(await productRate(world, sink, one));
      atMany!.push(await productRate(world, sink, neutral));
    }
  });
  return [
    info(`${count} at one provider without a limit`, median(atOne!), '/s'),
    info('the same at neutral domains', median(atMany!), '/s'),
    info('ratio', median(atOne!.map((rate, i) => rate / atMany![i]!)), 'x'),
  ];
};

/**
 * Goal 19: processor time of PostgreSQL in a minute in which all messages wait for a rate of 10 a second, minus its
 * processor time when idle.
 */
export const waiting: Scenario = async ({ world, sink, large: count }) => {
  await world.findPostmaster();
  const list = await world.listOf(count, ['gmail.com'], 'Waiting');
  await world.db.query(
    `update email_providers set config = coalesce(config::jsonb, '{}') || '{"domainMessagesPerSecond": 10}'`,
  );
  await sink.reset();
  return withWorker(world, async (worker) => {
    await pause(20_000);
    const idle = world.postgresTime();
    await pause(30_000);
    const perIdle = (world.postgresTime() - idle) / 30;
    const { id } = await world.send(list);
    const backlog = async () =>
      Number(
        (
          await world.db.query<{ n: string }>(
            'select coalesce(sum(waiting), 0) as n from delivery_backlogs where history_id = $1',
            [id],
          )
        ).rows[0]!.n,
      );
    for (const end = Date.now() + 600_000; (await backlog()) < count * 0.95 && Date.now() < end;) await pause(1_000);
    // Flushes and vacuums the rows that were written before, so that this work is not measured.
    await world.db.query('vacuum analyze email_delivery_logs');
    await world.db.query('checkpoint');
    await pause(10_000);
    const [from, sent, statements, spent] = [
      world.postgresTime(),
      (await sink.counts()).messages,
      await world.statements(),
      worker.processorTime(),
    ];
    await pause(60_000);
    const share = (world.postgresTime() - from) / 60 - perIdle;
    const messages = (await sink.counts()).messages - sent;
    return [
      figure(
        '19',
        Math.max(0, share) * 100,
        `${await backlog()} waiting, ${(messages / 60).toFixed(2)} a second went out`,
      ),
      info('statements a second while they wait', ((await world.statements()) - statements) / 60, ''),
      info("the worker's share of a core", ((worker.processorTime() - spent) / 60) * 100, '%'),
      info('PostgreSQL idle', perIdle * 100, '%'),
    ];
  });
};
