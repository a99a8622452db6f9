/** Minimum width and height, in pixels, of a control that is pressed with a finger. */
export const FINGER_PX = 44;

/** Applies if the main pointer is a finger. */
export const ON_TOUCH = '@media (pointer: coarse)';

/** Makes a control large enough for a finger. */
export const forFingers = { [ON_TOUCH]: { minHeight: FINGER_PX, minWidth: FINGER_PX } };

/** Style of a button within text. For a finger it is higher than its line, but does not increase the line spacing. */
export const amongWords = { [ON_TOUCH]: { my: '-12px' } };
