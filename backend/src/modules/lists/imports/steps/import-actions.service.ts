import { domainToASCII } from 'node:url';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed } from '../../../../shared/database/queries/rows.js';
import { invalid } from '../../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../../shared/http/index.js';
import { JobQueue } from '../../../../shared/jobs/job-queue.js';
import { hostOf, parseAddress } from '../../../../shared/mail/address.js';
import { AuditTrail } from '../../../auth/index.js';
import { ImportedPeople } from '../../../contacts/index.js';
import type { ContactImport } from '../../entities/contact-import.entity.js';
import { importState, undoExpired } from '../../lists.errors.js';
import { ListAccess } from '../../my-lists/list-access.service.js';
import { forgetFile } from '../import-file.js';
import { mappingFault } from '../judging/targets.js';
import { ImportEditor } from './import-editor.service.js';
import type { FixDomainDto } from './import-request.dto.js';
import { undoUntil } from './import-view.service.js';

const MAX_DOMAINS = 1_000;
const MAX_KEY = 255;

/** Actions of a user on an import: check, commit, discard, undo. A worker carries them out. */
@Injectable()
export class ImportActions {
  constructor(
    private readonly em: EntityManager,
    private readonly editor: ImportEditor,
    private readonly people: ImportedPeople,
    private readonly access: ListAccess,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Starts a check, which changes no contact; also restarts one after an internal error.
   * @throws 400 if no column holds the address, 409 if the import does not wait for its user
   */
  async check(user: RequestUser, id: string): Promise<void> {
    await this.editor.onLocked(user.id, id, async (em, found) => {
      const { status, stage, columns } = found;
      const hasFailed = status === 'failed' && (stage === 'read' || stage === 'check');
      if (!(['mapping', 'ready'].includes(status) && !stage) && !hasFailed) throw importState();
      const isRead = columns !== null && columns !== undefined;
      if (isRead) {
        const fault = mappingFault(
          columns.map(({ target }) => target),
          await this.people.fieldDefinitions(user.id),
        );
        if (fault) throw invalid('mapping', fault);
      }
      await begin(
        em,
        id,
        isRead
          ? `status = 'checking', stage = 'check', goal = 'ready'`
          : `status = 'reading', stage = 'read', goal = 'mapping'`,
      );
    });
    await this.kick(id);
  }

  /**
   * Decides about all addresses at a domain, and starts the check again.
   * @throws 400, 409 if the import is not checked
   */
  async fixDomain(user: RequestUser, id: string, { from, to, drop }: FixDomainDto): Promise<void> {
    const domain = domainToASCII(from.trim().toLowerCase());
    const target = to === undefined ? undefined : parseAddress(`someone@${to.trim()}`);
    if (domain === '') throw invalid('from', 'Please enter a domain');
    if (target === null) throw invalid('to', 'Please enter a domain, such as gmail.com');
    const choice = target ? { to: hostOf(target.norm) } : drop ? { drop: true } : { keep: true };
    await this.editor.onLocked(user.id, id, async (em, { status, stage, corrections }) => {
      if (status !== 'ready' || stage) throw importState();
      const domains = { ...corrections.domains, [domain]: choice };
      if (Object.keys(domains).length > MAX_DOMAINS)
        throw invalid('from', `At most ${MAX_DOMAINS} domains can be corrected. Please correct the file instead.`);
      await begin(
        em,
        id,
        `corrections = corrections || ?::jsonb, status = 'checking', stage = 'check', goal = 'ready', report = null`,
        [JSON.stringify({ domains })],
      );
    });
    await this.kick(id);
  }

  /**
   * Commits a checked import, or the rest of an import after an internal error. A repeated call with the same key
   * changes nothing.
   * @throws 409 if the import is not checked, or was committed by another call; 404 if its list no longer exists
   */
  async commit(user: RequestUser, id: string, key: string | null): Promise<void> {
    if (key !== null && key.length > MAX_KEY) throw invalid('Idempotency-Key', 'The key is too long');
    await this.editor.onLocked(user.id, id, async (em, found) => {
      const { status, stage, emailListId, options, commitKey } = found;
      const hasFailed = status === 'failed' && stage === 'commit';
      if (key !== null && commitKey === key && !hasFailed) return;
      if (!(status === 'ready' && !stage) && !hasFailed) throw importState();
      const list = emailListId ? await this.access.require(user, emailListId) : null;
      const attestation = list ? options.attestation || null : null;
      await begin(
        em,
        id,
        `status = 'running', stage = 'commit', goal = 'done', commit_key = ?, committed_at = coalesce(committed_at, now()), attestation = ?, attestation_state = ?, finished_at = null`,
        [key, attestation, attestation && 'waiting'],
      );
      if (list?.isDefault)
        await this.audit.recordAction(
          em,
          { id: user.id, client: null },
          { kind: 'network.imported', detail: `${found.lines} lines` },
        );
    });
    await this.kick(id);
  }

  /** Discards an import that was not committed, with its file. @throws 409 */
  async discard(user: RequestUser, id: string): Promise<void> {
    await this.editor.onLocked(user.id, id, async (em, { status, committedAt, isDirect }) => {
      if (status === 'discarded') return;
      if (committedAt || isDirect || !['reading', 'mapping', 'checking', 'ready', 'failed'].includes(status))
        throw importState();
      await begin(em, id, `status = 'discarded', stage = null, finished_at = now()`);
      await forgetFile(em, id);
    });
  }

  /**
   * Starts to remove the people whom the import added, unless a message has reached them.
   * @throws 409, 410 after KEPT_DAYS
   */
  async undo(user: RequestUser, id: string): Promise<void> {
    await this.editor.onLocked(user.id, id, async (em, found) => {
      if (found.status === 'undone' || (found.status === 'running' && found.stage === 'undo')) return;
      if (!undoable(found)) {
        if (found.status === 'done' && found.committedAt && !isDecisionOpen(found)) throw undoExpired();
        throw importState();
      }
      await begin(
        em,
        id,
        `status = 'running', stage = 'undo', removed = case when stage = 'undo' then removed else 0 end, taken_off = case when stage = 'undo' then taken_off else 0 end, kept = null`,
      );
    });
    await this.kick(id);
  }

  private async kick(importId: string): Promise<void> {
    await this.jobs.enqueue('imports', { importId }, { jobId: importId });
  }
}

const isDecisionOpen = ({ decidedAt, carriedOutAt }: ContactImport): boolean => Boolean(decidedAt && !carriedOutAt);
const undoable = (found: ContactImport): boolean =>
  undoUntil({
    status: found.status,
    stage: found.stage,
    finishedAt: found.finishedAt ?? null,
    committedAt: found.committedAt ?? null,
    isDecisionOpen: isDecisionOpen(found),
  }) !== null;

/** Changes a locked import and gives it a new run, so that a worker that is still writing to it loses its claim. */
async function begin(em: EntityManager, id: string, set: string, params: readonly unknown[] = []): Promise<void> {
  await changed(
    em,
    `update contact_imports set ${set}, checkpoint = null, failure = null, run = run + 1, attempts = 0, touched_at = now(), lease_until = null where id = ?`,
    [...params, id],
  );
}
