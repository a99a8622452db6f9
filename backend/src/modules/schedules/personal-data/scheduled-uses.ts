import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { AppError } from '../../../shared/errors/app-error.js';
import { draftScheduled, PlannedUses, type PlannedUseSource } from '../../composing/index.js';
import { SegmentUses } from '../../contacts/index.js';

const OPEN = `state in ('scheduled', 'leaving', 'blocked')`;

/**
 * Reports to lower-level modules which drafts, pictures, files and segments scheduled sends use, so that none of these
 * is deleted.
 */
@Injectable()
export class ScheduledUses implements OnModuleInit, PlannedUseSource {
  constructor(
    private readonly planned: PlannedUses,
    private readonly segments: SegmentUses,
  ) {}

  onModuleInit(): void {
    this.planned.readFrom(this);
    this.segments.add({ uses: (em, ownerId, segmentId) => this.ofSegment(em, ownerId, segmentId) });
  }

  async ofDraft(em: EntityManager, userId: string, draftId: string): Promise<AppError | null> {
    const [made] = await rows<{ id: string; dueAt: Date }>(
      em,
      `select id, due_at as "dueAt" from scheduled_sends where user_id = ? and draft_id = ?`,
      [userId, draftId],
    );
    return made ? draftScheduled(made.id, made.dueAt) : null;
  }

  async showsPicture(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    const found = await rows(
      em,
      `select 1 from scheduled_sends where user_id = ? and ${OPEN} and jsonb_path_query_array(send -> 'document', '$.**.fileId') @> to_jsonb(?::text) limit 1`,
      [userId, fileId],
    );
    return found.length > 0;
  }

  async namesFile(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    const found = await rows(
      em,
      `select 1 from scheduled_sends where user_id = ? and ${OPEN}
         and (lower((send -> 'files')::text)::jsonb @> jsonb_build_array(jsonb_build_object('fileid', ?::text))
           or jsonb_path_query_array(send -> 'document', '$.**.fileId') @> to_jsonb(?::text)) limit 1`,
      [userId, fileId, fileId],
    );
    return found.length > 0;
  }

  private async ofSegment(em: EntityManager, userId: string, segmentId: string): Promise<string[]> {
    const found = await rows<{ subject: string }>(
      em,
      `select send ->> 'subject' as subject from scheduled_sends where user_id = ? and ${OPEN}
         and (lower((send -> 'segmentIds')::text)::jsonb @> jsonb_build_array(?::text) or lower((send -> 'excludeSegmentIds')::text)::jsonb @> jsonb_build_array(?::text)) limit 5`,
      [userId, segmentId.toLowerCase(), segmentId.toLowerCase()],
    );
    return found.map(({ subject }) => `the scheduled email "${subject}"`);
  }
}
