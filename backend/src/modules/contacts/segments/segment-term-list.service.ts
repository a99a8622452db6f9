import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SegmentTermDto } from './segment.dto.js';
import { SegmentTerms } from './segment-terms.registry.js';

/** Lists the segment terms that an account can use, in the form that the filter builder reads. */
@Injectable()
export class SegmentTermList {
  constructor(
    private readonly em: EntityManager,
    private readonly terms: SegmentTerms,
  ) {}

  async of(ownerId: string): Promise<SegmentTermDto[]> {
    const terms = await this.terms.of(ownerId, this.em.fork());
    return terms.map(({ field, label, group, noun = null, options = [], states = [], operators }) => ({
      field,
      label,
      group,
      noun,
      options: [...options],
      states: [...states],
      operators: operators.map(({ name, label: words, value }) => ({ name, label: words, value })),
    }));
  }
}
