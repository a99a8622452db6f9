import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SqlPart } from '../../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../../shared/database/queries/sql-array.js';
import { Tags } from '../../tags/tags.service.js';
import { not, operator, SegmentTerms } from '../segment-terms.registry.js';

// The first condition repeats the predicate of the partial index; without it the index is not used.
const tagged = (test: '&&' | '@>', tags: string[]): SqlPart => ({
  sql: `p.tag_ids <> '{}' and p.tag_ids ${test} ?::int[]`,
  params: [sqlArray(tags)],
});

/** Terms about the account's tags. */
@Injectable()
export class TagTerms implements OnModuleInit {
  constructor(
    private readonly registry: SegmentTerms,
    private readonly tags: Tags,
  ) {}

  onModuleInit(): void {
    this.registry.add({
      terms: async (ownerId, em) => [
        {
          field: 'tags',
          label: 'Tags',
          group: 'Tags',
          noun: 'tag',
          options: (await this.tags.list(ownerId, em)).map(({ id, name }) => ({ value: String(id), label: name })),
          operators: [
            operator('anyOf', 'has any of', 'options', (tags) => tagged('&&', tags)),
            operator('allOf', 'has all of', 'options', (tags) => tagged('@>', tags)),
            operator('noneOf', 'has none of', 'options', (tags) => not(tagged('&&', tags))),
          ],
        },
      ],
    });
  }
}
