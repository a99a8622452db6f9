let displayZone: string | undefined;

/** The time zone of displayed times; undefined for the browser's, as when nobody is signed in. */
export const shownZone = (): string | undefined => displayZone;

/** Sets the time zone of displayed times. A zone that the browser does not know is ignored. Apart from format.ts, so that the store does not load date-fns. */
export function setDisplayZone(zone: string | undefined): void {
  displayZone = zone && isKnown(zone) ? zone : undefined;
}

function isKnown(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone }));
  } catch {
    return false;
  }
}
