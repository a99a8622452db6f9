import { Injectable } from '@nestjs/common';
import { positionOf } from '../../shared/database/queries/position-cursor.js';
import type { Page } from '../../shared/http/index.js';
import { UserDirectory } from '../auth/index.js';
import { SenderReputation, type SenderReputationDto } from '../bounces/index.js';
import type { AdminSenderDto, AdminSenderQuery } from './dto/admin-sender.dto.js';

const MAX_FOUND_USERS = 1_000;

/** Lists users with their bounce and complaint rates: those who sent within 30 days, the worst first. */
@Injectable()
export class AdminSenders {
  constructor(
    private readonly reputation: SenderReputation,
    private readonly directory: UserDirectory,
  ) {}

  /** A page of senders. `search` covers only the first 1,000 matching accounts. */
  async page({ only, search, limit = 50, cursor }: AdminSenderQuery): Promise<Page<AdminSenderDto>> {
    // An offset, because the order changes with every complaint.
    const from = positionOf(cursor);
    const text = search?.trim();
    const userIds = text
      ? (await this.directory.page({ search: text, limit: MAX_FOUND_USERS })).rows.map(({ id }) => id)
      : undefined;
    const { rows, total } = await this.reputation.page({ flagged: only !== undefined, userIds, from, limit });
    return {
      rows: await this.named(rows),
      total,
      next: from + limit < total ? String(from + limit) : null,
      prev: from > 0 ? String(Math.max(0, from - limit)) : null,
    };
  }

  /** Number of accounts whose complaint rate reaches the watch threshold. */
  async flagged(): Promise<number> {
    return (await this.reputation.page({ flagged: true, from: 0, limit: 0 })).total;
  }

  private async named(senders: SenderReputationDto[]): Promise<AdminSenderDto[]> {
    const users = await this.directory.ofIds(senders.map(({ userId }) => userId));
    return senders.flatMap((sender) => {
      const user = users.get(sender.userId);
      return user
        ? [
            {
              ...sender,
              email: user.email,
              name: `${user.firstName} ${user.lastName}`.trim(),
              suspended: user.suspendedAt !== null,
            },
          ]
        : [];
    });
  }
}
