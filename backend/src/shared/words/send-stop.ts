/** What its sender did to a send: paused for now, or cancelled for good. */
export const SEND_STOPS = ['paused', 'cancelled'] as const;
export type SendStop = (typeof SEND_STOPS)[number];
