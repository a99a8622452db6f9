import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ContactType } from '../../../shared/enums.js';
import { hashAddress } from '../../../shared/mail/address.js';
import { AudienceRules, type Bound, companyDomain, SegmentConditions } from '../../contacts/index.js';
import { AudiencePool } from '../../lists/index.js';
import type { AudienceChoice } from './audience-choice.js';
import type { JudgedChoice, Exclusion } from './audience-judgement.js';

/** The account and the send whose choice is resolved. */
export interface ResolvedFor {
  ownerId: string;
  contactType: ContactType;
  /** Time of acceptance, if the send was accepted earlier. */
  asOf?: Date;
  /** Id of the send, if it was accepted earlier. */
  sendId?: string;
}

/**
 * Turns a stored choice into everything that decides about its addresses: segments as SQL conditions, rules and caps.
 */
@Injectable()
export class ChoiceResolver {
  constructor(
    private readonly segments: SegmentConditions,
    private readonly rules: AudienceRules,
    private readonly pool: AudiencePool,
  ) {}

  /** @throws 404 for an unknown segment, 409 `segment_broken` or `preparing` */
  async resolve(
    em: EntityManager,
    choice: AudienceChoice,
    { ownerId, contactType, asOf, sendId }: ResolvedFor,
  ): Promise<JudgedChoice> {
    const conditions = async (ids: readonly string[], bound: Bound) =>
      Promise.all(ids.map(async (id) => ({ id, members: await this.segments.of(ownerId, id, em, { bound, sendId }) })));
    // Segments may ask who was mailed by an earlier send whose audience is not frozen yet. People who may be in that
    // audience do not match a chosen segment, but do match an excluded one.
    const chosen = await conditions(choice.segmentIds, 'lower');
    const excluded = await conditions(choice.excludeSegmentIds, 'upper');
    const companyCaps = await this.rules.caps(em, ownerId);
    const isCapped = choice.perCompany !== null || companyCaps.length > 0;
    const nameOf = (id: string): string => choice.names[id] ?? '';
    return {
      pool: {
        ownerId,
        contactType,
        listIds: choice.listIds,
        segments: chosen.map(({ members }) => members),
        ...(asOf && { asOf }),
      },
      rules: await this.rules.rules(em, ownerId),
      here: choice.excludeAddresses.map(exclusionHere),
      excludedLists: choice.excludeListIds.map((id) => ({ id, name: nameOf(id) })),
      excludedSegments: excluded.map(({ id, members }) => ({ name: nameOf(id), members })),
      cap: choice.perCompany,
      companyCaps,
      companies: isCapped ? await this.companiesOf(em, choice.listIds) : [],
    };
  }

  /** Finds companies by host. Done in this process, because the database does not know the Public Suffix List. */
  private async companiesOf(
    em: EntityManager,
    listIds: readonly string[],
  ): Promise<{ host: string; company: string }[]> {
    const hosts = await this.pool.hostsWithoutCompany(em, listIds);
    return hosts.flatMap((host) => {
      const company = companyDomain(`x@${host}`);
      return company ? [{ host, company }] : [];
    });
  }
}

function exclusionHere(value: string): Exclusion {
  const isAddress = value.includes('@');
  return {
    kind: isAddress ? 'address' : 'domain',
    value,
    hash: isAddress ? hashAddress(value).toString('hex') : null,
    words: `Left out of this send: ${value}`,
    maskedWords: 'Left out of this send',
  };
}
