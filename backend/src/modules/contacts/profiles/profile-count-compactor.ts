import { Injectable } from '@nestjs/common';
import { Compactor, type CounterTable } from '../../../shared/database/queries/compactor.js';

/** Leaves one row of profile_counts per account. */
@Injectable()
export class ProfileCountCompactor extends Compactor {
  protected readonly lock = 'contacts.profile_counts';
  protected readonly source: CounterTable = {
    table: 'profile_counts',
    key: ['owner_id'],
    counts: ['profiles'],
    ready: 'true',
  };
}
