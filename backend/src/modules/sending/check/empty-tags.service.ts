import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../../shared/http/index.js';
import { contactTagsOf } from '../../../shared/merge-tags/pieces.js';
import { bodyOf, type CheckedMessage, type CheckItem, MergeTags, plainText } from '../../composing/index.js';
import { ContactFields } from '../../lists/index.js';
import type { PlannedAudience } from '../audience/chosen-audience.service.js';
import type { ComposedSend } from '../composed-sends.service.js';

const CODE = 'empty_tag';

/** Finds merge tags without a fallback that have no value for some recipients. */
@Injectable()
export class EmptyTags {
  constructor(
    private readonly tags: MergeTags,
    private readonly fields: ContactFields,
  ) {}

  async of(
    user: RequestUser,
    { lists, tagLists, choice }: PlannedAudience,
    message: CheckedMessage,
    { written }: ComposedSend,
  ): Promise<CheckItem[]> {
    const used = written ? contactTagsOf(written.message) : [];
    if (used.length === 0) return [];
    const bare = used.filter(({ fallback }) => fallback === null);
    if (bare.length === 0) return [{ code: CODE, level: 'passed', text: 'Tags have fallbacks.' }];
    const own = lists.filter(({ isDefault }) => !isDefault).map(({ id }) => id);
    // Columns can be counted only on the user's own lists. Members of segments or of the network may be on none of
    // these lists.
    const isCountable = own.length > 0 && own.length === lists.length && !choice?.segmentIds.length;
    const counts = isCountable ? await this.fields.count(own, bare) : null;
    const catalogue = await this.tags.catalogue(user, tagLists);
    const places = placesOf(message);
    const items = bare.flatMap(({ tag }): CheckItem[] => {
      const count = counts?.byTag.get(tag);
      const empty = counts && count ? counts.total - count.filled : null;
      if (empty === 0) return [];
      const label = catalogue.get(tag)?.label ?? tag;
      const place = places.find((one) => one.tag === tag && one.fallback === null);
      return [
        {
          code: CODE,
          level: 'warning',
          text:
            empty === null
              ? `${label} has no fallback: who has no value reads nothing in its place.`
              : `${label} is empty for ${empty.toLocaleString('en-US')} of ${counts!.total.toLocaleString('en-US')} contacts and has no fallback.`,
          ...(place && {
            where: { part: place.part, from: place.from, to: place.to },
            // A screen can add a fallback only to a tag in the content. For any other tag, it can only show where the
            // tag is.
            fix: place.part === 'content' ? ('addFallback' as const) : ('show' as const),
          }),
        },
      ];
    });
    return items.length > 0 ? items : [{ code: CODE, level: 'passed', text: 'Everybody has a value for each tag.' }];
  }
}

/** The merge tags of a message with their positions. Tags in the content come first. */
const placesOf = (message: CheckedMessage) => [
  ...bodyOf(message).tags.map((tag) => ({ ...tag, part: 'content' as const })),
  ...(['subject', 'preheader'] as const).flatMap((part) =>
    plainText(message[part]).tags.map((tag) => ({ ...tag, part })),
  ),
];
