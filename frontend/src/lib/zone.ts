let displayZone: string | undefined;

/**
 * The time zone in which times are shown.
 * @returns undefined for the browser's zone, which is used, for example, when nobody is signed in
 */
export const currentZone = (): string | undefined => displayZone;

/**
 * Sets the time zone in which times are shown. A zone that the browser does not know is ignored. Separate from
 * format.ts, so that the store does not load date-fns.
 */
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
