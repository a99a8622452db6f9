import { Injectable } from '@nestjs/common';
import type { Page } from '../../shared/http/index.js';
import { AuditTrail, UserDirectory } from '../auth/index.js';
import { ReportedFiles } from '../composing/index.js';
import { SendsOverview } from '../history/index.js';
import { AttestedImports } from '../lists/index.js';
import { AdminSenders } from './admin-senders.service.js';
import type { AdminAuditDto, AdminAuditQuery, AdminOverviewDto } from './dto/admin-audit.dto.js';

/** Reads the figures of the whole product and its audit trail. */
@Injectable()
export class AdminOverview {
  constructor(
    private readonly directory: UserDirectory,
    private readonly imports: AttestedImports,
    private readonly sends: SendsOverview,
    private readonly trail: AuditTrail,
    private readonly senders: AdminSenders,
    private readonly files: ReportedFiles,
  ) {}

  async numbers(timeZone: string): Promise<AdminOverviewDto> {
    const [users, pendingUsers, suspendedUsers, imports, today, flaggedUsers, reportedFiles] = await Promise.all([
      this.directory.count({}),
      this.directory.count({ isVerified: false }),
      this.directory.count({ isSuspended: true }),
      this.imports.page({ state: 'waiting', limit: 1 }),
      this.sends.today(timeZone),
      this.senders.flagged(),
      this.files.waiting(),
    ]);
    return {
      users,
      pendingUsers,
      suspendedUsers,
      waitingImports: imports.total,
      flaggedUsers,
      reportedFiles,
      filesScanned: this.files.areScanned,
      today,
    };
  }

  async audit({ userId, actorId, kind, search, limit, cursor }: AdminAuditQuery): Promise<Page<AdminAuditDto>> {
    const page = await this.trail.page({ userId, actorId, kind, search, limit, cursor });
    return {
      ...page,
      rows: page.rows.map(({ actorId: _actor, userAgent: _agent, at, ...line }) => ({ ...line, at: at.toISOString() })),
    };
  }
}
