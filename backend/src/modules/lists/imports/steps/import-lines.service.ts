import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../../shared/database/queries/all-of.js';
import { positionOf } from '../../../../shared/database/queries/position-cursor.js';
import { rows, withoutTimeLimit, type SqlPart } from '../../../../shared/database/queries/rows.js';
import { invalid } from '../../../../shared/errors/app-error.js';
import type { Page } from '../../../../shared/http/index.js';
import { hostOf, localPartOf } from '../../../../shared/mail/address.js';
import { companyDomain } from '../../../contacts/index.js';
import { ContactImport } from '../../entities/contact-import.entity.js';
import type { Verdict } from '../../entities/contact-import-staging.entity.js';
import { importNotFound, importState, lineNotFound } from '../../lists.errors.js';
import { type GroupCode, MARKS, REASON_TEXTS } from '../judging/groups.js';
import { judgeAddress, type JudgedAddress } from '../judging/judge-row.js';
import { reportOf } from '../running/import-report.js';
import { RowJudging } from '../running/row-judging.service.js';
import { arrayText } from '../running/staged-rows.js';
import { judgeRows, type JudgingScope } from '../running/verdict-sql.js';
import { ImportEditor } from './import-editor.service.js';
import type { ImportLineDto } from './import-report.dto.js';
import type { ImportRowQuery } from './import-request.dto.js';

/** Maximum number of corrected lines per import; more have to be corrected in the file. */
const MAX_CORRECTIONS = 10_000;
const IS_MARK: ReadonlySet<string> = new Set(MARKS);

interface StagedRow {
  line: number;
  email: string;
  name: string | null;
  company: string | null;
  verdict: Verdict | null;
  refused: GroupCode | null;
  reason: GroupCode | null;
  marks: GroupCode[];
  suggestion: string | null;
  misfits: string[];
  cells: string[];
}

const COLUMNS = `r.line, r.email, r.person ->> 'name' as name, r.person ->> 'company' as company, r.verdict, r.refused, r.reason, r.marks, r.suggestion, r.misfits, r.cells`;

/** The lines of a checked import. */
@Injectable()
export class ImportLines {
  constructor(
    private readonly em: EntityManager,
    private readonly editor: ImportEditor,
    private readonly judging: RowJudging,
  ) {}

  /** A page of the lines, in the order of the file. @throws 404, 409 if the import is not checked */
  async page(userId: string, id: string, query: ImportRowQuery & { limit: number }): Promise<Page<ImportLineDto>> {
    const { corrections } = await this.requireChecked(userId, id);
    const { sql, params } = conditionOf(query);
    const after = positionOf(query.cursor);
    const em = this.em.fork();
    const found = await rows<StagedRow>(
      em,
      `select ${COLUMNS} from contact_import_rows r where r.import_id = ? and ${sql} and r.line > ? order by r.line limit ?`,
      [id, ...params, after, query.limit + 1],
    );
    const [counted] = await rows<{ total: number }>(
      em,
      `select count(*)::int as total from contact_import_rows r where r.import_id = ? and ${sql}`,
      [id, ...params],
    );
    const page = found.slice(0, query.limit);
    return {
      rows: page.map((row) => lineView(row, corrections.lines)),
      total: counted?.total ?? 0,
      next: found.length > query.limit ? String(page.at(-1)!.line) : null,
    };
  }

  /**
   * Corrects the address of one line and judges it again, together with all lines that have the old or the new address.
   * @throws 404, 409 if the import is not checked
   */
  correct(userId: string, id: string, line: number, email: string): Promise<ImportLineDto> {
    return this.editor.onLocked(userId, id, async (em, found) => {
      if (found.status !== 'ready' || found.stage) throw importState();
      const lines = { ...found.corrections.lines, [String(line)]: email };
      if (Object.keys(lines).length > MAX_CORRECTIONS)
        throw invalid(
          'email',
          `At most ${MAX_CORRECTIONS.toLocaleString('en-US')} lines can be corrected here. Please correct the file instead.`,
        );
      const claimed = {
        ...found,
        listId: found.emailListId ?? null,
        ownerId: await this.ownerOf(em, found),
        columns: found.columns ?? null,
      };
      const address = judgeAddress(email, await this.judging.plan(claimed));
      const before = await this.hashOf(em, id, line);
      await writeAddress(em, id, line, address);
      await withoutTimeLimit(em);
      const scope = { ...(await this.judging.scope(claimed)), room: null };
      await judgeAgain(em, scope, line, [before, address.address?.hash.toString('hex') ?? null]);
      await rows(
        em,
        `update contact_imports set corrections = corrections || ?::jsonb, report = ?::jsonb, run = run + 1, touched_at = now() where id = ?`,
        [JSON.stringify({ lines }), JSON.stringify(await reportOf(em, scope)), id],
      );
      const [row] = await rows<StagedRow>(
        em,
        `select ${COLUMNS} from contact_import_rows r where r.import_id = ? and r.line = ?`,
        [id, line],
      );
      return lineView(row!, lines);
    });
  }

  /** The hash of a line's address, in hex. Locks the line. @returns null if the line has no address @throws 404 */
  private async hashOf(em: EntityManager, id: string, line: number): Promise<string | null> {
    const [found] = await rows<{ hash: string | null }>(
      em,
      `select encode(email_hash, 'hex') as hash from contact_import_rows where import_id = ? and line = ? for update`,
      [id, line],
    );
    if (!found) throw lineNotFound();
    return found.hash;
  }

  /** Finds an import that is checked. @throws 404, 409 if the import is not checked */
  async requireChecked(userId: string, id: string): Promise<ContactImport> {
    const found = await this.em.fork().findOne(ContactImport, { id, userId });
    if (!found) throw importNotFound();
    if (found.status !== 'ready' || found.stage) throw importState();
    return found;
  }

  private async ownerOf(em: EntityManager, { emailListId, userId }: ContactImport): Promise<string | null> {
    if (!emailListId) return userId;
    const [list] = await rows<{ ownerId: string | null }>(
      em,
      `select owner_id as "ownerId" from email_lists where id = ?`,
      [emailListId],
    );
    return list?.ownerId ?? null;
  }
}

/** Writes a corrected address into its line. The mark for misfit values stays. */
async function writeAddress(
  em: EntityManager,
  id: string,
  line: number,
  { email, address, refused, marks, suggestion }: JudgedAddress,
): Promise<void> {
  await rows(em, CORRECT, [
    address?.address ?? email,
    address?.norm ?? null,
    address?.hash ?? null,
    address ? hostOf(address.norm) : null,
    refused,
    arrayText(marks),
    suggestion,
    JSON.stringify({ company_domain: address && companyDomain(address.norm) }),
    id,
    line,
  ]);
}

/** Judges a line, and all lines with one of these addresses, given by their hashes in hex. */
async function judgeAgain(
  em: EntityManager,
  scope: JudgingScope,
  line: number,
  hashes: readonly (string | null)[],
): Promise<void> {
  const which = {
    sql: `(r.line = ? or r.email_hash in (select decode(value, 'hex') from jsonb_array_elements_text(?::jsonb)))`,
    params: [line, JSON.stringify(hashes.filter((hash) => hash !== null))],
  };
  const { sql, params } = judgeRows(which, scope);
  await rows(em, sql, params);
}

function conditionOf({ group, verdict }: ImportRowQuery): SqlPart {
  const isLeftOut = `r.verdict = 'left_out' and coalesce(r.refused, r.reason) = ?`;
  return allOf([
    verdict && ['r.verdict = ?', verdict],
    // A role address is left out or only marked, as the user chose, so the group contains both.
    group &&
      (IS_MARK.has(group)
        ? [`(${isLeftOut} or r.verdict <> 'left_out' and r.marks @> array[?::text])`, group, group]
        : [isLeftOut, group]),
  ]);
}

function lineView(row: StagedRow, corrected: Record<string, string> = {}): ImportLineDto {
  const { line, email, name, company, verdict, refused, reason, marks, suggestion, misfits, cells } = row;
  const left = refused ?? reason;
  const codes = verdict === 'left_out' && left ? [left, ...marks.filter((mark) => mark !== left)] : marks;
  return {
    line,
    email,
    name,
    company,
    verdict: verdict ?? 'left_out',
    codes,
    reason: codes[0] ? REASON_TEXTS[codes[0]] : null,
    suggestion: suggestion && `${localPartOf(email)}@${suggestion}`,
    misfits,
    cells,
    isCorrected: Object.hasOwn(corrected, String(line)),
  };
}

const CORRECT = `
  update contact_import_rows set email = ?, email_norm = ?, email_hash = ?::bytea, domain = ?, refused = ?, marks = ?::text[] || case when marks @> '{misfit}' then '{misfit}'::text[] else '{}' end,
    suggestion = ?, person = person || ?::jsonb
  where import_id = ? and line = ?`;
