import { useEffect, useEffectEvent } from 'react';
import { isApiError } from '../../../api/api-error';
import { useToast } from '../../../ui/toast/toast';
import { useListById, useSendableLists } from '../api';
import { messages } from '../messages';
import type { DraftState } from '../use-draft';

/**
 * Removes lists that were deleted since the draft was written, with a toast. Lists beyond the first page are looked up
 * one by one.
 */
export function useRemoveDeletedLists({ draft, change }: DraftState): void {
  const { data } = useSendableLists();
  const toast = useToast();
  const missing = data ? draft.emailListIds.find((id) => !data.rows.some((list) => list.id === id)) : undefined;
  const hasAll = data !== undefined && data.total <= data.rows.length;
  const { error } = useListById(missing ?? '', missing === undefined || hasAll);
  const isGone = missing !== undefined && (hasAll || (isApiError(error) && error.status === 404));
  const drop = useEffectEvent(() => {
    change({ emailListIds: draft.emailListIds.filter((id) => id !== missing) });
    toast({ title: messages.listGone, variant: 'warning' });
  });
  useEffect(() => {
    if (isGone) drop();
  }, [isGone, missing]);
}
