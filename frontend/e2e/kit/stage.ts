import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import { type Product, type ProductOptions, startProduct } from './product.ts';

/** The setup of most journeys: the product, Chromium, and a page that records its faults. */
export interface Stage {
  product: Product;
  browser: Browser;
  page: Page;
  /** Script errors of the page and requests to outside hosts. */
  faults: string[];
  /** Another person's browser context with its own cookies. */
  device(): Promise<{ page: Page; faults: string[] }>;
  close(): Promise<void>;
}

/** Opens the setup; stops what was started where a part fails. */
export async function openStage(options?: ProductOptions): Promise<Stage> {
  const product = await startProduct(options);
  try {
    const browser = await openBrowser();
    const device = async () =>
      openPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }), [product.url]);
    const close = async () => {
      await browser.close();
      await product.stop();
    };
    return { product, browser, ...(await device()), device, close };
  } catch (error) {
    await product.stop();
    throw error;
  }
}
