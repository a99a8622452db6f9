import type { TagOption } from '../../../ui/editor/tags/tag-labels';
import { builtInTags } from '../../../ui/editor/tags/built-in-tags';
import { useMergeTagQuery } from '../api';

/** The merge tags available for these lists; the default tags until the server has answered. */
export function useMergeTags(emailListIds: readonly string[]): readonly TagOption[] {
  const { data } = useMergeTagQuery(emailListIds);
  return data ?? builtInTags;
}
