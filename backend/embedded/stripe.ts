import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../scripts/lib/say.mjs';
import type { SimulatorProcessOptions, SimulatorReady } from '../stripe-simulator/process.ts';
import { startPart, type Part, type Surroundings } from './part.ts';
import type { Service } from './postgres.ts';

export interface StripeOptions {
  /** Where the simulated account is kept. */
  home: string;
  /** The product's public address: its pages are reached there. */
  appUrl: string;
  /** The product's own port: events are posted there. */
  port: number;
}

/** The settings with which the app speaks to the simulator: keys of this run. */
export type StripeEnv = Record<'STRIPE_SECRET_KEY' | 'STRIPE_PUBLISHABLE_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_URL', string>;

/** Starts the Stripe simulator on a free port. */
export async function startStripe(around: Surroundings, { home, appUrl, port }: StripeOptions): Promise<Service & { env: StripeEnv }> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const secret = (prefix: string) => `${prefix}_${randomBytes(24).toString('hex')}`;
  const webhookSecret = secret('whsec');
  const options: SimulatorProcessOptions = {
    file: join(home, 'account.json'), pagesBase: `${appUrl}/stripe-simulator`,
    webhook: { url: `http://127.0.0.1:${port}/api/stripe/webhook`, secret: webhookSecret },
  };
  const part = startPart(around, {
    name: 'stripe', command: process.execPath, ipc: true, args: [join(import.meta.dirname, '../stripe-simulator/process.ts')],
    env: { ...process.env, STRIPE_SIMULATOR: JSON.stringify(options) },
  });
  const url = await ready(part);
  const env = { STRIPE_SECRET_KEY: secret('sk_test'), STRIPE_PUBLISHABLE_KEY: secret('pk_test'), STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: url };
  return { url, env, part, stop: () => part.stop(3_000), exited: part.exited };
}

async function ready(part: Part): Promise<string> {
  const message = new Promise<SimulatorReady>((resolve) => part.child.once('message', (sent) => resolve(sent as SimulatorReady)));
  const first = await Promise.race([message, part.exited.then(() => undefined)]);
  part.child.disconnect?.();
  if (first) return first.url;
  throw new Refusal(`The Stripe simulator did not start. The end of its log:\n${part.tail()}`);
}
