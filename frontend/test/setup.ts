import '@testing-library/jest-dom/jest-globals';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from '@jest/globals';
import * as React from 'react';

// Screens are loaded on first use, which may take more than the default of one second on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// React's development build records a stack for each of the first 10,000 elements per second, for its warnings. This
// took an eighth of the processor time of these tests.
const internals = (React as unknown as Record<string, object | undefined>)
  .__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;
if (internals)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined });

class NoResizes implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Makes media queries match a screen of `width` pixels. jsdom has no layout, so it cannot evaluate them. */
export function screenWidth(width: number): void {
  const matches = (query: string) => {
    const max = /\(max-width:\s*([\d.]+)px\)/.exec(query)?.[1];
    const min = /\(min-width:\s*([\d.]+)px\)/.exec(query)?.[1];
    return (
      (max !== undefined || min !== undefined) &&
      (max === undefined || width <= Number(max)) &&
      (min === undefined || width >= Number(min))
    );
  };
  window.matchMedia = (media) =>
    ({
      matches: matches(media),
      media,
      onchange: null,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
      dispatchEvent: () => false,
    }) as MediaQueryList;
}

// Node's channels would connect the stores of test files in the same process.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');
globalThis.ResizeObserver = NoResizes;
// The editor measures its cursor and handles pastes. jsdom has neither layout nor clipboard.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () =>
  ({ top: 0, bottom: 0, left: 0, right: 0, width: 0, height: 0 }) as DOMRect;
Object.assign(globalThis, { ClipboardEvent: class extends Event {} });
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

beforeEach(() => {
  screenWidth(1280);
  // The user of fake-api has already answered the welcome dialog. Tests of the dialog remove this entry.
  localStorage.setItem('role_selected_u1', 'true');
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  for (const pair of document.cookie.split('; ')) document.cookie = `${pair.split('=')[0] ?? ''}=; max-age=0; path=/`;
  document.getElementById('toasts')?.remove();
});
