import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { AUDIT_KIND_NAMES, type AuditKind } from '../../auth/index.js';
import { SendsTodayDto } from '../../history/index.js';

/** Filter of the audit trail; `search` matches addresses of the account and of the acting user. */
export class AdminAuditQuery extends PageQuery {
  /**
   * Only events about this account
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'userId must be the id of a user' })
  userId?: string;

  /**
   * Only events that this user caused
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'actorId must be the id of a user' })
  actorId?: string;

  /** Only events of this kind */
  @ApiProperty({ enum: AUDIT_KIND_NAMES, required: false, example: 'account.suspended' })
  @IsOptional()
  @IsIn(AUDIT_KIND_NAMES)
  kind?: AuditKind;
}

/** An audit event: who did what to which account. */
export class AdminAuditDto {
  /**
   * The event's id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

  /** Machine-readable name of the event */
  @ApiProperty({ enum: AUDIT_KIND_NAMES, example: 'account.suspended' })
  kind: AuditKind;

  /**
   * Description of the event for display
   * @example 'Account suspended'
   */
  description: string;

  /**
   * The account concerned; for a deleted account a pseudonym, the same in all its entries
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  userId: string;

  /**
   * Address of the account concerned, or 'deleted account'
   * @example 'ann@acme-staffing.com'
   */
  userEmail: string;

  /**
   * Address of the user who acted, or 'deleted account'; null for an anonymous visitor or the command line
   * @example 'admin@staffcast.example'
   */
  @ApiProperty({ type: String, nullable: true })
  actorEmail: string | null;

  /**
   * What the action applied to, and the reason given for it; null if neither is recorded
   * @example 'spam'
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  /**
   * IP address of the user who acted; null if it is unknown
   * @example '203.0.113.7'
   */
  @ApiProperty({ type: String, nullable: true })
  ipAddress: string | null;

  /**
   * When the event happened
   * @example '2026-11-21T06:30:00.000Z'
   */
  at: string;
}

/** Figures of the whole product. */
export class AdminOverviewDto {
  /**
   * Number of accounts
   * @example 1200
   */
  users: number;

  /**
   * Number of unverified accounts
   * @example 14
   */
  pendingUsers: number;

  /**
   * Number of suspended accounts
   * @example 2
   */
  suspendedUsers: number;

  /**
   * Number of attested imports that await a decision
   * @example 3
   */
  waitingImports: number;

  /**
   * Number of accounts whose complaint rate reaches the watch threshold
   * @example 1
   */
  flaggedUsers: number;

  /**
   * Number of shared files that readers reported and that no admin has taken down; counted up to 100
   * @example 0
   */
  reportedFiles: number;

  /**
   * Whether uploaded files are scanned for viruses
   * @example true
   */
  filesScanned: boolean;

  /** Today's sends over all users; the day is that of the caller's time zone */
  today: SendsTodayDto;
}
