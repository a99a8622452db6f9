import { Injectable } from '@nestjs/common';
import { notFound } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { ContactFields, Lists } from '../../lists/index.js';
import type { MergeTagDto } from './merge-tag.dto.js';
import { MergeTags } from './merge-tags.service.js';
import type { KnownTag } from './tag-catalogue.js';

/** The merge tags that a composition may use, for a menu. */
@Injectable()
export class MergeTagMenu {
  constructor(
    private readonly tags: MergeTags,
    private readonly lists: Lists,
    private readonly fields: ContactFields,
  ) {}

  /**
   * The tags for a composition to the chosen lists.
   * @param listIds ids of the chosen lists
   * @param withCounts whether to count the contacts that have a value for each tag; counts are absent if there are too
   * many contacts to count quickly
   * @throws 404 for a list that is neither the user's own nor the shared network
   */
  async of(user: RequestUser, listIds: readonly string[], withCounts: boolean): Promise<MergeTagDto[]> {
    const lists = listIds.length > 0 ? await this.lists.findSendable(user, [...listIds]) : [];
    if (!lists) throw notFound('Email list not found');
    const known = [...(await this.tags.catalogue(user, lists)).values()].filter(({ isAlias }) => !isAlias);
    // Members of the shared network are neither counted nor used as examples.
    const own = lists.filter(({ isDefault }) => !isDefault).map(({ id }) => id);
    if (!withCounts || own.length === 0) return known.map(toDto);
    const counts = await this.fields.count(
      own,
      known.filter(({ perContact }) => perContact),
    );
    if (!counts) return known.map(toDto);
    const { total, byTag } = counts;
    return known.map((tag) => {
      const count = byTag.get(tag.tag);
      return count
        ? { ...toDto(tag), example: tag.example || (count.example ?? ''), filled: count.filled, total }
        : toDto(tag);
    });
  }
}

const toDto = ({ tag, label, group, perContact, example }: KnownTag): MergeTagDto => ({
  tag,
  label,
  group,
  perContact,
  example,
});
