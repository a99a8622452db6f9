import type { MouseEvent as ReactMouseEvent } from 'react';

/** A pointer that moved further was drawn off the button, which cancels the press. */
const MAX_MOVE_PX = 6;

/**
 * For `onMouseDown` of a button that content above may move while it is pressed, as an answer of the server does that
 * adds a line between press and release: the browser then clicks nothing, and the press is lost. With this it counts
 * where the pointer stayed where it was.
 */
export function tolerantPress(event: ReactMouseEvent<HTMLButtonElement>): void {
  if (event.button !== 0) return;
  const { currentTarget: button, clientX, clientY } = event;
  const onRelease = (release: MouseEvent) => {
    end();
    // The browser clicks by itself.
    if (release.target instanceof Node && button.contains(release.target)) return;
    if (Math.hypot(release.clientX - clientX, release.clientY - clientY) <= MAX_MOVE_PX) button.click();
  };
  // A press that was released outside the window ends with the next one.
  const end = () => {
    window.removeEventListener('mouseup', onRelease, true);
    window.removeEventListener('mousedown', end, true);
  };
  window.addEventListener('mouseup', onRelease, true);
  window.addEventListener('mousedown', end, true);
}
