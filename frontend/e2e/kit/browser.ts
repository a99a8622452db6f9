import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PICTURES = process.env.E2E_PICTURES;

/** Chromium as found by `npm test`. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set: run npm test, which looks for one');
  return chromium.launch({ executablePath, args: ARGS });
}

/** A page that fails the journey on a script error or a request to an outside host. */
export async function openPage(context: BrowserContext, own: string[]): Promise<{ page: Page; faults: string[] }> {
  const faults: string[] = [];
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !own.includes(origin)) faults.push(`outside request: ${request.url()}`);
  });
  return { page, faults };
}

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** What axe-core finds on the present screen, WCAG 2.2 AA; one line a finding. */
export async function axeFindings(page: Page): Promise<string[]> {
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const result = (await page.evaluate(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`)) as AxeResult;
  return result.violations.map((found) => `${page.url()} ${found.id}: ${found.help} — ${found.nodes[0]?.html ?? ''} ${found.nodes[0]?.failureSummary ?? ''}`);
}

/** What axe-core finds in the dark and in the light theme. */
export async function axeInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of ['light', 'dark']) {
    await page.evaluate((mode) => {
      document.documentElement.setAttribute('data-theme', mode);
    }, scheme);
    // Colours fade over; half-way they have no contrast.
    await page.waitForTimeout(350);
    found.push(...(await axeFindings(page)).map((line) => `${scheme} ${line}`));
  }
  return found;
}

/** A picture of the screen, where E2E_PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  for (const [width, height] of [[1440, 900], [390, 844]] as const) {
    await page.setViewportSize({ width, height });
    for (const scheme of ['dark', 'light'] as const) {
      await page.evaluate((mode) => {
        document.documentElement.setAttribute('data-theme', mode);
      }, scheme);
      await page.waitForTimeout(350);
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${scheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Answers the dialog that every recruiter meets once on a browser. */
export async function answerWelcome(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Welcome to / });
  await dialog.getByRole('button', { name: 'Save role' }).click();
  await dialog.waitFor({ state: 'detached' });
}
