import type { ContactSource } from '../entities/contact.entity.js';
import type { OutreachSender } from '../outreach/outreach-budget.service.js';

/** Due confirmation mails of one list and one kind of requester. */
export interface DueGroup {
  list: string;
  source: ContactSource;
  /** Null for the default list. */
  ownerId: string | null;
}

/** A group, and how many of its contacts a batch may contain. */
export interface BatchShare extends DueGroup {
  /** Maximum number of contacts. */
  most: number;
}

/** Capacity of a batch, separately for visitors, who wait for their mail, and for all others. */
export interface BatchRoom {
  visitors: number;
  others: number;
}

/**
 * Divides a batch between owners. The capacities for visitors and for others are each shared equally, whatever the
 * number of lists and contacts, and no owner exceeds the remaining budget. With more owners than capacity, the next
 * batch continues after the last owner served (round robin).
 * @param after last owner served; empty for none
 */
export function shareBatch(
  groups: readonly DueGroup[],
  senders: ReadonlyMap<string, OutreachSender>,
  room: BatchRoom,
  after: string,
): { shares: BatchShare[]; last: string } {
  const visitors = shareRoom(groups.filter(isVisitors), room.visitors, after, (ownerId) =>
    budgetOf(ownerId, senders, 'visitorRoom'),
  );
  const others = shareRoom(
    groups.filter((group) => !isVisitors(group)),
    room.others,
    after,
    (ownerId) => budgetOf(ownerId, senders, 'ownRoom'),
  );
  return { shares: [...visitors.shares, ...others.shares], last: others.last ?? visitors.last ?? after };
}

export const isVisitors = ({ source }: { source: ContactSource }): boolean => source === 'public';

function budgetOf(
  ownerId: string | null,
  senders: ReadonlyMap<string, OutreachSender>,
  side: 'ownRoom' | 'visitorRoom',
): number {
  return ownerId === null ? Infinity : (senders.get(ownerId)?.[side] ?? 0);
}

function shareRoom(
  groups: readonly DueGroup[],
  room: number,
  after: string,
  budgetLeft: (ownerId: string | null) => number,
): { shares: BatchShare[]; last?: string } {
  const byOwner = new Map<string, DueGroup[]>();
  for (const group of groups) {
    if (budgetLeft(group.ownerId) > 0)
      byOwner.set(group.ownerId ?? '', [...(byOwner.get(group.ownerId ?? '') ?? []), group]);
  }
  const owners = [...byOwner.keys()].sort();
  const start = owners.findIndex((owner) => owner > after);
  const rotated = start > 0 ? [...owners.slice(start), ...owners.slice(0, start)] : owners;
  const each = Math.max(1, Math.floor(room / Math.max(1, owners.length)));
  const shares: BatchShare[] = [];
  let last: string | undefined;
  for (const owner of rotated.slice(0, Math.max(0, room))) {
    const own = byOwner.get(owner)!;
    let left = Math.min(each, budgetLeft(owner || null));
    own.forEach((group, at) => {
      const most = Math.ceil(left / (own.length - at));
      if (most > 0) shares.push({ ...group, most });
      left -= most;
    });
    last = owner;
  }
  return { shares, last };
}
