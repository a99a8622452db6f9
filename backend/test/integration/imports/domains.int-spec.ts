import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailResolver } from '../../../src/modules/lists/imports/domains/mail-resolver.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { Importer } from './support.js';

/** DNS with known answers; `silent.example` does not answer. */
class KnownDomains extends MailResolver {
  readonly asked: string[] = [];

  takesMail(domain: string): Promise<boolean | undefined> {
    this.asked.push(domain);
    return Promise.resolve(domain === 'silent.example' ? undefined : domain !== 'gone.example');
  }
}

const dns = new KnownDomains();
let app: TestApp;

beforeAll(async () => {
  app = await startApp({
    env: { IMPORT_MX_CHECK: 'on' },
    override: (builder) => builder.overrideProvider(MailResolver).useValue(dns),
  });
});
afterAll(() => app.close());

describe('the domains of an import', () => {
  it('are looked up once; only a domain that surely takes no mail is left out', async () => {
    const user = new Importer(app, await app.user());
    const text = 'a@good.example\nb@gone.example\nc@silent.example\nd@good.example';
    const ready = await user.checked(await user.paste(text));
    expect(ready.report).toMatchObject({ new: 3, leftOut: 1, groups: [{ code: 'no_domain', count: 1 }] });
    expect(ready.report!.unchecked).toEqual({ domains: 1, people: 1 });
    expect(dns.asked.sort()).toEqual(['gone.example', 'good.example', 'silent.example']);
    expect(await user.query(`select domain, takes_mail from mail_domains order by domain`)).toEqual([
      { domain: 'gone.example', takes_mail: false },
      { domain: 'good.example', takes_mail: true },
    ]);
    await user.checked(await user.paste(text));
    expect(dns.asked.slice(3)).toEqual(['silent.example']);
  });

  it('below one registrable domain are looked up up to a limit; the report counts those that were not looked up', async () => {
    const user = new Importer(app, await app.user());
    const below = (at: string) => Array.from({ length: 30 }, (_, n) => `p@n${String(n).padStart(2, '0')}.${at}`);
    const text = [...below('flood.example'), ...below('gmail.com'), 'q@n29.flood.example', 'r@calm.example'].join('\n');
    const ready = await user.checked(await user.paste(text));
    const asked = (at: string) => dns.asked.filter((domain) => domain.endsWith(at)).sort();
    expect(asked('.flood.example')).toHaveLength(20);
    // Domains with the most people are looked up first.
    expect(asked('.flood.example').at(-1)).toBe('n29.flood.example');
    expect(asked('.gmail.com')).toHaveLength(20);
    expect(asked('calm.example')).toEqual(['calm.example']);
    expect(ready.report).toMatchObject({ new: 62, leftOut: 0, unchecked: { domains: 20, people: 20 } });
  });

  it('that are on the do-not-send list are marked: their people are imported, and not mailed', async () => {
    const user = new Importer(app, await app.user());
    const rule = { value: 'client.example', reason: 'end_client' };
    await user.user.agent.post('/api/do-not-send').send(rule).expect(201);
    const id = await user.paste('a@mail.client.example\nb@good.example\njobs@client.example');
    const ready = await user.checked(id);
    expect(ready.report).toMatchObject({ new: 3, leftOut: 0 });
    expect(ready.report!.groups).toEqual(
      expect.arrayContaining([
        { code: 'do_not_send', count: 2 },
        { code: 'role', count: 1 },
      ]),
    );
    expect((await user.lines(id, { group: 'do_not_send' })).map(({ email }) => email)).toEqual([
      'a@mail.client.example',
      'jobs@client.example',
    ]);
    const corrected = await user.user.agent.patch(`/api/imports/${id}/rows/2`).send({ email: 'b@client.example' });
    expect(corrected.body.codes).toEqual(['do_not_send']);
  });
});
