import { Injectable } from '@nestjs/common';
import { invalid } from '../../shared/errors/app-error.js';
import type { Page } from '../../shared/http/index.js';
import { UserDirectory } from '../auth/index.js';
import { SenderReputation, type SenderReputationDto } from '../sending/index.js';
import type { AdminSenderDto, AdminSenderQuery } from './dto/admin-sender.dto.js';

const MOST_FOUND = 1_000;

/** Whose mail bounces or is reported as spam (guide/email.md §2): people who sent within 30 days, the worst first. */
@Injectable()
export class AdminSenders {
  constructor(
    private readonly reputation: SenderReputation,
    private readonly directory: UserDirectory,
  ) {}

  /** `search` looks among the accounts, the first thousand that it finds. */
  async page({ only, search, limit = 50, cursor }: AdminSenderQuery): Promise<Page<AdminSenderDto>> {
    const from = placeOf(cursor);
    const text = search?.trim();
    const userIds = text ? (await this.directory.page({ search: text, limit: MOST_FOUND })).rows.map(({ id }) => id) : undefined;
    const { rows, total } = await this.reputation.page({ flagged: only !== undefined, userIds, from, limit });
    return {
      rows: await this.named(rows), total,
      next: from + limit < total ? String(from + limit) : null,
      prev: from > 0 ? String(Math.max(0, from - limit)) : null,
    };
  }

  /** How many accounts are above a threshold. */
  async flagged(): Promise<number> {
    return (await this.reputation.page({ flagged: true, from: 0, limit: 0 })).total;
  }

  private async named(senders: SenderReputationDto[]): Promise<AdminSenderDto[]> {
    const users = await this.directory.ofIds(senders.map(({ userId }) => userId));
    return senders.flatMap((sender) => {
      const user = users.get(sender.userId);
      return user ? [{ ...sender, email: user.email, name: `${user.firstName} ${user.lastName}`.trim(), suspended: user.suspendedAt !== null }] : [];
    });
  }
}

/** The order moves with every complaint, so a page is found by its number in it. */
function placeOf(cursor = '0'): number {
  if (!/^\d{1,9}$/.test(cursor)) throw invalid('cursor', 'The cursor is not valid');
  return Number(cursor);
}
