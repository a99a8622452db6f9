import { randomInt } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { cleanUp } from '../bulk/cleanup.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';
import { limitReached, tagExists, tagNotFound } from '../contacts.errors.js';
import { lockRewrite } from '../profiles/rewrite-lock.js';
import type { ContactTagDto, CreateContactTagDto, UpdateContactTagDto } from './contact-tag.dto.js';

const COLUMNS = 'id, name, colour';
const MAX_ID = 2 ** 31 - 1;

/** Locks the tags of an account, so that concurrent calls cannot exceed the maximum number of tags. */
export async function lockTags(em: EntityManager, ownerId: string): Promise<void> {
  await rows(em, `select pg_advisory_xact_lock(hashtextextended('contacts.tags:' || ?, 0))`, [ownerId]);
}

/** The tags of an account. Names are unique, ignoring case. */
@Injectable()
export class Tags {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
  ) {}

  /** The account's tags, sorted by name. */
  list(ownerId: string, em = this.em.fork()): Promise<ContactTagDto[]> {
    return rows<ContactTagDto>(em, `select ${COLUMNS} from contact_tags where owner_id = ? order by lower(name), id`, [
      ownerId,
    ]);
  }

  /** @throws 404 if one of the tags is not the account's own */
  async require(em: EntityManager, ownerId: string, ids: readonly number[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => id > 0 && id <= MAX_ID);
    if (wanted.length < new Set(ids).size) throw tagNotFound();
    if (wanted.length === 0) return;
    // Locks the tags, so that they cannot be added to a contact while they are being deleted.
    const found = await rows(
      em,
      `select id from contact_tags where id = any (?::int[]) and owner_id = ? order by id for key share`,
      [sqlArray(wanted), ownerId],
    );
    if (found.length !== wanted.length) throw tagNotFound();
  }

  /**
   * Number of contacts that have the tag.
   * @throws 404
   */
  async usage(ownerId: string, id: number): Promise<number> {
    const em = this.em.fork();
    await this.require(em, ownerId, [id]);
    const [found] = await rows<{ n: number }>(em, `select count(*)::int as n from contact_profiles where ${TAGGED}`, [
      ownerId,
      id,
    ]);
    return found?.n ?? 0;
  }

  /** @throws 409 if the name is taken or the account has the maximum number of tags */
  create(ownerId: string, { name, colour = null }: CreateContactTagDto): Promise<ContactTagDto> {
    return inTransaction(this.em, async (em) => {
      await lockTags(em, ownerId);
      const [there] = await rows<{ n: number; taken: boolean }>(
        em,
        `select count(*)::int as n, coalesce(bool_or(lower(name) = lower(?)), false) as taken from contact_tags where owner_id = ?`,
        [name, ownerId],
      );
      if (there?.taken) throw tagExists();
      if ((there?.n ?? 0) >= CONTACT_LIMITS.tags) throw limitReached('tags', CONTACT_LIMITS.tags);
      for (;;) {
        const [added] = await rows<ContactTagDto>(
          em,
          `insert into contact_tags (id, owner_id, name, colour) values (?, ?, ?, ?) on conflict (id) do nothing returning ${COLUMNS}`,
          [randomInt(1, MAX_ID), ownerId, name, colour],
        );
        if (added) return added;
      }
    }).catch(nameTaken);
  }

  /** @throws 404, 409 if the name is taken */
  async update(ownerId: string, id: number, { name, colour }: UpdateContactTagDto): Promise<ContactTagDto> {
    const [changedTag] = await rows<ContactTagDto>(
      this.em.fork(),
      `update contact_tags set name = coalesce(?::text, name), colour = case when ? then ?::text else colour end where id = ? and owner_id = ? returning ${COLUMNS}`,
      [name, colour !== undefined, colour, id, ownerId],
    ).catch(nameTaken);
    if (!changedTag) throw tagNotFound();
    return changedTag;
  }

  /**
   * Deletes a tag and removes it from all contacts. If many contacts have the tag, it is hidden until a worker has
   * removed it from all of them.
   * @throws 404, 409 while another such change runs
   */
  async remove(ownerId: string, id: number): Promise<void> {
    const isJob = await inTransaction(this.em, async (em) => {
      await this.require(em, ownerId, [id]);
      await lockRewrite(em, ownerId);
      const gone = await changed(em, `delete from contact_tags where id = ? and owner_id = ?`, [id, ownerId]);
      if (gone === 0) throw tagNotFound();
      return cleanUp(em, ownerId, { action: 'forgetTag', tags: [id] });
    });
    if (isJob) await this.jobs.enqueue('contact-bulk', {});
  }
}

/**
 * SQL condition: the profile has the tag. `tag_ids <> '{}'` repeats the predicate of the partial index; without it the
 * index is not used.
 */
const TAGGED = `owner_id = ? and tag_ids <> '{}' and tag_ids @> array[?::int]`;

function nameTaken(error: unknown): never {
  throw error instanceof UniqueConstraintViolationException ? tagExists() : error;
}
