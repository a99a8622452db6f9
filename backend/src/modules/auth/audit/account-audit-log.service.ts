import { Injectable } from '@nestjs/common';
import type { Page } from '../../../shared/http/requests/paged.js';
import { type AuditLine, AuditTrail } from './audit-trail.service.js';
import type { AuditEventDto, AuditQuery } from './audit.dto.js';
import { describeUserAgent } from './describe-user-agent.js';

/** An account's audit trail as its owner sees it. */
@Injectable()
export class AccountAuditLog {
  constructor(private readonly audit: AuditTrail) {}

  async page(userId: string, { limit, cursor }: AuditQuery): Promise<Page<AuditEventDto>> {
    const page = await this.audit.page({ userId, limit, cursor });
    return { ...page, rows: page.rows.map(auditEventView) };
  }

  async *all(userId: string): AsyncGenerator<AuditEventDto> {
    for await (const line of this.audit.all({ userId })) yield auditEventView(line);
  }
}

/** Converts an audit event for the account's owner. Hides an admin's reason, IP address and device. */
export function auditEventView({
  id,
  kind,
  description,
  userId,
  actorId,
  reason,
  ipAddress,
  userAgent,
  at,
}: AuditLine): AuditEventDto {
  const actor = actorId === userId ? 'you' : actorId === null ? 'unknown' : 'support';
  const ours = actor === 'support';
  return {
    id,
    kind,
    description,
    actor,
    reason: ours ? null : reason,
    ipAddress: ours ? null : ipAddress,
    device: ours || !userAgent ? null : describeUserAgent(userAgent),
    at: at.toISOString(),
  };
}
