import { Injectable } from '@nestjs/common';
import type { Page } from '../../shared/http/index.js';
import { UserDirectory } from '../auth/index.js';
import { AttestedBatchQuery, AttestedImports, type AttestedBatch } from '../lists/index.js';
import type { AdminImportDto, ImportOwnerDto } from './dto/admin-import.dto.js';

/** Lists attested imports, each with its owner's track record (imports confirmed and declined). */
@Injectable()
export class AdminImports {
  constructor(
    private readonly imports: AttestedImports,
    private readonly directory: UserDirectory,
  ) {}

  async page(query: AttestedBatchQuery): Promise<Page<AdminImportDto>> {
    const page = await this.imports.page(query);
    const owners = await this.ownersOf(page.rows);
    return { ...page, rows: page.rows.map(({ userId, ...batch }) => ({ ...batch, owner: owners.get(userId)! })) };
  }

  private async ownersOf(batches: AttestedBatch[]): Promise<Map<string, ImportOwnerDto>> {
    const ids = [...new Set(batches.map(({ userId }) => userId))];
    const [users, records] = await Promise.all([this.directory.ofIds(ids), this.imports.recordOf(ids)]);
    return new Map(
      ids.map((id) => {
        const {
          email = '',
          firstName = '',
          lastName = '',
          agencyName = null,
          createdAt = '',
          suspendedAt = null,
        } = users.get(id) ?? {};
        const { confirmed, declined } = records.get(id) ?? { confirmed: 0, declined: 0 };
        return [
          id,
          {
            id,
            email,
            name: `${firstName} ${lastName}`.trim(),
            agencyName,
            memberSince: createdAt,
            suspended: suspendedAt !== null,
            confirmedImports: confirmed,
            declinedImports: declined,
          },
        ];
      }),
    );
  }
}
