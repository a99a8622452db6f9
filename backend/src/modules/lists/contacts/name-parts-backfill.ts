import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { nameParts } from './name-parts.js';
import { NIL_UUID } from '../../../shared/text/formats.js';

const BACKFILL_EVERY_MS = 30_000;
const CONTACTS_PER_TRANSACTION = 1_000;
/** Pause in ms between two batches, so that the job uses only part of the database's time. */
const PAUSE_BETWEEN_BATCHES_MS = 100;

interface Unparsed {
  id: string;
  emailListId: string;
  name: string | null;
  labels: string[] | null;
}

/**
 * Fills first and last names, and the labels of further columns, of contacts stored before these existed. Each batch
 * commits with its progress, so that any instance can continue after a crash.
 */
@Injectable()
export class NamePartsBackfill implements BeforeApplicationShutdown {
  private readonly log = new Logger(NamePartsBackfill.name);
  private isFinished = false;
  private isStopping = false;

  constructor(
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(BACKFILL_EVERY_MS)
  async run(): Promise<void> {
    if (this.isFinished) return;
    try {
      await this.runner.run('lists.name-parts', async () => {
        while (!this.isStopping && !this.isFinished) {
          this.isFinished = !(await this.batch());
          if (!this.isFinished) await pause(PAUSE_BETWEEN_BATCHES_MS);
        }
      });
    } catch (error) {
      this.log.error(
        { err: error, code: 'name_parts_failed' },
        'first and last names of present contacts could not be filled; the next run goes on',
      );
    }
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  /** Fills one batch of contacts. @returns whether there may be more */
  private batch(): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const [state] = await rows<{ lastId: string | null }>(
        em,
        `select last_id as "lastId" from contact_backfills where name = 'name_parts' and finished_at is null for update`,
      );
      if (!state) return false;
      const found = await rows<Unparsed>(
        em,
        `select c.id, c.email_list_id as "emailListId", c.name,
           case when c.attributes is not null then (select array_agg(k) from jsonb_object_keys(c.attributes) k) end as labels
         from subscriptions c where c.id > ? order by c.id limit ${CONTACTS_PER_TRANSACTION}`,
        [state.lastId ?? NIL_UUID],
      );
      await this.fill(em, found);
      await changed(
        em,
        `update contact_backfills set last_id = coalesce(?::uuid, last_id), finished_at = case when ? then now() end where name = 'name_parts'`,
        [found.at(-1)?.id ?? null, found.length < CONTACTS_PER_TRANSACTION],
      );
      return found.length === CONTACTS_PER_TRANSACTION;
    });
  }

  private async fill(em: EntityManager, found: readonly Unparsed[]): Promise<void> {
    const named = found.flatMap(({ id, name }) => {
      const { firstName, lastName } = nameParts(name);
      return firstName || lastName ? [{ id, name, first_name: firstName, last_name: lastName }] : [];
    });
    await changed(
      em,
      `update subscriptions c set first_name = n.first_name, last_name = n.last_name
       from jsonb_to_recordset(?::jsonb) as n(id uuid, name text, first_name text, last_name text)
       where c.id = n.id and c.name = n.name and c.first_name is null and c.last_name is null`,
      [JSON.stringify(named)],
    );
    const labels = new Map(
      found.flatMap(({ emailListId, labels: own }) =>
        (own ?? []).map((label) => [`${emailListId} ${label}`, { email_list_id: emailListId, label }] as const),
      ),
    );
    if (labels.size > 0) await changed(em, ADD_LABELS, [JSON.stringify([...labels.values()])]);
  }
}

/** Inserts in a fixed order, so that two writers never deadlock. */
const ADD_LABELS = `
  insert into contact_fields (email_list_id, label)
  select f.email_list_id, f.label from jsonb_to_recordset(?::jsonb) as f(email_list_id uuid, label text)
  join email_lists l on l.id = f.email_list_id order by 1, 2 on conflict do nothing`;
