import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../../shared/database/queries/rows.js';
import type { ImportFailure } from '../../entities/contact-import.values.js';
import { forgetFile } from '../import-file.js';
import { ImportNotices } from '../import-notices.service.js';
import type { ClaimedImport } from './claimed-import.js';

/** Number of rejected lines stored for a direct import whose file is not a list of addresses. */
const SHOWN_REJECTS = 100;

/** Fails imports that cannot continue, or requeues them. Each statement affects the worker's own claim only. */
@Injectable()
export class ImportFailures {
  constructor(
    private readonly em: EntityManager,
    private readonly notices: ImportNotices,
  ) {}

  /** Has the file read again, because a crash of the database lost the staged data. */
  async readAgain({ id, run }: ClaimedImport): Promise<void> {
    await rows(
      this.em.fork(),
      `update contact_imports set stage = 'read', checkpoint = null, lease_until = now() where id = ? and run = ? and stage is not null`,
      [id, run],
    );
  }

  /** Fails the import and stores its first lines, so that its user sees how they were read. */
  async failWithoutAddresses(claimed: ClaimedImport): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const [counted] = await rows<{ lines: number; listed: number }>(em, SHOW_FIRST, [claimed.id, claimed.id]);
      const { lines, listed } = counted!;
      await rows(
        em,
        `update contact_imports set total = ?, skipped = ?, rejects_unlisted = ? where id = ? and run = ?`,
        [lines, lines, lines - listed, claimed.id, claimed.run],
      );
      await this.fail(em, claimed, 'no_addresses');
    });
  }

  /**
   * Fails the import.
   * @param message why the file cannot be read, as text to show
   */
  async failUnreadable(claimed: ClaimedImport, message: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await rows(
        em,
        `update contact_imports set file_info = file_info || jsonb_build_object('message', ?::text) where id = ? and run = ?`,
        [message, claimed.id, claimed.run],
      );
      await this.fail(em, claimed, 'file');
    });
  }

  /** Fails an import whose workers were killed repeatedly before they recorded an error. */
  giveUp(claimed: ClaimedImport): Promise<void> {
    return inTransaction(this.em, (em) => this.fail(em, claimed, 'fault'));
  }

  /** Has the import tried again in 15 seconds, or fails it after the last attempt. */
  async retryLater(claimed: ClaimedImport, error: unknown, isLast: boolean): Promise<void> {
    await rows(
      this.em.fork(),
      `update contact_imports set lease_until = now() + interval '15 seconds', error = ? where id = ? and run = ? and stage is not null`,
      [String((error as Error).message).slice(0, 500), claimed.id, claimed.run],
    );
    if (isLast) await inTransaction(this.em, (em) => this.fail(em, claimed, 'fault'));
  }

  /**
   * Fails an import; contacts that it has imported stay. If there are none, an attestation needs no decision. After an
   * internal error, the file of an import in steps is kept with the stage that failed, so that its user can try again.
   */
  private async fail(em: EntityManager, { id, run, isDirect }: ClaimedImport, failure: ImportFailure): Promise<void> {
    const isKept = !isDirect && failure === 'fault';
    const ended = await changed(
      em,
      `update contact_imports set status = 'failed', failure = ?, lease_until = null, finished_at = now(), stage = case when ?::boolean then stage end,
         attestation_state = case when added > 0 then attestation_state end where id = ? and run = ?`,
      [failure, isKept, id, run],
    );
    if (ended > 0) await this.notices.failed(em, id, failure);
    if (isKept) return;
    await forgetFile(em, id);
  }
}

const SHOW_FIRST = `
  with shown as (
    insert into contact_import_rejects (import_id, line, email, reason, cells)
    select import_id, line, email, coalesce(refused, 'invalid'), cells from contact_import_rows where import_id = ? and email_hash is null order by line limit ${SHOWN_REJECTS}
    on conflict do nothing returning line
  )
  select (select count(*) from contact_import_rows where import_id = ?)::int as lines, (select count(*) from shown)::int as listed`;
