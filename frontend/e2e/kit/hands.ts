import type { Editor } from '@tiptap/core';
import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

/** How a person uses the controls of a screen. */
export interface Hands {
  /** Presses a button, link, tab, option or menu item, or opens a part of the text. */
  press(target: Locator): Promise<void>;
  /** Switches a check box or switch on, or chooses a radio button. */
  tick(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  fill(target: Locator, text: string): Promise<void>;
  /** Sets the cursor to the end of a line of a rich text. */
  putCursorAfter(line: Locator): Promise<void>;
  /** Usability faults that were found on the way, one line each. */
  readonly faults: string[];
}

/** Offset of a press after the last character of a line, in pixels from its right and lower edge. */
const LINE_END = { fromRight: 3, fromBottom: 6 };

async function endOf(line: Locator): Promise<{ x: number; y: number }> {
  await line.scrollIntoViewIfNeeded();
  const box = await line.boundingBox();
  if (!box) throw new Error(`${line.toString()} is not shown`);
  return { x: box.width - LINE_END.fromRight, y: box.height - LINE_END.fromBottom };
}

/** Waits until the editor knows the cursor. On a busy machine, a key may come before, and goes to its last place. */
const cursorIn = (line: Locator): Promise<boolean> =>
  until(`the cursor in ${line.toString()}`, () => line.evaluate(hasEditorCursor));

export const mouse = (): Hands => ({
  faults: [],
  press: (target) => target.click(),
  tick: (target) => target.check(),
  fill: (target, text) => target.fill(text),
  putCursorAfter: async (line) => {
    await line.click({ position: await endOf(line) });
    await cursorIn(line);
  },
});

/** Minimum width and height of a target for a finger, in CSS pixels. */
const FINGER_PX = 44;

/** Fingers on a touch screen. Targets that are smaller than a finger are faults. */
export function fingers(): Hands {
  const faults: string[] = [];
  const tap = async (target: Locator) => {
    // Waits until a menu or dialog has grown to its size.
    await target.tap({ trial: true });
    const small = await target.evaluate((element, least) => {
      // A link within a text is only as high as its line.
      if (element.parentElement?.closest('[contenteditable]') || getComputedStyle(element).display === 'inline')
        return null;
      const { width, height } = (
        element.closest('label, .MuiInputBase-root, [contenteditable]') ?? element
      ).getBoundingClientRect();
      const isSmall = Math.min(width, height) < least - 0.5;
      return isSmall ? `${Math.round(width)} x ${Math.round(height)} px` : null;
    }, FINGER_PX);
    if (small) faults.push(`smaller than a finger, ${small}: ${target.toString()}`);
    await target.tap();
  };
  return {
    faults,
    press: tap,
    tick: async (target) => {
      if (!(await target.isChecked())) await tap(target);
    },
    fill: async (target, text) => {
      await tap(target);
      await target.fill(text);
    },
    putCursorAfter: async (line) => {
      await line.tap({ position: await endOf(line) });
      // The browser places the cursor only when it knows that no second tap follows.
      await cursorIn(line);
    },
  };
}

/** More key presses than it takes to get from any control of a screen to any other. */
const MAX_PRESSES = 150;

/** Uses a keyboard alone. Controls that show no focus, and lost focus, are faults. */
export function keyboard(): Hands {
  const faults: string[] = [];
  const places = new WeakMap<Page, string>();
  const reach = async (target: Locator) => {
    const page = target.page();
    await target.waitFor();
    if (await target.evaluate(hasNoFocus, places.get(page))) {
      // After the focused control disappeared or was disabled, Tab continues from where the control was, unless the
      // focus was lost.
      await page.keyboard.press('Tab');
      if (await page.getByRole('link', { name: 'Skip to content' }).evaluate(isFocused))
        faults.push(`focus lost before ${target.toString()}`);
    }
    await walk(target, wayTo);
    places.set(page, await page.evaluate(() => performance.timeOrigin + location.pathname));
    if (!(await target.evaluate(showsFocus))) faults.push(`shows no focus: ${target.toString()}`);
  };
  return {
    faults,
    press: async (target) => {
      await target.waitFor();
      if (await target.evaluate((element) => element.parentElement?.closest('[contenteditable]') !== null))
        await walk(target, wayToNode);
      else if (await target.evaluate((element) => element.matches('[role=option]'))) await walk(target, wayToOption);
      else await reach(target);
      await target.page().keyboard.press('Enter');
    },
    tick: async (target) => {
      await reach(target);
      if (!(await target.isChecked())) await target.page().keyboard.press('Space');
    },
    fill: async (target, text) => {
      await reach(target);
      await target.page().keyboard.press('Control+A');
      await target.page().keyboard.insertText(text);
    },
    putCursorAfter: async (line) => {
      await reach(line.locator('xpath=ancestor::*[@contenteditable]'));
      await walk(line, wayToLine);
      await line.page().keyboard.press('End');
      await cursorIn(line);
    },
  };
}

/** Presses the key that `way` returns, again and again until it returns none. */
async function walk(
  target: Locator,
  way: (element: HTMLElement | SVGElement, last: string) => string | null,
): Promise<void> {
  let key: string | null = '';
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    key = await target.evaluate(way, key);
    if (key === null) return;
    await target.page().keyboard.press(key);
  }
  const at = await target.page().evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  throw new Error(`not reached by keyboard: ${target.toString()}; the focus is at ${at}`);
}

// These functions run in the page, so they can use nothing from outside themselves.

/** Whether the focus was lost: no control has it, although the screen is still the one on which a control had it. */
const hasNoFocus = (_element: Element, place: string | undefined) =>
  document.activeElement === document.body && place === performance.timeOrigin + location.pathname;

const isFocused = (element: Element) => element === document.activeElement;

/** The key that moves the focus closer to a control: Tab between controls, arrows within a group of them. */
function wayTo(element: HTMLElement | SVGElement, last: string): string | null {
  const active = document.activeElement ?? document.body;
  if (active === element) return null;
  const cursor = getSelection()?.anchorNode?.parentElement;
  // In a table, Tab moves to the next cell; after Escape it leaves the text.
  if (active.matches('[contenteditable]') && cursor?.closest('table') && last !== 'Escape') return 'Escape';
  const group = element.closest(
    '[role=menu], [role=toolbar], [role=tablist], [role=radiogroup], [role=grid], .MuiToggleButtonGroup-root',
  );
  const needsArrows = element.tabIndex < 0 || (element instanceof HTMLInputElement && element.type === 'radio');
  if (group?.contains(active) && needsArrows && !active.contains(element)) {
    const [from, to] = [active, element].map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return { x: (left + right) / 2, y: (top + bottom) / 2 };
    });
    const [x, y] = [to!.x - from!.x, to!.y - from!.y];
    if (group.matches('[role=menu], [role=radiogroup]') || Math.abs(y) > 12) return y > 0 ? 'ArrowDown' : 'ArrowUp';
    return x > 0 ? 'ArrowRight' : 'ArrowLeft';
  }
  const isBefore = element.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING;
  return active !== document.body && isBefore ? 'Shift+Tab' : 'Tab';
}

/** The key that moves the marked option of a list closer to an option, while the focus stays in the field. */
function wayToOption(element: HTMLElement | SVGElement): string | null {
  const marked = document.activeElement?.getAttribute('aria-activedescendant');
  return marked === element.id ? null : 'ArrowDown';
}

/**
 * The key that moves the cursor closer to a part of the text.
 * @returns null once the part is selected
 */
function wayToNode(element: HTMLElement | SVGElement): string | null {
  if (element.closest('.ProseMirror-selectednode')) return null;
  const { anchorNode, anchorOffset } = getSelection() ?? { anchorNode: null, anchorOffset: 0 };
  const part = document.createRange();
  part.selectNode(element);
  return anchorNode && part.comparePoint(anchorNode, anchorOffset) < 0 ? 'ArrowRight' : 'ArrowLeft';
}

/**
 * The key that moves the cursor closer to a line of the text.
 * @returns null once the cursor is in the line
 */
function wayToLine(element: HTMLElement | SVGElement): string | null {
  const at = getSelection()?.anchorNode;
  if (!at || element.contains(at)) return null;
  return element.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_PRECEDING ? 'ArrowDown' : 'ArrowUp';
}

/** Whether the cursor is in a line of a rich text, and is the one that the editor works with. */
function hasEditorCursor(element: HTMLElement | SVGElement): boolean {
  const { anchorNode, anchorOffset } = getSelection() ?? { anchorNode: null, anchorOffset: 0 };
  const field = element.closest<HTMLElement & { editor?: Editor }>('[contenteditable=true]');
  if (!anchorNode || !element.contains(anchorNode) || !field?.editor) return false;
  const { view, state } = field.editor;
  return view.posAtDOM(anchorNode, anchorOffset, 1) === state.selection.anchor;
}

/** Whether a person can see that a control has the focus. */
function showsFocus(element: HTMLElement | SVGElement): boolean {
  let one: Element | null = element;
  // The visible frame of a rich text is the third element around it.
  for (let level = 0; one && level <= 3; level += 1, one = one.parentElement) {
    const { outlineStyle, outlineWidth, opacity, boxShadow } = getComputedStyle(one);
    if (one.matches('.MuiInputBase-root.Mui-focused, .MuiMenuItem-root.Mui-focusVisible')) return true;
    if (Number(opacity) > 0 && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) return true;
    if (level < 2 && Number(opacity) > 0 && boxShadow !== 'none') return true;
  }
  return false;
}
