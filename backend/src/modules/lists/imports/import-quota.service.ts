import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { UTC_TODAY } from '../../../shared/database/queries/columns.js';
import type { AppError } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { importQuotaUsed, importsOpen, importTooLarge, importTooManyLines, unverifiedImport } from '../lists.errors.js';
import { MB } from '../../../shared/text/bytes.js';

const FILE_MB = 100;
/** Maximum number of rows in a spreadsheet, including the header. */
const MAX_LINES = 1_048_576;
const MAX_OPEN_IMPORTS = 3;
/** Maximum number of rejected lines stored per import, and per account and day; further ones are only counted. */
const MAX_REJECTS = 10_000;
const MAX_REJECTS_A_DAY = 50_000;
/** Lower limits until the account's address is verified. */
const UNVERIFIED = { dailyMb: 10, lines: 100_000, open: 1 };

type ImportUser = Pick<RequestUser, 'id' | 'isVerified'>;

/** Limits of a new import. */
export interface ImportAllowance {
  bytes: number;
  lines: number;
  /** True if `bytes` is the rest of the day's bytes, and not the maximum file size. */
  isRest: boolean;
}

/**
 * Limits imports per account: concurrent imports, lines and bytes per file, bytes per UTC day. Usage is counted in the
 * database, so that restarts do not reset it.
 */
@Injectable()
export class ImportQuota {
  constructor(private readonly settings: Settings) {}

  /**
   * Limits of a new import. Runs in the transaction that inserts the import's row; locks the account's usage, so that
   * concurrent uploads respect the limits.
   * @param announced Content-Length, if known
   * @throws 429 if too many imports are open or the day's bytes are used up, 403 if verifying the address would help
   */
  async open(em: EntityManager, user: ImportUser, announced = 0): Promise<ImportAllowance> {
    const [usage] = await rows<{ bytes: string }>(em, USED_TODAY, [user.id]);
    const [found] = await rows<{ open: number; waiting: number }>(em, OPEN_IMPORTS, [user.id]);
    const limits = this.limitsOf(user);
    if (found && found.open >= limits.open) throw importsOpen(limits.open, found.waiting > 0);
    const rest = Math.max(0, limits.dailyBytes - Number(usage?.bytes ?? 0));
    const allowance = { bytes: Math.min(FILE_MB * MB, rest), lines: limits.lines, isRest: rest < FILE_MB * MB };
    if (rest === 0 || announced > allowance.bytes + MB) throw this.tooLarge(user, allowance);
    return allowance;
  }

  /** Counts a completely received file against the day's bytes. @throws if a concurrent upload has used them up */
  async charge(em: EntityManager, user: ImportUser, bytes: number): Promise<void> {
    await rows(em, USED_TODAY, [user.id]);
    const counted = await changed(
      em,
      `update import_usage set bytes = bytes + ? where user_id = ? and bytes + ? <= ?`,
      [bytes, user.id, bytes, this.limitsOf(user).dailyBytes],
    );
    if (counted !== 1) throw this.quotaUsed(user);
  }

  /** Number of rejects that may still be stored for an import. */
  async roomForRejects(em: EntityManager, importId: string): Promise<number> {
    const [found] = await rows<{ room: number }>(
      em,
      `select least(? - (i.skipped - i.rejects_unlisted), ? - coalesce((select u.rejects from import_usage u where u.user_id = i.user_id and u.day = ${UTC_TODAY}), 0)) as room
       from contact_imports i where i.id = ?`,
      [MAX_REJECTS, MAX_REJECTS_A_DAY, importId],
    );
    return Math.max(0, found?.room ?? 0);
  }

  /** Counts stored rejected lines against the day's limit. */
  async chargeRejects(em: EntityManager, userId: string, rejects: number): Promise<void> {
    if (rejects === 0) return;
    await rows(
      em,
      `insert into import_usage as u (user_id, day, rejects) values (?, ${UTC_TODAY}, ?::int) ${ADD_TO_USAGE}`,
      [userId, rejects],
    );
  }

  tooLarge(user: ImportUser, { isRest }: ImportAllowance): AppError {
    return isRest ? this.quotaUsed(user) : importTooLarge();
  }

  /**
   * Maximum number of rows, including a header, that a worker reads from a file.
   * @returns undefined if only the format's own maximum applies
   */
  rowsOf(user: Pick<RequestUser, 'isVerified'>): number | undefined {
    return user.isVerified ? undefined : UNVERIFIED.lines + 1;
  }

  tooManyLines(user: ImportUser): AppError {
    return user.isVerified
      ? importTooManyLines(MAX_LINES)
      : unverifiedImport(`${UNVERIFIED.lines.toLocaleString('en-US')} lines at a time`);
  }

  private quotaUsed(user: ImportUser): AppError {
    return user.isVerified
      ? importQuotaUsed(this.settings.importDailyMb)
      : unverifiedImport(`${UNVERIFIED.dailyMb} MB a day`);
  }

  private limitsOf({ isVerified }: ImportUser) {
    const { importDailyMb } = this.settings;
    return isVerified
      ? { dailyBytes: importDailyMb * MB, lines: MAX_LINES, open: MAX_OPEN_IMPORTS }
      : { ...UNVERIFIED, dailyBytes: Math.min(UNVERIFIED.dailyMb, importDailyMb) * MB };
  }
}

/**
 * End of an `insert into import_usage as u`: adds to today's usage, or starts a new day. The row stays locked until the
 * transaction ends.
 */
const ADD_TO_USAGE = `
  on conflict (user_id) do update set day = excluded.day,
    bytes = case when u.day = excluded.day then u.bytes else 0 end + excluded.bytes,
    rejects = case when u.day = excluded.day then u.rejects else 0 end + excluded.rejects`;

const USED_TODAY = `insert into import_usage as u (user_id, day) values (?, ${UTC_TODAY}) ${ADD_TO_USAGE} returning bytes`;

/** Counts the open imports of an account. Uploads whose process died do not count once their lease has expired. */
const OPEN_IMPORTS = `
  select count(*)::int as open, (count(*) filter (where status in ('mapping', 'ready') and stage is null))::int as waiting from contact_imports
  where user_id = ? and (status in ('queued', 'reading', 'mapping', 'checking', 'ready', 'running') or (status = 'uploading' and coalesce(lease_until, created_at + interval '6 hours') > now()))`;
