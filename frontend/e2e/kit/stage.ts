import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import { type Product, type ProductOptions, startProduct } from './product.ts';
import { sharedProduct } from './shared-product.ts';

/** The setup of most journeys: the product, Chromium, and a page whose faults are recorded. */
export interface Stage {
  product: Product;
  browser: Browser;
  page: Page;
  /** Script errors of the page, and requests to outside hosts. */
  faults: string[];
  /** Opens a browser context for another person, with separate cookies. */
  device(): Promise<{ page: Page; faults: string[] }>;
  close(): Promise<void>;
}

/**
 * Opens the setup on the shared product. Journeys on it use accounts and contacts whose addresses no other journey
 * uses, change only rows of those, and count nothing that other journeys affect.
 */
export const openStage = async (): Promise<Stage> => stageOn(await sharedProduct());

/** Opens the setup with a separate product. If a part fails, stops what was started. */
export async function openOwnStage(options?: ProductOptions): Promise<Stage> {
  const product = await startProduct(options);
  try {
    const stage = await stageOn(product);
    const close = () => stage.close().finally(() => product.stop());
    return { ...stage, close };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

async function stageOn(product: Product): Promise<Stage> {
  const browser = await openBrowser();
  const device = async () =>
    openPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }), [product.url]);
  return { product, browser, ...(await device()), device, close: () => browser.close() };
}
