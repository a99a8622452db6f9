import { Injectable } from '@nestjs/common';
import { Compactor, type CounterTable } from '../../../shared/database/queries/compactor.js';

/** Merges the rows of profile_counts into one per account, and deletes the rows of deleted accounts. */
@Injectable()
export class ProfileCountCompactor extends Compactor {
  protected readonly lock = 'contacts.profile_counts';
  protected readonly source: CounterTable = {
    table: 'profile_counts',
    key: ['owner_id'],
    counts: ['profiles'],
    ready: 'true',
    orphaned: 'not exists (select 1 from users u where u.id = t.owner_id)',
    existing: 'join users u on u.id = g.owner_id',
  };
}
