import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { render, screen, waitFor } from '@testing-library/react';
import { answer, fakeApi } from '../../../test/fake-api';
import { Providers } from '../../../test/render';
import { browser } from '../../lib/browser';
import { resetReportedErrors, reportUncaughtErrors } from './report-error';
import { RouteError } from '../routed-app';

let reload: jest.SpiedFunction<typeof browser.reload>;
beforeEach(() => {
  resetReportedErrors();
  reload = jest.spyOn(browser, 'reload').mockImplementation(() => undefined);
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
  document.querySelectorAll('script[data-entry]').forEach((script) => script.remove());
});

/** Pretends that a build of this release was loaded. */
function loaded(release: string) {
  document.querySelectorAll('script[data-entry]').forEach((script) => script.remove());
  const script = document.createElement('script');
  script.type = 'module';
  script.dataset.entry = '';
  script.setAttribute('src', `/assets/${release}.js`);
  document.head.append(script);
}

function breaks(error: Error) {
  const calls = fakeApi({ 'POST /api/client-errors': answer(null, 204) });
  const Broken = () => {
    throw error;
  };
  const router = createMemoryRouter([{ path: '*', element: <Broken />, errorElement: <RouteError /> }]);
  const view = render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  return {
    reports: () =>
      calls.filter(({ path }) => path === '/api/client-errors').map(({ body }) => body as Record<string, string>),
    ...view,
  };
}
const stale = () => new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/lists-1.js');

describe('an uncaught error on the page', () => {
  it('is reported to the server; an aborted request is not', async () => {
    loaded('index-Abc123');
    const calls = fakeApi({ 'POST /api/client-errors': answer(null, 204) });
    reportUncaughtErrors();
    window.dispatchEvent(new ErrorEvent('error', { error: new RangeError('Invalid time value') }));
    const rejected = (reason: unknown) =>
      window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
    rejected(new DOMException('given up', 'AbortError'));
    rejected(new TypeError('x is not a function'));
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls.map(({ body }) => body)).toMatchObject([
      { kind: 'script', release: 'index-Abc123', message: 'RangeError: Invalid time value' },
      { kind: 'promise', release: 'index-Abc123', message: 'TypeError: x is not a function' },
    ]);
  });
});

describe('errors that no script of this site threw', () => {
  const uncaught = (error: unknown) => window.dispatchEvent(new ErrorEvent('error', { error }));
  const thrownAt = (url: string, message: string) =>
    Object.assign(new Error(message), { stack: `Error: ${message}\n    at run (${url}:1:1)` });

  it('are not reported: empty ones, and those of extensions and other sites', async () => {
    loaded('index-Abc123');
    const calls = fakeApi({ 'POST /api/client-errors': answer(null, 204) });
    reportUncaughtErrors();
    uncaught(null);
    uncaught(undefined);
    uncaught(thrownAt('chrome-extension://abc/content.js', 'Extension context invalidated'));
    uncaught(thrownAt(`${location.origin}/assets/lists-1.js`, 'It is ours'));
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]?.body).toMatchObject({ kind: 'script', message: 'Error: It is ours' });
  });

  it('do not use up the reports: a broken screen is still reported after any number of them', async () => {
    loaded('index-Abc123');
    const calls = fakeApi({ 'POST /api/client-errors': answer(null, 204) });
    reportUncaughtErrors();
    for (const which of Array(8).keys()) uncaught(thrownAt(`${location.origin}/assets/a.js`, `Fault ${which}`));
    await waitFor(() => expect(calls).toHaveLength(5));
    const { reports } = breaks(new TypeError('x is undefined'));
    await waitFor(() => expect(reports()).toHaveLength(1));
  });
});

describe('a screen that failed to render', () => {
  it('is reported to the server, once, with the release and without an address', async () => {
    loaded('index-Abc123');
    const first = breaks(new TypeError("Cannot read properties of undefined (reading 'icon')"));
    expect(await screen.findByRole('heading', { name: 'This screen could not be shown' })).toBeVisible();
    await waitFor(() => expect(first.reports()).toHaveLength(1));
    expect(first.reports()[0]).toMatchObject({
      release: 'index-Abc123',
      kind: 'screen',
      screen: '/',
      message: "TypeError: Cannot read properties of undefined (reading 'icon')",
    });
    first.unmount();
    const again = breaks(new TypeError("Cannot read properties of undefined (reading 'icon')"));
    await screen.findByRole('heading', { name: 'This screen could not be shown' });
    expect(again.reports()).toEqual([]);
  });

  it("is reported within the server's limit of 2 KB, in any script", async () => {
    loaded('index-Abc123');
    const error = new Error('壊れた画面'.repeat(100));
    error.stack = Array.from(
      { length: 40 },
      (_, line) => `at 部品の名前${line} (${location.origin}/assets/lists-1.js:1:${line})`,
    ).join('\n');
    const { reports } = breaks(error);
    await waitFor(() => expect(reports()).toHaveLength(1));
    const [report] = reports();
    const size = new TextEncoder().encode(JSON.stringify(report)).length;
    expect(size).toBeLessThanOrEqual(2048);
    expect(size).toBeGreaterThan(1900);
    expect(report!.message).toHaveLength(300);
    expect(report!.stack).toContain('at 部品の名前0 (/assets/lists-1.js:1:0)');
  });

  it('because of a newer release is reloaded, once for each release', async () => {
    loaded('index-One');
    breaks(stale()).unmount();
    expect(reload).toHaveBeenCalledTimes(1);
    breaks(stale()).unmount();
    expect(reload).toHaveBeenCalledTimes(1);
    loaded('index-Two');
    breaks(stale());
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it("shows its error where the browser's storage is blocked", async () => {
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    loaded('index-One');
    breaks(stale());
    expect(await screen.findByText('A newer version is out. Load the page again to get it.')).toBeVisible();
    expect(reload).not.toHaveBeenCalled();
  });
});
