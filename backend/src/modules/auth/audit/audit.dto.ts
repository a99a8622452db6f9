import { ApiProperty } from '@nestjs/swagger';
import { PartQuery } from '../../../shared/http/requests/page-query.dto.js';
import { AUDIT_KIND_NAMES, type AuditKind } from './audit-kinds.js';

/** An event of the account's audit trail. */
export class AuditEventDto {
  /**
   * Id of the event
   * @example "0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10"
   */
  id: string;

  /**
   * Kind of the event, for programs
   * @example "session.opened"
   */
  @ApiProperty({ enum: AUDIT_KIND_NAMES })
  kind: AuditKind;

  /**
   * Description of the event, to show to people
   * @example "Signed in"
   */
  description: string;

  /**
   * Who acted: the user, our support team, or somebody who was not signed in
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
   * When it happened
   * @example "2025-01-05T10:00:00.000Z"
   */
  at: string;
}

/** Selects a part of the audit trail. Without `limit`, the whole trail is streamed. */
export class AuditQuery extends PartQuery {}
