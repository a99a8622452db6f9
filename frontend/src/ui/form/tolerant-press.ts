import type { MouseEvent as ReactMouseEvent } from 'react';

/** A pointer that moved further counts as moved off the button, which cancels the press. */
const MAX_MOVE_PX = 6;

/**
 * For `onMouseDown` of a button that may move while it is pressed, because an answer of the server adds a line above
 * it. The browser then fires no click, since press and release hit different elements. With this handler the press
 * counts if the pointer itself did not move.
 */
export function tolerantPress(event: ReactMouseEvent<HTMLButtonElement>): void {
  if (event.button !== 0) return;
  const { currentTarget: button, clientX, clientY } = event;
  const onRelease = (release: MouseEvent) => {
    end();
    // The browser fires the click by itself.
    if (release.target instanceof Node && button.contains(release.target)) return;
    if (Math.hypot(release.clientX - clientX, release.clientY - clientY) <= MAX_MOVE_PX) button.click();
  };
  // A press that is released outside the window ends with the next press.
  const end = () => {
    window.removeEventListener('mouseup', onRelease, true);
    window.removeEventListener('mousedown', end, true);
  };
  window.addEventListener('mouseup', onRelease, true);
  window.addEventListener('mousedown', end, true);
}
