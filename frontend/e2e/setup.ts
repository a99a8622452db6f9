import { spawn } from 'node:child_process';
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product } from './kit/product.ts';
import { SHARED_PRODUCT, type SharedProduct } from './kit/shared-product.ts';

export interface Setup {
  shared: Promise<Product | undefined>;
  /** Removes the folder of this run once no process uses it. */
  clean: () => Promise<void>;
}

declare global {
  var e2eSetup: Setup | undefined;
}

/**
 * Creates the temporary folder of the run, and starts the product that most journeys share. Does not wait for it: the
 * journeys that use it do.
 */
export default function setup(): void {
  // The name is short, because the path of Chromium's socket in the folder may have at most 103 characters on macOS.
  const home = mkdtempSync(join(tmpdir(), 'e2e-'));
  const cleaner = spawn(process.execPath, [join(import.meta.dirname, 'kit/cleaner.mjs'), home], {
    // The cleaner outlives this process, however it ends, and starts to clean when the pipe closes.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  cleaner.unref();
  // TMPDIR also applies to browser profiles and to products that workers start.
  process.env.TMPDIR = home;
  const file = join(home, 'shared-product.json');
  process.env[SHARED_PRODUCT] = file;
  const tell = (shared: SharedProduct) => {
    writeFileSync(`${file}.part`, JSON.stringify(shared));
    renameSync(`${file}.part`, file);
  };
  const shared = startProduct().then(
    (product) => {
      tell({ url: product.url, mailboxUrl: product.mailboxUrl, dataDir: product.dataDir });
      return product;
    },
    (error: Error) => {
      tell({ error: error.message });
      return undefined;
    },
  );
  const clean = () =>
    new Promise<void>((resolve) => {
      cleaner.ref();
      cleaner.once('exit', () => resolve());
      cleaner.stdin?.end();
    });
  globalThis.e2eSetup = { shared, clean };
}
