import { ApiProperty } from '@nestjs/swagger';
import { PartQuery } from '../../../shared/http/page-query.dto.js';
import { AUDIT_KIND_NAMES, type AuditKind } from '../audit-kinds.js';

/** One line of the account's own trail. */
export class AuditEventDto {
  /**
   * Its id
   * @example "0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10"
   */
  id: string;

  /**
   * What happened
   * @example "session.opened"
   */
  @ApiProperty({ enum: AUDIT_KIND_NAMES })
  kind: AuditKind;

  /**
   * What happened, for people
   * @example "Signed in"
   */
  description: string;

  /**
   * Who did it: the person, our support team, or nobody who was signed in
   * @example "you"
   */
  @ApiProperty({ enum: ['you', 'support', 'unknown'] })
  actor: 'you' | 'support' | 'unknown';

  /**
   * Why, or what exactly
   * @example "bench-sales"
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  /**
   * Where from
   * @example "203.0.113.7"
   */
  @ApiProperty({ type: String, nullable: true })
  ipAddress: string | null;

  /**
   * The device, in words
   * @example "Chrome on Windows"
   */
  @ApiProperty({ type: String, nullable: true })
  device: string | null;

  /**
   * When
   * @example "2025-01-05T10:00:00.000Z"
   */
  at: string;
}

/** How the trail is read; without `limit` all of it is streamed. */
export class AuditQuery extends PartQuery {}
