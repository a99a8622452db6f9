import { readFileSync } from 'node:fs';
import type { Product } from './product.ts';
import { until } from './until.ts';

/**
 * Environment variable with the path of a file that describes the shared product, or contains the reason why it did not
 * start.
 */
export const SHARED_PRODUCT = 'E2E_SHARED_PRODUCT';

/** Content of that file, written by `setup.ts`. */
export type SharedProduct = Pick<Product, 'url' | 'mailboxUrl' | 'dataDir'> | { error: string };

/** Waits for the product that the journeys share. */
export async function sharedProduct(): Promise<Product> {
  const file = process.env[SHARED_PRODUCT];
  if (!file) throw new Error(`${SHARED_PRODUCT} is not set: Jest's global setup sets it`);
  const shared = await until('the product of all journeys', () => read(file), 300_000);
  if ('error' in shared) throw new Error(shared.error);
  const notHere = () => Promise.reject(new Error('a journey does not stop what others use'));
  return { ...shared, kill: notHere, stop: notHere };
}

function read(file: string): SharedProduct | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SharedProduct;
  } catch {
    return undefined;
  }
}
