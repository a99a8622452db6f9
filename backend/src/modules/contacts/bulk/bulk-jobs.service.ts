import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { storableJson } from '../../../shared/database/queries/storable-text.js';
import { invalid } from '../../../shared/errors/app-error.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { isoTime, isUuid } from '../../../shared/text/formats.js';
import { ONE_LINE } from '../../../shared/text/one-line.js';
import { bulkNotFound, contactNotFound } from '../contacts.errors.js';
import { Fields } from '../fields/fields.service.js';
import { readFieldValue } from '../fields/field-values.js';
import { Memberships } from '../profiles/memberships.registry.js';
import type { ProfileCriteria } from '../profiles/profile-search.js';
import { ProfileReader } from '../profiles/profile-reader.service.js';
import { SegmentUses } from '../segments/segment-uses.registry.js';
import { Tags } from '../tags/tags.service.js';
import type { BulkJobDto, BulkRequestDto } from './bulk.dto.js';
import { BUILT_IN_FIELDS, type BulkParams } from './bulk-actions.service.js';
import { lockForNewBulkJob } from './open-jobs.js';

type JobRow = Omit<BulkJobDto, 'finishedAt'> & { finishedAt: string | Date | null };

/** Accepts bulk changes and reports their progress; a worker carries them out. */
@Injectable()
export class BulkJobs implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly fields: Fields,
    private readonly tags: Tags,
    private readonly memberships: Memberships,
    private readonly reader: ProfileReader,
    private readonly jobs: JobQueue,
    private readonly segmentUses: SegmentUses,
  ) {}

  onModuleInit(): void {
    this.segmentUses.add({
      uses: async (em, ownerId, segmentId) => {
        const open = await rows(
          em,
          `select 1 from contact_bulk_jobs where owner_id = ? and status in ('queued', 'running') and lower(selection #>> '{filter,segment}') = ?`,
          [ownerId, segmentId.toLowerCase()],
        );
        return open.map(() => 'a change of many contacts that is still running');
      },
    });
  }

  /**
   * @throws 400 for an incomplete request, 404 for contacts, lists, tags or segments of another account, 409 if the
   * account has too many open changes
   */
  async start(ownerId: string, body: BulkRequestDto): Promise<string> {
    const selection = await this.selectionOf(ownerId, body);
    const params = await this.paramsOf(ownerId, body);
    const id = await inTransaction(this.em, async (em) => {
      await lockForNewBulkJob(em, ownerId);
      // Locks the segment, so that it cannot be deleted before the bulk change that uses it is stored.
      if (selection.filter?.segment) await this.reader.condition(ownerId, selection.filter, em);
      const [job] = await rows<{ id: string }>(
        em,
        `insert into contact_bulk_jobs (owner_id, action, params, selection, total) values (?, ?, ?::jsonb, ?::jsonb, ?) returning id`,
        [ownerId, body.action, storableJson(params), storableJson(selection), selection.ids?.length ?? 0],
      );
      return job!.id;
    });
    await this.jobs.enqueue('contact-bulk', {});
    return id;
  }

  /** @throws 404 */
  async one(ownerId: string, id: string): Promise<BulkJobDto> {
    const [job] = await rows<JobRow>(
      this.em.fork(),
      `select ${COLUMNS} from contact_bulk_jobs where id = ? and owner_id = ?`,
      [id, ownerId],
    );
    if (!job) throw bulkNotFound();
    return view(job);
  }

  /** The bulk changes that are running or ended within the last `endedSeconds` seconds. */
  async recent(ownerId: string, endedSeconds: number): Promise<BulkJobDto[]> {
    const found = await rows<JobRow>(
      this.em.fork(),
      `select ${COLUMNS} from contact_bulk_jobs where owner_id = ? and (finished_at is null or finished_at > now() - make_interval(secs => ?)) order by created_at desc, id desc limit 20`,
      [ownerId, endedSeconds],
    );
    return found.map(view);
  }

  private async selectionOf(
    ownerId: string,
    { ids, filter: given, segmentId }: BulkRequestDto,
  ): Promise<{ ids?: string[]; filter?: ProfileCriteria }> {
    if ([ids, given, segmentId ?? undefined].filter((one) => one !== undefined).length !== 1)
      throw invalid('ids', 'Please give either ids, a segment or a filter');
    const filter = segmentId ? { segment: segmentId.toLowerCase() } : given;
    if (!ids) {
      await this.reader.condition(ownerId, filter!);
      return { filter: { ...filter } };
    }
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    if (!wanted.every(isUuid)) throw contactNotFound();
    const found = await rows(
      this.em.fork(),
      `select 1 from contact_profiles where id = any (?::uuid[]) and owner_id = ?`,
      [sqlArray(wanted), ownerId],
    );
    if (found.length !== wanted.length) throw contactNotFound();
    return { ids: wanted };
  }

  private async paramsOf(ownerId: string, body: BulkRequestDto): Promise<BulkParams> {
    switch (body.action) {
      case 'addTags':
      case 'removeTags':
        if (!body.tags) throw invalid('tags', 'Please choose a tag');
        await this.tags.require(this.em.fork(), ownerId, body.tags);
        return { tags: body.tags };
      case 'addToList':
      case 'removeFromList':
        if (!body.listId) throw invalid('listId', 'Please choose a list');
        await this.memberships.lists.requireLists(ownerId, [body.listId]);
        return { listId: body.listId };
      case 'setField':
        return this.fieldOf(ownerId, body);
      case 'delete':
        return {};
    }
  }

  private async fieldOf(ownerId: string, { field, value = null }: BulkRequestDto): Promise<BulkParams> {
    if (!field) throw invalid('field', 'Please choose a field');
    if (Object.hasOwn(BUILT_IN_FIELDS, field)) {
      const { longest } = BUILT_IN_FIELDS[field as keyof typeof BUILT_IN_FIELDS];
      const definition = { key: field, label: field, type: 'text', options: [] } as const;
      const read = readFieldValue(definition, value);
      if (typeof read === 'string' && (read.length > longest || !ONE_LINE.test(read)))
        throw invalid('value', `Must be one line of at most ${longest} characters`);
      return { field, value: read };
    }
    const definition = (await this.fields.definitions(ownerId, this.em.fork())).find(({ key }) => key === field);
    if (!definition) throw invalid('field', `Unknown field: ${field}`);
    return { field, value: readFieldValue(definition, value) };
  }
}

const COLUMNS = `id, action, status, total, done, refused, refused_unlisted as "refusedUnlisted", finished_at as "finishedAt"`;

const view = ({ finishedAt, ...job }: JobRow): BulkJobDto => ({ ...job, finishedAt: isoTime(finishedAt) });
