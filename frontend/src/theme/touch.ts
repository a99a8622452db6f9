/** Least width and height of a control for a finger, in pixels. */
export const FINGER_PX = 44;

/** Applies where the main pointer is a finger. */
export const ON_TOUCH = '@media (pointer: coarse)';

/** Style of a control that a finger can hit. */
export const forFingers = { [ON_TOUCH]: { minHeight: FINGER_PX, minWidth: FINGER_PX } };

/** Style of a button among words, which is higher than their line for a finger, but does not move the lines apart. */
export const amongWords = { [ON_TOUCH]: { my: '-12px' } };
