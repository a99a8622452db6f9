import { useState } from 'react';
import { tagsIn } from '../../../ui/editor/tags/tag-syntax';
import { useRendered, type RecipientChoice } from '../api';
import type { Draft } from '../draft';
import { useMergeTags } from '../composition/use-merge-tags';
import { bodyText } from '../composition/templates';

interface Place {
  choice: RecipientChoice;
  /** Position of the recipient, from 1. */
  index: number;
}

/** Steps through the recipients of a draft. @param total number of recipients, if known */
export function useRecipientSteps(draft: Draft, total: number | null, marks: boolean) {
  const [{ choice, index }, setPlace] = useState<Place>({ choice: {}, index: 1 });
  const query = useRendered(draft, choice, marks);
  const { currentData, data, error, isFetching, refetch } = query;
  // The previous copy stays visible while the next one loads.
  const message = currentData ?? (isFetching ? data : undefined);
  const tags = useMergeTags(draft.emailListIds);
  const used = new Set(tagsIn(`${draft.subject}\n${draft.preheader}\n${bodyText(draft)}`).map(({ tag }) => tag));
  const perContact = tags.filter(({ tag, total: of }) => used.has(tag) && of !== undefined);
  const [only] = perContact;
  const emptyCount = perContact.length === 1 && only?.total !== undefined ? only.total - (only.filled ?? 0) : null;
  const { search = '', onlyEmpty = false } = choice;
  const step = (way: 'next' | 'previous') => {
    const cursor = message?.[way];
    if (!cursor || isFetching) return;
    setPlace({
      choice: {
        ...(search && { search }),
        ...(onlyEmpty && { onlyEmpty }),
        [way === 'next' ? 'after' : 'before']: cursor,
      },
      index: Math.max(1, index + (way === 'next' ? 1 : -1)),
    });
  };
  return {
    message: message ?? null,
    recipient: message?.recipient ?? null,
    isMadeUp: message !== undefined && message.recipient === null && !search && !onlyEmpty,
    error,
    isFetching,
    refetch,
    index,
    total,
    search,
    onlyEmpty,
    hasTags: used.size > 0,
    emptyCount,
    canStep: (way: 'next' | 'previous') => Boolean(message?.[way]),
    step,
    find: (change: Pick<RecipientChoice, 'search' | 'onlyEmpty'>) => {
      const next = { search, onlyEmpty, ...change };
      setPlace({
        choice: { ...(next.search && { search: next.search }), ...(next.onlyEmpty && { onlyEmpty: true }) },
        index: 1,
      });
    },
  };
}

export type RecipientSteps = ReturnType<typeof useRecipientSteps>;
