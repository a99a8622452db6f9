import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { AUDIT_KIND_NAMES, type AuditKind } from '../../auth/index.js';
import { SendsTodayDto } from '../../history/index.js';

/** Which lines of the trail are asked for; `search` looks into the addresses of the account and of who acted. */
export class AdminAuditQuery extends PageQuery {
  /**
   * Only about this account
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'userId must be the id of a user' })
  userId?: string;

  /**
   * Only what this person did
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'actorId must be the id of a user' })
  actorId?: string;

  /** Only acts of this kind */
  @ApiProperty({ enum: AUDIT_KIND_NAMES, required: false, example: 'account.suspended' })
  @IsOptional()
  @IsIn(AUDIT_KIND_NAMES)
  kind?: AuditKind;
}

/** Who did what to whom. */
export class AdminAuditDto {
  /**
   * Its id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

  /** What was done */
  @ApiProperty({ enum: AUDIT_KIND_NAMES, example: 'account.suspended' })
  kind: AuditKind;

  /**
   * What was done, for people
   * @example 'Account suspended'
   */
  description: string;

  /**
   * The account it is about; of a deleted one a pseudonym, the same in all of its lines
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  userId: string;

  /**
   * That account's address, or 'deleted account'
   * @example 'ann@acme-staffing.com'
   */
  userEmail: string;

  /**
   * Who did it, or 'deleted account'; null: nobody who was signed in, or the command line
   * @example 'admin@staffcast.example'
   */
  @ApiProperty({ type: String, nullable: true })
  actorEmail: string | null;

  /**
   * To what, and why
   * @example 'spam'
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  /**
   * Where from
   * @example '203.0.113.7'
   */
  @ApiProperty({ type: String, nullable: true })
  ipAddress: string | null;

  /**
   * When
   * @example '2026-11-21T06:30:00.000Z'
   */
  at: string;
}

/** How the product stands, in numbers. */
export class AdminOverviewDto {
  /**
   * Accounts
   * @example 1200
   */
  users: number;

  /**
   * Accounts that wait for verification
   * @example 14
   */
  pendingUsers: number;

  /**
   * Suspended accounts
   * @example 2
   */
  suspendedUsers: number;

  /**
   * Attested imports that wait for a decision
   * @example 3
   */
  waitingImports: number;

  /**
   * Accounts whose mail is complained about above a threshold
   * @example 1
   */
  flaggedUsers: number;

  /** Today's sends over all users, by the caller's time zone */
  today: SendsTodayDto;
}
