import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../../shared/http/index.js';
import { contactTagsOf, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import { bodyOf, type CheckedMessage, type CheckItem, MergeTags, plainText } from '../../composing/index.js';
import { ContactFields } from '../../lists/index.js';
import type { PlannedAudience } from '../audience/chosen-audience.service.js';
import type { ComposedSend } from '../composed-sends.service.js';
import { countKey, RecentCounts } from './recent-counts.js';

const CODE = 'empty_tag';

type Counts = Awaited<ReturnType<ContactFields['count']>>;

/** Finds merge tags without a fallback that have no value for some recipients. */
@Injectable()
export class EmptyTags {
  private readonly counts = new RecentCounts<Counts>(() => true);

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
    const counts = isCountable ? await this.count(user.id, own, bare) : null;
    const emptyOf = (tag: string): number | null => {
      const count = counts?.byTag.get(tag);
      return counts && count ? counts.total - count.filled : null;
    };
    const found = bare.map(({ tag }) => ({ tag, empty: emptyOf(tag) })).filter(({ empty }) => empty !== 0);
    if (found.length === 0) return [{ code: CODE, level: 'passed', text: 'Everybody has a value for each tag.' }];
    const catalogue = await this.tags.catalogue(user, tagLists);
    const places = placesOf(message);
    return found.map(({ tag, empty }): CheckItem => {
      const label = catalogue.get(tag)?.label ?? tag;
      const place = places.find((one) => one.tag === tag && one.fallback === null);
      return {
        code: CODE,
        level: 'warning',
        text:
          empty === null
            ? `${label} has no fallback: who has no value reads nothing in its place.`
            : `${label} is empty for ${empty.toLocaleString('en-US')} of ${counts!.total.toLocaleString('en-US')} contacts and has no fallback.`,
        ...(place && {
          where: { part: place.part, from: place.from, to: place.to },
          // A screen can add a fallback only to a tag in the content. It shows where any other tag is.
          fix: place.part === 'content' ? ('addFallback' as const) : ('show' as const),
        }),
      };
    });
  }

  /**
   * The counts as of now, at most half a minute old: a message is checked after every change, and counting reads all
   * contacts of the lists. Lists that are too large are not tried again within that time either.
   */
  private count(userId: string, listIds: readonly string[], tags: readonly TagPiece[]): Promise<Counts> {
    const fields = tags.map(({ tag, labels, profile }) => ({ tag, labels, profile }));
    const key = countKey(
      userId,
      listIds.toSorted(),
      fields.toSorted((a, b) => (a.tag < b.tag ? -1 : 1)),
    );
    return this.counts.find(key) ?? this.counts.start(key, () => this.fields.count(listIds, fields));
  }
}

/** The merge tags of a message with their positions. Tags in the content come first. */
const placesOf = (message: CheckedMessage) => [
  ...bodyOf(message).tags.map((tag) => ({ ...tag, part: 'content' as const })),
  ...(['subject', 'preheader'] as const).flatMap((part) =>
    plainText(message[part]).tags.map((tag) => ({ ...tag, part })),
  ),
];
