import { useEffect } from 'react';
import { MAIN_ID } from './main-area';

/** Sections that can take the focus themselves. */
const SECTIONS = 'section, [role=tabpanel], main';
const ROW = '[role=row][data-rowindex]';

/**
 * Restores focus when the focused element is removed or disabled: to the same column of the next grid row, else to the
 * nearest remaining section.
 */
export function useFocusRestore(): void {
  useEffect(watchFocus, []);
}

function watchFocus(): () => void {
  /**
   * The element of the screen that was focused last, followed by its ancestors. Dialogs above the screen do not count.
   */
  let focusPath: HTMLElement[] = [];
  let cell: GridCell | undefined;
  let frame = 0;

  const onFocusIn = ({ target }: FocusEvent) => {
    const main = document.getElementById(MAIN_ID);
    if (!(target instanceof HTMLElement) || !main) return;
    if (main.contains(target)) [focusPath, cell] = [ancestorsUpTo(main, target), gridCellOf(target)];
    else if (pageOf(main)?.contains(target)) focusPath = [];
  };
  // A press outside the element moves the focus away intentionally.
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || target !== focusPath[0]) return;
    queueMicrotask(() => {
      if (
        target instanceof HTMLElement &&
        target.isConnected &&
        !target.matches(':disabled') &&
        document.activeElement !== target
      )
        focusPath = [];
    });
  };
  const restore = () => {
    const main = document.getElementById(MAIN_ID);
    const [lost] = focusPath;
    if (!lost || !main || document.activeElement !== document.body || main.closest('[aria-hidden=true], [inert]'))
      return;
    if (lost.isConnected) lost.focus({ preventScroll: true });
    else focusNear(focusPath.find((element) => element.isConnected) ?? main, cell);
  };
  const observer = new MutationObserver(() => {
    if (focusPath.length === 0 || document.activeElement !== document.body) return;
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

function ancestorsUpTo(main: HTMLElement, target: HTMLElement): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let element: HTMLElement | null = target; element && element !== main; element = element.parentElement)
    path.push(element);
  return [...path, main];
}

const pageOf = (main: HTMLElement) => [...document.body.children].find((child) => child.contains(main));

interface GridCell {
  row: number;
  field: string;
}

/** The grid cell of a control. Must be read while the control exists. */
function gridCellOf(target: HTMLElement): GridCell | undefined {
  const row = target.closest<HTMLElement>(ROW)?.dataset.rowindex;
  const field = target.closest<HTMLElement>('[role=gridcell]')?.dataset.field;
  return row && field ? { row: Number(row), field } : undefined;
}

/** The control in the row that took the removed row's place, else in the last row. */
function nextInGrid(grid: Element, { row, field }: GridCell): HTMLElement | null {
  const rows = [...grid.querySelectorAll<HTMLElement>(ROW)];
  const next = rows.find((one) => Number(one.dataset.rowindex) === row) ?? rows.at(-1);
  const found = next?.querySelector<HTMLElement>(`[role=gridcell][data-field="${CSS.escape(field)}"]`);
  return found?.querySelector<HTMLElement>('button:enabled, a[href]') ?? found ?? null;
}

function focusNear(element: HTMLElement, cell: GridCell | undefined): void {
  const grid = element.closest('[role=grid]');
  const inGrid = grid && cell && nextInGrid(grid, cell);
  const target = inGrid || element.closest<HTMLElement>(SECTIONS);
  if (!target) return;
  if (!target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: !inGrid });
}
