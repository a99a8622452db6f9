import type { TagDescription } from '@reduxjs/toolkit/query/react';
import { tagTypes, type Tag } from '../cache-tags';

export type ChangeTag = TagDescription<Tag>;

/** An event of the stream: what changed. Without ids, everything of the kind may have changed. */
export interface Change {
  kind: string;
  ids?: string[];
}

/**
 * Reads an event.
 * @returns null if the event is not a change
 */
export function readChange(data: unknown): Change | null {
  if (typeof data !== 'object' || data === null || !('kind' in data) || typeof data.kind !== 'string') return null;
  const ids = 'ids' in data && Array.isArray(data.ids) ? data.ids.filter((id) => typeof id === 'string') : undefined;
  return { kind: data.kind, ...(ids && { ids }) };
}

const tagsOfType = (...types: Tag[]) => types.map((type) => ({ type }));
const tagsWithIds = (types: Tag[], ids?: string[]): ChangeTag[] =>
  ids ? types.flatMap((type) => ids.map((id) => ({ type, id }))) : tagsOfType(...types);

/** Cache tags of admin data that each kind of change invalidates, whichever account the change is in. */
const adminTagsOf: Record<string, Tag[]> = {
  me: ['AdminUsers'],
  session: ['AdminUsers'],
  plan: ['AdminUsers'],
  usage: ['AdminUsers'],
  list: ['AdminContacts'],
  contacts: ['AdminContacts', 'Suppressions'],
  import: ['AdminImports'],
  file: ['AdminFiles'],
  send: ['AdminSends'],
  progress: ['AdminSends'],
};
/** Tags that nearly every change affects: the product's numbers and the log of admin actions. */
const everyAdminTags = ['AdminNumbers', 'AdminAudit'] as const;

/** The cache tags of each kind of change. A kind that only a newer server knows is ignored. */
const tagsOf: Record<string, (ids?: string[]) => ChangeTag[]> = {
  me: () => tagsOfType('Me', 'Audit'),
  session: () => tagsOfType('Sessions', 'Audit'),
  list: (ids) => [...tagsWithIds(['List'], ids), ...tagsOfType('Lists')],
  contacts: (ids) => [
    ...tagsWithIds(['Contacts', 'List'], ids),
    ...tagsOfType('ListCounts', 'ListChoices', 'Profiles', 'Profile', 'Companies'),
  ],
  profile: (ids) => [...tagsWithIds(['Profile'], ids), ...tagsOfType('Profiles', 'Companies')],
  bulk: () => tagsOfType('RunningTasks', 'Profiles', 'Profile', 'Contacts', 'ListCounts', 'ListChoices', 'List'),
  rules: () => tagsOfType('DoNotSend', 'Companies', 'Profile'),
  import: (ids) => [...tagsWithIds(['Import'], ids), ...tagsOfType('Imports', 'RunningTasks')],
  file: () => tagsOfType('Files'),
  send: (ids) => [...tagsWithIds(['HistoryEntry', 'Deliveries'], ids), ...tagsOfType('History', 'RunningTasks')],
  schedule: () => tagsOfType('Scheduled'),
  progress: (ids) => [...tagsWithIds(['Deliveries'], ids), ...tagsOfType('RunningTasks')],
  usage: () => tagsOfType('Me'),
  plan: () => tagsOfType('Plan', 'Me'),
  referral: () => tagsOfType('Referrals'),
  notification: () => tagsOfType('Notifications'),
  'mail-account': () => tagsOfType('Providers', 'AdminAudit'),
  admin: (kinds) =>
    kinds
      ? tagsOfType(...new Set([...kinds.flatMap((kind) => adminTagsOf[kind] ?? []), ...everyAdminTags]))
      : tagsOfType(
          'AdminUsers',
          'AdminContacts',
          'AdminImports',
          'AdminFiles',
          'AdminSends',
          'Suppressions',
          ...everyAdminTags,
        ),
};

/** The cache tags that a change invalidates. */
export const staleTags = ({ kind, ids }: Change): ChangeTag[] => tagsOf[kind]?.(ids) ?? [];

export const allTags: ChangeTag[] = tagsOfType(...tagTypes);
