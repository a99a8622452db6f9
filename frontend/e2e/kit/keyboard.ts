import type { Page } from 'playwright-core';
import { settled } from './browser.ts';

/** Controls of the screen or its dialog that cannot be reached by Tab or show no focus indicator. */
export async function keyboardFindings(page: Page, name: string): Promise<string[]> {
  await settled(page);
  const controls = await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    const root =
      [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')].at(-1) ?? document.body;
    // Parts whose controls are reached by arrow keys instead of Tab: grid cells, tabs, tools, choices and options.
    const elsewhere = '[role=grid], [aria-hidden=true], [inert], .MuiAutocomplete-endAdornment, #toasts';
    const shown = [
      ...root.querySelectorAll<HTMLElement>(
        'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [role=button], [role=switch]',
      ),
    ].filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(elsewhere));
    const groupOf = (element: HTMLElement) =>
      element instanceof HTMLInputElement && element.type === 'radio'
        ? `radio ${element.name}`
        : element.closest('[role=tablist]')
          ? 'tabs'
          : element.closest('[role=toolbar]')
            ? `toolbar ${element.closest('[role=toolbar]')!.id}`
            : element.closest('.MuiToggleButtonGroup-root')
              ? `choice ${element.closest('.MuiToggleButtonGroup-root')!.getAttribute('aria-label')}`
              : null;
    const wanted = new Map(shown.map((element, at) => [element, groupOf(element) ?? `${at}`]));
    const [reached, unseen] = [new Set<string>(), new Set<string>()];
    /** The parts that may show that an element has the focus: itself, what is around it, or what stands for it. */
    const partsOf = (element: Element): Element[] => {
      const around: Element[] = [];
      // The frame of the editor is the third element around its text.
      for (let one: Element | null = element; one && around.length <= 3; one = one.parentElement) around.push(one);
      const standIns = element
        .closest('.MuiSwitch-root, .MuiInputBase-root')
        ?.querySelectorAll('.MuiSwitch-track, .MuiOutlinedInput-notchedOutline');
      const chart = element.closest('.MuiChartsSurface-root');
      return [...around, ...(standIns ?? []), ...(chart ? [chart] : [])];
    };
    /** What a person sees of a part that may change with the focus; '' where the part is hidden. */
    const lookOf = (part: Element): string => {
      const { width, height } = part.getBoundingClientRect();
      if (Math.min(width, height) < 4 || !part.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        return '';
      return [undefined, '::before', '::after']
        .map((pseudo) => {
          const style = getComputedStyle(part, pseudo);
          const line = (kind: string, size: string, color: string) =>
            kind === 'none' || parseFloat(size) === 0 || /, 0\)$/.test(color) ? '' : `${size} ${color}`;
          const { outlineStyle, outlineWidth, outlineColor, borderTopStyle, borderTopWidth, borderTopColor } = style;
          return [
            line(outlineStyle, outlineWidth, outlineColor),
            line(borderTopStyle, borderTopWidth, borderTopColor),
            style.boxShadow,
            style.backgroundColor,
          ].join();
        })
        .join();
    };
    const looks = new Map<Element, string>();
    /** Whether a part shows the focus now. A stand-in does not contain the focused element, but its field does. */
    const hasFocus = (part: Element): boolean =>
      (part.closest('.MuiSwitch-root, .MuiInputBase-root') ?? part).matches(':focus-within');
    /** Keeps the looks without the focus, also of controls that have appeared meanwhile. */
    const keepLooks = () => {
      const stops = 'a, button, input, select, textarea, summary, [tabindex], [contenteditable]';
      for (const element of root.querySelectorAll<HTMLElement>(stops))
        for (const part of element.tabIndex < 0 ? [] : partsOf(element))
          if (!looks.has(part) && !hasFocus(part)) looks.set(part, lookOf(part));
    };
    keepLooks();
    document.addEventListener('keydown', keepLooks, true);
    const nameOf = (element: HTMLElement) =>
      (element.ariaLabel ?? element.textContent.trim().slice(0, 60)) || element.outerHTML.slice(0, 120);
    document.addEventListener('focusin', ({ target }) => {
      const element = target as HTMLElement;
      const stop = wanted.get(element);
      if (stop) reached.add(stop);
      // A dialog receives the focus if it is lost, but Tab does not stop at it.
      // The field of the command palette always has the focus, as its only stop, and shows its cursor.
      if (element.tabIndex < 0 || element.matches('[cmdk-input]')) return;
      requestAnimationFrame(() => {
        const parts = partsOf(element);
        // Colours that fade in would still be the ones from before.
        for (const animation of parts.flatMap((part) => part.getAnimations()))
          if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
        // A field that had the focus from the start was not seen without it. Its frame or its ring shows the focus.
        const isSeen = parts.some(
          (part) =>
            (looks.has(part) && lookOf(part) !== looks.get(part)) ||
            getComputedStyle(part).outlineStyle !== 'none' ||
            part.matches('.Mui-focused'),
        );
        if (!isSeen && element === document.activeElement) unseen.add(nameOf(element));
      });
    });
    Object.assign(window, {
      keyboardWalk: () => [
        ...[...wanted]
          .filter(([one, stop]) => !reached.has(stop) && one.checkVisibility() && !one.matches(':disabled'))
          .map(([one]) => `is not reached: ${nameOf(one)}`),
        ...[...unseen].map((one) => `shows no focus: ${one}`),
      ],
    });
    return wanted.size;
  });
  let found: string[] = [];
  // Repeated once, because content may have appeared during the first round.
  for (let round = 0; round === 0 || (found.length > 0 && round < 2); round += 1) {
    for (let press = 0; press < controls + 25; press += 1) await page.keyboard.press('Tab');
    found = await page.evaluate(() => (window as unknown as { keyboardWalk: () => string[] }).keyboardWalk());
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  return found.map((line) => `${name} by keyboard ${line}`);
}
