import { ApiProperty } from '@nestjs/swagger';
import { PartQuery } from '../../../shared/http/requests/page-query.dto.js';
import { AUDIT_KIND_NAMES, type AuditKind } from './audit-kinds.js';

/** An entry of the account's audit trail. */
export class AuditEventDto {
  /**
   * Its id
   * @example "0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10"
   */
  id: string;

  /**
   * Name of the event, for programs
   * @example "session.opened"
   */
  @ApiProperty({ enum: AUDIT_KIND_NAMES })
  kind: AuditKind;

  /**
   * The event as text to show
   * @example "Signed in"
   */
  description: string;

  /**
   * The actor: the user, our support team, or an anonymous visitor
   * @example "you"
   */
  @ApiProperty({ enum: ['you', 'support', 'unknown'] })
  actor: 'you' | 'support' | 'unknown';

  /**
   * Reason or details
   * @example "bench-sales"
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  /**
   * IP address
   * @example "203.0.113.7"
   */
  @ApiProperty({ type: String, nullable: true })
  ipAddress: string | null;

  /**
   * Readable description of the device
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

/** Part of the audit trail; without `limit` all of it is streamed. */
export class AuditQuery extends PartQuery {}
