import { afterEach, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { NearViewport } from './near-viewport';

afterEach(() => void Reflect.deleteProperty(globalThis, 'IntersectionObserver'));

it('content far down is rendered once it is scrolled near, and stays', () => {
  let scrolled: (isIntersecting: boolean) => void = () => undefined;
  globalThis.IntersectionObserver = class {
    constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
      scrolled = (isIntersecting) => act(() => report([{ isIntersecting }]));
    }
    observe = () => undefined;
    disconnect = () => undefined;
  } as unknown as typeof IntersectionObserver;
  render(<NearViewport placeholder="Soon">Chart</NearViewport>);
  scrolled(false);
  expect(screen.getByText('Soon')).toBeVisible();
  scrolled(true);
  expect(screen.getByText('Chart')).toBeVisible();
  expect(screen.queryByText('Soon')).toBeNull();
});
