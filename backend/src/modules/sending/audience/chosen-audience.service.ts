import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { invalid } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { isUuid } from '../../../shared/text/formats.js';
import { type AudienceChoiceDto, audienceOf, type DraftAudience } from '../../composing/index.js';
import { AudienceRules, readRuleValue, SegmentConditions } from '../../contacts/index.js';
import type { AudienceChoice } from '../../delivery/index.js';
import { Lists, type SendableList } from '../../lists/index.js';
import { ChosenLists, NetworkAccess } from '../network-access.service.js';
import { segmentGone, unknownList, unknownSegment } from '../sending.errors.js';

/** The audience that a request names, with its lists and segments looked up. */
export interface PlannedAudience {
  /** The chosen lists; none where only segments are chosen. */
  lists: SendableList[];
  /**
   * Lists whose columns the message may name in tags. With segments these are all own lists, because a member may be on
   * any of them.
   */
  tagLists: SendableList[];
  hasNetwork: boolean;
  /** Null for plain lists. */
  choice: AudienceChoice | null;
}

type Named = AudienceChoiceDto & { emailListIds?: string[] };

/** Resolves the lists, segments and exclusions that a send names. One that is not the account's own refuses the whole send. */
@Injectable()
export class ChosenAudience {
  constructor(
    private readonly chosen: ChosenLists,
    private readonly network: NetworkAccess,
    private readonly lists: Lists,
    private readonly segments: SegmentConditions,
    private readonly rules: AudienceRules,
  ) {}

  /**
   * @param isDraft whether the choice comes from a stored draft: a segment that was deleted since is then a conflict
   * (409), not unknown (404)
   * @throws 404 for an unknown list or segment; 403 where the shared network is not open to the account; 400 for an
   * exclusion that is neither an address nor a domain; 409 segment_broken
   */
  async of(user: RequestUser, body: Named, isDraft = false): Promise<PlannedAudience> {
    const ids = body.emailListIds ?? [];
    const audience = audienceOf(body);
    const lists = ids.length > 0 || !audience?.segmentIds.length ? await this.chosen.of(user, ids) : [];
    await this.network.assertOpen(user, lists);
    const choice = audience && (await this.choiceOf(user, lists, audience, isDraft));
    const own = audience?.segmentIds.length ? await this.lists.ownAll(user) : [];
    const known = new Set(lists.map(({ id }) => id));
    return {
      lists,
      tagLists: [...lists, ...own.filter(({ id }) => !known.has(id))],
      hasNetwork: lists.some(({ isDefault }) => isDefault),
      choice,
    };
  }

  /**
   * The choice by which the audience is evaluated, where more than plain lists decide on it.
   * @returns null for plain lists that no rule and no cap of the account concerns
   */
  async choiceFor(
    em: EntityManager,
    ownerId: string,
    { choice, lists, hasNetwork }: PlannedAudience,
  ): Promise<AudienceChoice | null> {
    if (choice) return choice;
    return (await this.rules.areInPlay(em, ownerId, hasNetwork)) ? plainChoice(lists) : null;
  }

  private async choiceOf(
    user: RequestUser,
    lists: readonly SendableList[],
    audience: DraftAudience,
    isDraft: boolean,
  ): Promise<AudienceChoice> {
    const { segmentIds, excludeListIds, excludeSegmentIds, excludeAddresses, perCompany } = audience;
    const wanted = [...segmentIds, ...excludeSegmentIds];
    const segmentNames = await this.segments.names(user.id, wanted);
    if (wanted.some((id) => !segmentNames.has(id))) throw isDraft ? segmentGone() : unknownSegment();
    const excluded = await this.excludedLists(user, excludeListIds);
    return {
      ...plainChoice(lists),
      segmentIds,
      excludeListIds,
      excludeSegmentIds,
      excludeAddresses: readExclusions(excludeAddresses),
      perCompany,
      names: {
        ...Object.fromEntries(segmentNames),
        ...Object.fromEntries([...lists, ...excluded].map(({ id, name }) => [id, name])),
      },
    };
  }

  /** The shared network cannot be excluded: the numbers would tell who is on it. */
  private async excludedLists(user: RequestUser, ids: readonly string[]): Promise<SendableList[]> {
    if (ids.length === 0) return [];
    const found = ids.every((id) => isUuid(id)) ? await this.lists.findSendable(user, [...ids]) : null;
    if (!found || found.some(({ isDefault }) => isDefault)) throw unknownList();
    return found;
  }
}

/** A choice of lists only, for a send that rules or caps of the account concern. */
export const plainChoice = (lists: readonly { id: string; name: string }[]): AudienceChoice => ({
  listIds: lists.map(({ id }) => id),
  segmentIds: [],
  excludeListIds: [],
  excludeSegmentIds: [],
  excludeAddresses: [],
  perCompany: null,
  names: Object.fromEntries(lists.map(({ id, name }) => [id, name])),
});

function readExclusions(given: readonly string[]): string[] {
  const values = given.map((text) => {
    const read = readRuleValue(text);
    if (!read) throw invalid('excludeAddresses', `Enter an address or a domain: "${text.slice(0, 100)}" is neither`);
    return read.value;
  });
  return [...new Set(values)];
}
