import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { BULK_STATUSES, type BulkStatus, JOB_ACTIONS, type JobAction } from '../contacts.constants.js';

/** One change of many profiles, carried out in batches that commit with their progress. */
@Entity({ tableName: 'contact_bulk_jobs' })
@Check({ name: 'contact_bulk_jobs_action_check', expression: oneOf('action', JOB_ACTIONS) })
@Check({ name: 'contact_bulk_jobs_status_check', expression: oneOf('status', BULK_STATUSES) })
@Index({ name: 'contact_bulk_jobs_owner_index', properties: ['ownerId', 'createdAt'] })
@Index({
  name: 'contact_bulk_jobs_open_index',
  expression: `create index "contact_bulk_jobs_open_index" on "contact_bulk_jobs" ("created_at") where status in ('queued', 'running')`,
})
@Index({
  name: 'contact_bulk_jobs_finished_index',
  expression:
    'create index "contact_bulk_jobs_finished_index" on "contact_bulk_jobs" ("finished_at") where finished_at is not null',
})
export class ContactBulkJob {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @Property({ type: 'text' })
  action: JobAction;

  @Property({ type: 'json', default: '{}' })
  params: Opt<Record<string, unknown>>;

  /** The selected contacts: ids, or the filter of the contacts page. */
  @Property({ type: 'json' })
  selection: Record<string, unknown>;

  @Property({ type: 'text', default: 'queued' })
  status: Opt<BulkStatus>;

  @Property({ type: 'integer', default: 0 })
  total: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  done: Opt<number> = 0;

  /** The profiles that were left unchanged, with the reason. Only the first of them are listed. */
  @Property({ type: 'json', default: '[]' })
  refused: Opt<{ id: string; reason: string }[]>;

  @Property({ type: 'integer', default: 0 })
  refusedUnlisted: Opt<number> = 0;

  /** Last processed profile; profiles are processed in the order of their ids. */
  @Property({ type: 'uuid', nullable: true })
  lastId?: string | null;

  /** Time of the last batch; the change with the earliest time is next. The column kept an older name. */
  @Property({ ...timestamp, nullable: true, fieldName: 'lease_until' })
  lastBatchAt?: Date | null;

  @Property({ type: 'integer', default: 0 })
  attempts: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  finishedAt?: Date | null;
}
