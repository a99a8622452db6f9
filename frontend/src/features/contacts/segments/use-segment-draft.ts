import { useState } from 'react';
import { client } from '../../../api/client';
import type { SegmentDto } from '../../../api/endpoints.gen';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { useToast } from '../../../ui/toast/toast';
import { reasonOf } from '../api';
import { isComplete } from './builder/faults';
import { fromStored, type Group, newGroup, newRule, toStored } from './builder/tree';
import type { StoredFilter, Terms } from './filter';
import { messages } from './messages';

const firstTree = (filter: StoredFilter | undefined, terms: Terms): Group => {
  if (filter) return fromStored(filter);
  const [first] = terms.all;
  return newGroup(first ? [newRule(first)] : []);
};

/**
 * Name and rules of a segment that is being edited. Asks before changes are lost.
 * @param segment undefined for a new segment
 * @param filter the first rules of a new segment; one empty rule if undefined
 */
export function useSegmentDraft(segment: SegmentDto | undefined, filter: StoredFilter | undefined, terms: Terms) {
  const [name, setName] = useState(segment?.name ?? '');
  const [tree, setTree] = useState(() =>
    firstTree(segment ? (segment.filter as unknown as StoredFilter) : filter, terms),
  );
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [version, setVersion] = useState(segment?.version);
  const { create, update, isSaving } = useSave();
  const stored = toStored(tree);
  const [saved, setSaved] = useState(() => JSON.stringify([segment?.name ?? '', stored]));
  const isChanged = JSON.stringify([name.trim(), stored]) !== saved;
  const complete = isComplete(tree, terms);
  useUnsavedInput(isChanged && !isSaving);
  const forget = () => setSaved(JSON.stringify([name.trim(), stored]));
  return {
    name,
    setName,
    tree,
    setTree,
    filter: stored,
    isChanged,
    isComplete: complete,
    isSaving,
    /** Whether there was an attempt to save; faults are shown from then on. */
    isTried,
    setTried,
    /** Why the last save failed. */
    failure,
    /** Treats the rules on the screen as saved, so that leaving asks no question. */
    forget,
    /** @returns the saved segment's id; undefined if it was not saved */
    save: async (): Promise<string | undefined> => {
      setTried(true);
      setFailure(undefined);
      if (!name.trim() || !complete) return undefined;
      try {
        const { id, version: now } = segment
          ? await update({ id: segment.id, version }, name.trim(), stored)
          : await create(name.trim(), stored);
        setVersion(now);
        forget();
        setTried(false);
        return id;
      } catch (error) {
        setFailure(reasonOf(error));
        return undefined;
      }
    },
    /** Saves the rules as another segment. @returns its id */
    saveCopy: async (copyName: string): Promise<string> => {
      const { id } = await create(copyName, stored);
      forget();
      return id;
    },
  };
}

export type SegmentDraft = ReturnType<typeof useSegmentDraft>;

function useSave() {
  const [post, { isLoading: isCreating }] = client.useCreateSegmentMutation();
  const [patch, { isLoading: isUpdating }] = client.useUpdateSegmentMutation();
  const toast = useToast();
  const announce = (name: string) => toast({ title: messages.saved, description: name, variant: 'success' });
  const body = (name: string, filter: StoredFilter) => ({ name, filter: filter as unknown as Record<string, unknown> });
  return {
    isSaving: isCreating || isUpdating,
    create: async (name: string, filter: StoredFilter) => {
      const made = await post({ createSegmentDto: body(name, filter) }).unwrap();
      announce(name);
      return made;
    },
    update: async ({ id, version }: { id: string; version?: number }, name: string, filter: StoredFilter) => {
      const changed = await patch({ id, updateSegmentDto: { ...body(name, filter), version } }).unwrap();
      announce(name);
      return changed;
    },
  };
}
