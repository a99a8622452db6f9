import { Injectable } from '@nestjs/common';
import type { Page } from '../../shared/http/paged.js';
import { type AuditLine, AuditTrail } from './audit-trail.service.js';
import type { AuditEventDto, AuditQuery } from './dto/audit.dto.js';
import { inWords } from './user-agent-words.js';

/** The trail of one account as its owner sees it. */
@Injectable()
export class OwnTrail {
  constructor(private readonly audit: AuditTrail) {}

  async page(userId: string, { limit, cursor }: AuditQuery): Promise<Page<AuditEventDto>> {
    const page = await this.audit.page({ userId, limit, cursor });
    return { ...page, rows: page.rows.map(viewOf) };
  }

  async *all(userId: string): AsyncGenerator<AuditEventDto> {
    for await (const line of this.audit.all({ userId })) yield viewOf(line);
  }
}

/** Where our team acted from, and its reasons, are its own business. */
export function viewOf({ id, kind, description, userId, actorId, reason, ipAddress, userAgent, at }: AuditLine): AuditEventDto {
  const actor = actorId === userId ? 'you' : actorId === null ? 'unknown' : 'support';
  const ours = actor === 'support';
  return {
    id, kind, description, actor, reason: ours ? null : reason, ipAddress: ours ? null : ipAddress,
    device: ours || !userAgent ? null : inWords(userAgent), at: at.toISOString(),
  };
}
