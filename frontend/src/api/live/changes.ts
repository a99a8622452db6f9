import type { TagDescription } from '@reduxjs/toolkit/query/react';
import { tagTypes, type Tag } from '../client';

export type ChangeTag = TagDescription<Tag>;

/** What an event of the stream says: what changed; without ids all of the kind. */
export interface Change {
  kind: string;
  ids?: string[];
}

/** Reads an event; null: nothing of ours. */
export function readChange(data: unknown): Change | null {
  if (typeof data !== 'object' || data === null || !('kind' in data) || typeof data.kind !== 'string') return null;
  const ids = 'ids' in data && Array.isArray(data.ids) ? data.ids.filter((id) => typeof id === 'string') : undefined;
  return { kind: data.kind, ...(ids && { ids }) };
}

const every = (...types: Tag[]) => types.map((type) => ({ type }));
const each = (types: Tag[], ids?: string[]): ChangeTag[] => (ids ? types.flatMap((type) => ids.map((id) => ({ type, id }))) : every(...types));

/** What is on screens of each kind of change. A kind that a newer server tells of changes nothing here. */
const tagsOf: Record<string, (ids?: string[]) => ChangeTag[]> = {
  me: () => every('Me', 'Audit'),
  session: () => every('Sessions', 'Audit'),
  list: (ids) => [...each(['List'], ids), ...every('Lists')],
  contacts: (ids) => each(['Contacts', 'List'], ids),
  import: (ids) => [...each(['Import'], ids), ...every('RunningTasks')],
  send: (ids) => [...each(['HistoryEntry', 'Deliveries'], ids), ...every('History', 'RunningTasks')],
  progress: (ids) => [...each(['Deliveries'], ids), ...every('RunningTasks')],
  usage: () => every('Me'),
  plan: () => every('Plan', 'Me'),
  referral: () => every('Referrals'),
  admin: () => every('AdminUsers', 'AdminContacts', 'AdminImports', 'AdminSends', 'Suppressions', 'AdminNumbers', 'AdminAudit'),
};

/** The cache tags that a change makes stale. */
export const staleTags = ({ kind, ids }: Change): ChangeTag[] => tagsOf[kind]?.(ids) ?? [];

export const allTags: ChangeTag[] = every(...tagTypes);
