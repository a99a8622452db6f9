export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** Adds months in UTC. If the month does not have the day, uses the month's last day. */
export function addMonths(anchor: number, months: number): number {
  const at = new Date(anchor * 1000);
  const target = new Date(
    Date.UTC(
      at.getUTCFullYear(),
      at.getUTCMonth() + months,
      1,
      at.getUTCHours(),
      at.getUTCMinutes(),
      at.getUTCSeconds(),
    ),
  );
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(at.getUTCDate(), lastDay));
  return Math.floor(target.getTime() / 1000);
}

/**
 * End of the period that starts at `start`. Counts from the anchor, so that a plan that began on the 31st always renews
 * on the month's last day.
 */
export function periodEnd(anchor: number, start: number, interval: string): number {
  const step = interval === 'year' ? 12 : 1;
  let months = step;
  while (addMonths(anchor, months) <= start) months += step;
  return addMonths(anchor, months);
}
