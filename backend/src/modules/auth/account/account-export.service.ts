import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { ExportParts } from '../../../shared/personal-data.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import { Accounts } from './accounts.service.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { DeviceList } from '../sessions/device-list.service.js';
import { AccountAuditLog } from '../audit/account-audit-log.service.js';
import { NIL_UUID } from '../../../shared/text/formats.js';

/** Streams all data of an account as a ZIP. */
@Injectable()
export class AccountExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: ExportParts,
    private readonly accounts: Accounts,
    private readonly devices: DeviceList,
    private readonly audit: AuditTrail,
    private readonly trail: AccountAuditLog,
  ) {}

  onModuleInit(): void {
    this.parts.add(
      { file: 'profile.json', document: (userId) => this.accounts.describe(userId) },
      {
        file: 'devices.csv',
        header: ['device', 'user agent', 'ip address', 'signed in', 'last used'],
        rows: (userId) => this.deviceRows(userId),
      },
      {
        file: 'security-events.csv',
        header: ['at', 'event', 'by', 'detail', 'ip address', 'device'],
        rows: (userId) => this.auditRows(userId),
      },
    );
  }

  /**
   * Writes one file after the other. An error aborts the stream, so that a truncated download does not look complete.
   */
  async of(userId: string, client: Client): Promise<Readable> {
    await this.audit.record(this.em.fork(), { kind: 'data.exported', userId, client });
    const zip = new ZipFile();
    const out = zip.outputStream as Readable;
    let current: Readable | undefined;
    for (const { file, text } of this.parts.filesOf(userId)) {
      zip.addReadStreamLazy(file, (use) => use(null, (current = Readable.from(text(), { objectMode: false }))));
    }
    for (const { name, open } of await this.parts.uploadsOf(userId))
      zip.addReadStreamLazy(name, { compress: false }, (use) => {
        open().then(
          (content) => use(null, (current = content ?? Readable.from([]))),
          (error: Error) => use(error, Readable.from([])),
        );
      });
    zip.on('error', (error: Error) => out.destroy(error));
    out.once('close', () => current?.destroy());
    zip.end();
    return out;
  }

  private async *deviceRows(userId: string) {
    for (const row of await this.devices.of({ id: userId, sessionId: NIL_UUID }))
      yield [row.device, row.userAgent, row.ipAddress, row.createdAt, row.lastSeenAt];
  }

  private async *auditRows(userId: string) {
    for await (const { at, description, actor, reason, ipAddress, device } of this.trail.all(userId))
      yield [at, description, actor, reason, ipAddress, device];
  }
}
