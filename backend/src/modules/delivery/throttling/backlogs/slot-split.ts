import type { LeasedBacklog } from './delivery-backlogs.service.js';

/**
 * Splits slots evenly over account holders, and the slots of a holder evenly over the holder's backlogs. No backlog
 * gets more slots than it has messages.
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

/** Splits slots evenly, but gives each receiver at most the number in `wanted`. */
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
