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

/** The audience that a request names. Its lists and segments were looked up. */
export interface PlannedAudience {
  /** The chosen lists; empty if only segments are chosen. */
  lists: SendableList[];
  /**
   * Lists whose columns the message may use as merge tags. If segments are chosen, these include all of the user's
   * lists, because a member of a segment may be on any of them.
   */
  tagLists: SendableList[];
  hasNetwork: boolean;
  /** The choice beyond plain lists; null if only lists are chosen. */
  choice: AudienceChoice | null;
}

type Named = AudienceChoiceDto & { emailListIds?: string[] };

/**
 * Looks up the lists, segments and exclusions that a send names. If one of them does not belong to the account, refuses
 * the whole send.
 */
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
   * @param isDraft whether the choice comes from a stored draft. A segment that no longer exists is then a conflict
   * (409) and not unknown (404).
   * @throws 404 for an unknown list or segment; 403 if the account may not send to the shared network; 400 for an
   * exclusion that is neither an address nor a domain; 409 `segment_broken`
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
   * The choice with which the audience must be evaluated.
   * @returns null for plain lists to which no rule and no cap of the account applies
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

  /** Looks up the excluded lists. Refuses the shared network, because the numbers would reveal who is a member. */
  private async excludedLists(user: RequestUser, ids: readonly string[]): Promise<SendableList[]> {
    if (ids.length === 0) return [];
    const found = ids.every((id) => isUuid(id)) ? await this.lists.findSendable(user, [...ids]) : null;
    if (!found || found.some(({ isDefault }) => isDefault)) throw unknownList();
    return found;
  }
}

/** A choice of lists only, for sends to which rules or caps of the account apply. */
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
