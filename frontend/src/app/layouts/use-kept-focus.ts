import { useEffect } from 'react';
import { MAIN_ID } from './main-area';

/** Parts of a screen that can take the focus themselves, the nearest first. */
const PARTS = 'section, [role=tabpanel], main';
const ROW = '[role=row][data-rowindex]';

/** Where a control has gone with its row, its card or its panel, the keyboard goes on from there and not from the top of the document. */
export function useKeptFocus(): void {
  useEffect(keepFocus, []);
}

function keepFocus(): () => void {
  /** What of the screen had the focus last, and all that is around it. A dialog above it does not count. */
  let trail: HTMLElement[] = [];
  let place: Place | undefined;
  let frame = 0;

  const onFocusIn = ({ target }: FocusEvent) => {
    const main = document.getElementById(MAIN_ID);
    if (!(target instanceof HTMLElement) || !main) return;
    if (main.contains(target)) [trail, place] = [upTo(main, target), placeOf(target)];
    else if (pageOf(main)?.contains(target)) trail = [];
  };
  // Whoever leaves it, by a press beside it, wants it so.
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || target !== trail[0]) return;
    queueMicrotask(() => {
      if (target instanceof HTMLElement && target.isConnected && !target.matches(':disabled') && document.activeElement !== target) trail = [];
    });
  };
  const restore = () => {
    const main = document.getElementById(MAIN_ID);
    const [lost] = trail;
    if (!lost || !main || document.activeElement !== document.body || main.closest('[aria-hidden=true], [inert]')) return;
    if (lost.isConnected) lost.focus({ preventScroll: true });
    else goOnFrom(trail.find((element) => element.isConnected) ?? main, place);
  };
  const observer = new MutationObserver(() => {
    if (trail.length === 0 || document.activeElement !== document.body) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(restore);
  });

  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'aria-hidden'] });
  return () => {
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

function upTo(main: HTMLElement, target: HTMLElement): HTMLElement[] {
  const trail: HTMLElement[] = [];
  for (let element: HTMLElement | null = target; element && element !== main; element = element.parentElement) trail.push(element);
  return [...trail, main];
}

const pageOf = (main: HTMLElement) => [...document.body.children].find((child) => child.contains(main));

interface Place {
  row: number;
  field: string;
}

/** Where in a grid a control stands: asked while it does. */
function placeOf(target: HTMLElement): Place | undefined {
  const row = target.closest<HTMLElement>(ROW)?.dataset.rowindex;
  const field = target.closest<HTMLElement>('[role=gridcell]')?.dataset.field;
  return row && field ? { row: Number(row), field } : undefined;
}

/** The row that has come to the place of the one that went, else the last. */
function nextInGrid(grid: Element, { row, field }: Place): HTMLElement | null {
  const rows = [...grid.querySelectorAll<HTMLElement>(ROW)];
  const next = rows.find((one) => Number(one.dataset.rowindex) === row) ?? rows.at(-1);
  const cell = next?.querySelector<HTMLElement>(`[role=gridcell][data-field="${CSS.escape(field)}"]`);
  return cell?.querySelector<HTMLElement>('button:enabled, a[href]') ?? cell ?? null;
}

function goOnFrom(holder: HTMLElement, place: Place | undefined): void {
  const grid = holder.closest('[role=grid]');
  const inGrid = grid && place && nextInGrid(grid, place);
  const target = inGrid || holder.closest<HTMLElement>(PARTS);
  if (!target) return;
  if (!target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: !inGrid });
}
