import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { changed, rows } from '../../shared/database/rows.js';
import { UTC_TODAY } from '../../shared/database/utc-day.js';
import type { AppError } from '../../shared/errors/app-error.js';
import type { RequestUser } from '../../shared/http/index.js';
import { importQuotaUsed, importsOpen, importTooLarge, importTooManyLines, unverifiedImport } from './lists.errors.js';

const MB = 1024 * 1024;
const FILE_MB = 100;
/** The rows of a spreadsheet, header included. */
const MAX_LINES = 1_048_576;
const MAX_OPEN = 2;
/** Until an address is verified, nobody answers for the account. */
const UNVERIFIED = { dailyMb: 10, lines: 100_000, open: 1 };

type ImportUser = Pick<RequestUser, 'id' | 'isVerified'>;

/** What one more file may hold. */
export interface ImportAllowance {
  bytes: number;
  lines: number;
  /** Today's rest is smaller than a file may be. */
  isRest: boolean;
}

/** How much an account may import: files at a time, lines and bytes of a file, bytes a day (UTC). Counted in the database, so that no restart forgets. */
@Injectable()
export class ImportQuota {
  constructor(private readonly settings: Settings) {}

  /**
   * What a new import may hold, within the transaction that inserts its row: two at once never pass the number of open ones.
   * @param announced bytes of the request, where it says so
   * @throws 429 where too many are open or the day is used up, 403 where verifying would help
   */
  async open(em: EntityManager, user: ImportUser, announced = 0): Promise<ImportAllowance> {
    const [usage] = await rows<{ bytes: string }>(em, USED_TODAY, [user.id]);
    const [found] = await rows<{ open: number }>(em, OPEN_IMPORTS, [user.id]);
    const limits = this.limitsOf(user);
    if ((found?.open ?? 0) >= limits.open) throw importsOpen(limits.open);
    const rest = Math.max(0, limits.dailyBytes - Number(usage?.bytes ?? 0));
    const allowance = { bytes: Math.min(FILE_MB * MB, rest), lines: limits.lines, isRest: rest < FILE_MB * MB };
    if (rest === 0 || announced > allowance.bytes + MB) throw this.tooLarge(user, allowance);
    return allowance;
  }

  /** Counts a file that came in whole. @throws where another one, that came in meanwhile, used up the day */
  async charge(em: EntityManager, user: ImportUser, bytes: number): Promise<void> {
    await rows(em, USED_TODAY, [user.id]);
    const counted = await changed(em, `update import_usage set bytes = bytes + ? where user_id = ? and bytes + ? <= ?`, [bytes, user.id, bytes, this.limitsOf(user).dailyBytes]);
    if (counted !== 1) throw this.quotaUsed(user);
  }

  tooLarge(user: ImportUser, { isRest }: ImportAllowance): AppError {
    return isRest ? this.quotaUsed(user) : importTooLarge();
  }

  tooManyLines(user: ImportUser): AppError {
    return user.isVerified ? importTooManyLines(MAX_LINES) : unverifiedImport(`${UNVERIFIED.lines.toLocaleString('en-US')} lines at a time`);
  }

  private quotaUsed(user: ImportUser): AppError {
    return user.isVerified ? importQuotaUsed(this.settings.importDailyMb) : unverifiedImport(`${UNVERIFIED.dailyMb} MB a day`);
  }

  private limitsOf({ isVerified }: ImportUser) {
    const { importDailyMb } = this.settings;
    return isVerified ? { dailyBytes: importDailyMb * MB, lines: MAX_LINES, open: MAX_OPEN } : { ...UNVERIFIED, dailyBytes: Math.min(UNVERIFIED.dailyMb, importDailyMb) * MB };
  }
}

/**
 * End of an `insert into import_usage as u`: adds to what the account used up today, or begins a new day with it. The row stays locked
 * until the transaction ends.
 */
export const ADD_TO_USAGE = `
  on conflict (user_id) do update set day = excluded.day,
    bytes = case when u.day = excluded.day then u.bytes else 0 end + excluded.bytes,
    rejects = case when u.day = excluded.day then u.rejects else 0 end + excluded.rejects`;

const USED_TODAY = `insert into import_usage as u (user_id, day) values (?, ${UTC_TODAY}) ${ADD_TO_USAGE} returning bytes`;

/** Of an upload whose process died, the lease lapses. */
const OPEN_IMPORTS = `
  select count(*)::int as open from contact_imports
  where user_id = ? and (status in ('queued', 'running') or (status = 'uploading' and coalesce(lease_until, created_at + interval '6 hours') > now()))`;
