import { afterAll, beforeAll } from '@jest/globals';
import { MxResolver } from '../../../src/modules/delivery/throttling/mx-lookup.service.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { startSending } from '../sending/support.js';

export const TOKEN = 'scraper-0123456789';
export const sink = new SmtpSink({ bodies: false, log: true });

/** A DNS resolver that counts its queries. */
class Resolver extends MxResolver {
  readonly asked: string[] = [];
  resolve(domain: string) {
    this.asked.push(domain);
    if (domain === 'silent.company') return new Promise<never>(() => undefined);
    if (domain.startsWith('none')) return Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    const exchange = domain.startsWith('g')
      ? 'ASPMX.L.GOOGLE.COM'
      : domain.startsWith('m')
        ? `${domain.replace('.', '-')}.mail.protection.outlook.com`
        : `mx.${domain}`;
    return Promise.resolve([
      { priority: 20, exchange: 'alt.elsewhere.example' },
      { priority: 10, exchange },
    ]);
  }
}

export const resolver = new Resolver();
export let app: TestApp;
beforeAll(async () => {
  app = await startSending(
    { stalledPauseSeconds: 1 },
    {
      env: { SMTP_URL: await sink.listen(), METRICS_TOKEN: TOKEN, RETRY_SCHEDULE: '2' },
      override: (builder) => builder.overrideProvider(MxResolver).useValue(resolver),
    },
  );
});
afterAll(async () => {
  await app.close();
  await sink.close();
});
