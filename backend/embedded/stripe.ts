import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatorProcessOptions, SimulatorReady } from '../stripe-simulator/process.ts';
import { readyMessage, startProcess, type ProcessContext } from './processes/managed-process.ts';
import type { Service } from './postgres/postgres.ts';

export interface StripeOptions {
  /** Folder of the simulated account. */
  home: string;
  /** The product's public URL, below which the simulator's pages are served. */
  appUrl: string;
  /** The product's port, to which events are posted. */
  port: number;
}

/** Settings of the app for the simulator; the keys are generated for each run. */
export type StripeEnv = Record<
  'STRIPE_SECRET_KEY' | 'STRIPE_PUBLISHABLE_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_URL',
  string
>;

/** Starts the Stripe simulator on a free port. */
export async function startStripe(
  context: ProcessContext,
  { home, appUrl, port }: StripeOptions,
): Promise<Service & { env: StripeEnv }> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const secret = (prefix: string) => `${prefix}_${randomBytes(24).toString('hex')}`;
  const webhookSecret = secret('whsec');
  const options: SimulatorProcessOptions = {
    file: join(home, 'account.json'),
    pagesBase: `${appUrl}/stripe-simulator`,
    webhook: { url: `http://127.0.0.1:${port}/api/stripe/webhook`, secret: webhookSecret },
  };
  const part = startProcess(context, {
    name: 'stripe',
    command: process.execPath,
    ipc: true,
    args: [join(import.meta.dirname, '../stripe-simulator/process.ts')],
    env: { ...process.env, STRIPE_SIMULATOR: JSON.stringify(options) },
  });
  const { url } = await readyMessage<SimulatorReady>(part, 'Stripe simulator');
  const env = {
    STRIPE_SECRET_KEY: secret('sk_test'),
    STRIPE_PUBLISHABLE_KEY: secret('pk_test'),
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: url,
  };
  return { url, env, part, stop: () => part.stop(3_000), exited: part.exited };
}
