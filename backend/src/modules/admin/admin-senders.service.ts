import { Injectable } from '@nestjs/common';
import { invalid } from '../../shared/errors/app-error.js';
import type { Page } from '../../shared/http/index.js';
import { UserDirectory } from '../auth/index.js';
import { SenderReputation } from '../sending/index.js';
import type { AdminSenderDto, AdminSenderQuery } from './dto/admin-sender.dto.js';

/** Whose mail bounces or is reported as spam (guide/email.md §2): people who sent within 30 days, the worst first. */
@Injectable()
export class AdminSenders {
  constructor(
    private readonly reputation: SenderReputation,
    private readonly directory: UserDirectory,
  ) {}

  async page({ only, search, limit = 50, cursor }: AdminSenderQuery): Promise<Page<AdminSenderDto>> {
    const from = placeOf(cursor);
    const found = (await this.named()).filter((sender) => (only === undefined || sender.flag !== 'none') && matches(sender, search));
    const rows = found.slice(from, from + limit);
    return {
      rows, total: found.length,
      next: from + limit < found.length ? String(from + limit) : null,
      prev: from > 0 ? String(Math.max(0, from - limit)) : null,
    };
  }

  /** How many accounts are above a threshold. */
  async flagged(): Promise<number> {
    return (await this.reputation.of()).filter(({ flag }) => flag !== 'none').length;
  }

  private async named(): Promise<AdminSenderDto[]> {
    const all = await this.reputation.of();
    const users = await this.directory.ofIds(all.map(({ userId }) => userId));
    return all.flatMap((sender) => {
      const user = users.get(sender.userId);
      return user ? [{ ...sender, email: user.email, name: `${user.firstName} ${user.lastName}`.trim(), suspended: user.suspendedAt !== null }] : [];
    });
  }
}

function matches({ email, name }: AdminSenderDto, search = ''): boolean {
  const text = search.trim().toLowerCase();
  return email.toLowerCase().includes(text) || name.toLowerCase().includes(text);
}

/** The order moves with every complaint, so a page is found by its number in it. */
function placeOf(cursor = '0'): number {
  if (!/^\d{1,9}$/.test(cursor)) throw invalid('cursor', 'The cursor is not valid');
  return Number(cursor);
}
