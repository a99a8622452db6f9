import type { ContactSource } from '../entities/contact.entity.js';
import type { OutreachSender } from '../outreach/outreach-budget.service.js';

/** A list with due confirmation mails that somebody of one kind asked for. */
export interface OptInLane {
  list: string;
  source: ContactSource;
  /** Null: the network. */
  ownerId: string | null;
}

export interface LaneTurn extends OptInLane {
  /** Contacts to read of it in this batch. */
  most: number;
}

/** Room of a batch: for visitors, who wait at a screen, and for everybody else. */
export interface BatchRoom {
  visitors: number;
  others: number;
}

/**
 * Shares a batch out: visitors' mails and others' each have their own room, in which every owner gets an equal part, however many lists
 * and contacts wait; no owner gets more than the day's budget leaves. Where there are more owners than places, the next batch goes on
 * after the last owner served.
 * @param after owner served last (empty: none)
 */
export function shareOut(lanes: readonly OptInLane[], senders: ReadonlyMap<string, OutreachSender>, room: BatchRoom, after: string): { turns: LaneTurn[]; last: string } {
  const visitors = shareOne(lanes.filter(isVisitors), room.visitors, after, (ownerId) => roomOf(ownerId, senders, 'visitorRoom'));
  const others = shareOne(lanes.filter((lane) => !isVisitors(lane)), room.others, after, (ownerId) => roomOf(ownerId, senders, 'ownRoom'));
  return { turns: [...visitors.turns, ...others.turns], last: others.last ?? visitors.last ?? after };
}

export const isVisitors = ({ source }: { source: ContactSource }): boolean => source === 'public';

function roomOf(ownerId: string | null, senders: ReadonlyMap<string, OutreachSender>, side: 'ownRoom' | 'visitorRoom'): number {
  return ownerId === null ? Infinity : (senders.get(ownerId)?.[side] ?? 0);
}

function shareOne(lanes: readonly OptInLane[], places: number, after: string, roomFor: (ownerId: string | null) => number): { turns: LaneTurn[]; last?: string } {
  const byOwner = new Map<string, OptInLane[]>();
  for (const lane of lanes) {
    if (roomFor(lane.ownerId) > 0) byOwner.set(lane.ownerId ?? '', [...(byOwner.get(lane.ownerId ?? '') ?? []), lane]);
  }
  const owners = [...byOwner.keys()].sort();
  const start = owners.findIndex((owner) => owner > after);
  const inTurn = start > 0 ? [...owners.slice(start), ...owners.slice(0, start)] : owners;
  const each = Math.max(1, Math.floor(places / Math.max(1, owners.length)));
  const turns: LaneTurn[] = [];
  let last: string | undefined;
  for (const owner of inTurn.slice(0, Math.max(0, places))) {
    const own = byOwner.get(owner)!;
    let left = Math.min(each, roomFor(owner || null));
    own.forEach((lane, at) => {
      const most = Math.ceil(left / (own.length - at));
      if (most > 0) turns.push({ ...lane, most });
      left -= most;
    });
    last = owner;
  }
  return { turns, last };
}
