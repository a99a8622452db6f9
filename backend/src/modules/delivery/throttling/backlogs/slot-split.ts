import type { LeasedBacklog } from './delivery-backlogs.service.js';

/**
 * Splits slots evenly over account holders, and those of a holder evenly over its backlogs; no backlog gets more than
 * it holds.
 */
export function splitSlots(
  leased: readonly LeasedBacklog[],
  slots: number,
): { backlog: LeasedBacklog; slots: number }[] {
  const holders = new Map<string, LeasedBacklog[]>();
  for (const backlog of leased) holders.set(backlog.userId, [...(holders.get(backlog.userId) ?? []), backlog]);
  const backlogs = [...holders.values()];
  const ofHolders = evenly(
    backlogs.map((of) => of.reduce((sum, { waiting }) => sum + waiting, 0)),
    slots,
  );
  return backlogs
    .flatMap((of, i) =>
      evenly(
        of.map(({ waiting }) => waiting),
        ofHolders[i]!,
      ).map((given, at) => ({ backlog: of[at]!, slots: given })),
    )
    .filter(({ slots: given }) => given > 0);
}

/** Splits slots evenly, at most `wanted` to each. */
function evenly(wanted: readonly number[], slots: number): number[] {
  const given = wanted.map(() => 0);
  let left = slots;
  for (let open = [...wanted.keys()]; left > 0 && open.length > 0;) {
    const each = Math.max(1, Math.floor(left / open.length));
    for (const i of open) {
      const more = Math.min(each, left, wanted[i]! - given[i]!);
      given[i]! += more;
      left -= more;
    }
    open = open.filter((i) => given[i]! < wanted[i]!);
  }
  return given;
}
