import { describe, expect, it } from '@jest/globals';
import { MxLookup, MxResolver } from '../../../src/modules/delivery/throttling/mx-lookup.service.js';
import { ProviderResolver } from '../../../src/modules/delivery/throttling/provider-resolver.service.js';
import { ProviderTraffic } from '../../../src/modules/delivery/throttling/provider-traffic.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { resolver, app } from './throttling-support.js';

describe('the provider of a domain', () => {
  it('is found by its MX records, then from the database, and by its name without DNS', async () => {
    const [providers, mx] = [app.get(ProviderResolver), app.get(MxLookup)];
    expect(
      ['gmail.com', 'hotmail.co.uk', 'aol.com', 'me.com', 'acme.test'].map((domain) => providers.providerOf(domain)),
    ).toEqual(['google', 'microsoft', 'yahoo', 'apple', 'acme.test']);
    expect(providers.providerOf('g-hosted.company')).toBe('g-hosted.company');
    providers.providerOf('m-hosted.company');
    providers.providerOf('none.company');
    providers.providerOf('own.company');
    await mx.settled();
    expect(
      ['g-hosted.company', 'm-hosted.company', 'none.company', 'own.company'].map((domain) =>
        providers.providerOf(domain),
      ),
    ).toEqual(['google', 'microsoft', 'none.company', 'own.company']);
    expect(
      await rows(app.em(), `select domain, provider from recipient_domains where domain like '%.company' order by 1`),
    ).toEqual([
      { domain: 'g-hosted.company', provider: 'google' },
      { domain: 'm-hosted.company', provider: 'microsoft' },
      { domain: 'none.company', provider: null },
      { domain: 'own.company', provider: null },
    ]);
    expect(resolver.asked.filter((domain) => domain.endsWith('.test'))).toEqual([]);
    const again = new MxLookup(app.em(), app.settings, resolver);
    const count = resolver.asked.length;
    again.known('g-hosted.company');
    await again.settled();
    expect(again.known('g-hosted.company')).toBe('google');
    expect(resolver.asked).toHaveLength(count);
  });

  it('delays nothing where DNS does not resolve it, even 20,000 of them: a few queries at a time, then a pause', async () => {
    let asked = 0;
    const silent = new (class extends MxResolver {
      resolve() {
        asked++;
        return new Promise<never>(() => undefined);
      }
    })();
    const mx = new MxLookup(app.em(), app.settings, silent);
    const domains = Array.from({ length: 20_000 }, (_, i) => `silent${i}.company`);
    expect(domains.filter((domain) => mx.known(domain) !== undefined)).toEqual([]);
    await mx.settled();
    expect(asked).toBeLessThanOrEqual(16);
    expect(domains.filter((domain) => mx.known(domain) !== undefined)).toEqual([]);
    await mx.settled();
    expect(asked).toBeLessThanOrEqual(16);
    expect(await rows(app.em(), `select 1 from recipient_domains where domain like 'silent%'`)).toEqual([]);
  });

  it('is looked up again after a day, since the domain may have moved to another provider', async () => {
    let time = 1_000_000;
    const asked: string[] = [];
    let exchange = 'aspmx.l.google.com';
    const resolver = new (class extends MxResolver {
      resolve(domain: string) {
        asked.push(domain);
        return Promise.resolve([{ priority: 10, exchange }]);
      }
    })();
    const mx = new (class extends MxLookup {
      protected override now() {
        return time;
      }
    })(app.em(), app.settings, resolver);
    const known = async (afterMs: number) => {
      time += afterMs;
      mx.known('moving.company');
      await mx.settled();
      return mx.known('moving.company');
    };
    expect(await known(0)).toBe('google');
    exchange = 'moving-company.mail.protection.outlook.com';
    await rows(
      app.em(),
      `update recipient_domains set looked_up_at = now() - interval '31 days' where domain = 'moving.company'`,
    );
    expect(await known(23 * 3_600_000)).toBe('google');
    expect(asked).toHaveLength(1);
    time += 3_600_000;
    // The old answer is used until the new one arrives.
    expect(mx.known('moving.company')).toBe('google');
    await mx.settled();
    expect(mx.known('moving.company')).toBe('microsoft');
    expect(asked).toHaveLength(2);
  });

  it('is queried again after a growing pause where DNS did not resolve it', async () => {
    let time = 1_000_000;
    let asked = 0;
    let isAway = true;
    const late = new (class extends MxResolver {
      resolve() {
        asked++;
        return isAway
          ? Promise.reject(Object.assign(new Error('timeout'), { code: 'ETIMEOUT' }))
          : Promise.resolve([{ priority: 10, exchange: 'aspmx.l.google.com' }]);
      }
    })();
    const mx = new (class extends MxLookup {
      protected override now() {
        return time;
      }
    })(app.em(), app.settings, late);
    const ask = async (afterMs: number) => {
      time += afterMs;
      mx.known('late.company');
      await mx.settled();
      return asked;
    };
    expect([await ask(0), await ask(59_000), await ask(1_000), await ask(119_000), await ask(1_000)]).toEqual([
      1, 1, 2, 2, 3,
    ]);
    isAway = false;
    expect([await ask(239_000), mx.known('late.company'), await ask(1_000), mx.known('late.company')]).toEqual([
      3,
      undefined,
      4,
      'google',
    ]);
  });
});

describe('provider traffic', () => {
  it('is written with the next minute after a database failure, each minute separately', async () => {
    const em = app.em();
    const traffic = new ProviderTraffic(em);
    await rows(em, `alter table provider_minutes rename to provider_minutes_away`);
    traffic.use('counting');
    for (let i = 0; i < 3; i++) traffic.accepted('google', true);
    await traffic.flush();
    traffic.refused('google');
    traffic.use('another');
    traffic.accepted('yahoo', true);
    await traffic.flush();
    await rows(em, `alter table provider_minutes_away rename to provider_minutes`);
    traffic.accepted('yahoo', true);
    await traffic.flush();
    const written = await rows(
      em,
      `select account, provider, sum(accepted)::int as accepted, sum(refused)::int as refused from provider_minutes where account in ('counting', 'another') group by 1, 2 order by 1`,
    );
    expect(written).toEqual([
      { account: 'another', provider: 'yahoo', accepted: 2, refused: 0 },
      { account: 'counting', provider: 'google', accepted: 3, refused: 1 },
    ]);
  });
});
