import { Injectable } from '@nestjs/common';
import type { Page } from '../../shared/http/index.js';
import { type Actor, DeviceList, type ListedUser, UserDirectory, AdminUserActions } from '../auth/index.js';
import { SenderReputation } from '../bounces/index.js';
import { UsageLedger } from '../history/index.js';
import { Lists } from '../lists/index.js';
import type {
  AdminUserDetailDto,
  AdminUserDto,
  AdminUserQuery,
  ChangeUserDto,
  PendingUserDto,
} from './dto/admin-user.dto.js';

/** Reads accounts for the Users tab of the admin screens: from auth's account directory, with today's usage. */
@Injectable()
export class AdminUsers {
  constructor(
    private readonly directory: UserDirectory,
    private readonly userActions: AdminUserActions,
    private readonly devices: DeviceList,
    private readonly usage: UsageLedger,
    private readonly lists: Lists,
    private readonly reputation: SenderReputation,
  ) {}

  async page({ suspended, ...query }: AdminUserQuery): Promise<Page<AdminUserDto>> {
    const page = await this.directory.page({ ...query, isSuspended: suspended });
    return { ...page, rows: await this.views(page.rows) };
  }

  async pending({ search, sort, limit, cursor }: AdminUserQuery): Promise<Page<PendingUserDto>> {
    const page = await this.directory.page({ search, sort, limit, cursor, isVerified: false });
    return {
      ...page,
      rows: page.rows.map(({ id, firstName, lastName, role, tier, createdAt, email }) => ({
        user: { id, firstName, lastName, role, tier, createdAt },
        credential: { email },
      })),
    };
  }

  async one(id: string): Promise<AdminUserDetailDto> {
    const listed = await this.directory.one(id);
    const [[user], { totalLists, totalContacts }, devices, [reputation]] = await Promise.all([
      this.views([listed]),
      this.lists.totalsOf(id),
      this.devices.ofAccount(id),
      this.reputation.of([id]),
    ]);
    const { tier, planSource, planUntil, subscriptionStatus, dailyLimit } = listed;
    const remainingToday = dailyLimit === null ? null : Math.max(0, dailyLimit - user!.emailsSentToday);
    return {
      ...user!,
      plan: { plan: tier, source: planSource, until: planUntil, subscriptionStatus, dailyLimit, remainingToday },
      totalLists,
      totalContacts,
      reputation: reputation!,
      devices,
    };
  }

  async change(
    actor: Actor,
    id: string,
    { customDailyLimit, isAdmin, suspended }: ChangeUserDto,
  ): Promise<AdminUserDto> {
    await this.userActions.change(actor, id, { customDailyLimit, isAdmin, suspended });
    return (await this.views([await this.directory.one(id)]))[0]!;
  }

  async verify(actor: Actor, id: string): Promise<{ message: string }> {
    return { message: (await this.userActions.verify(actor, id)) ? 'User verified' : 'This user is verified already' };
  }

  private async views(users: ListedUser[]): Promise<AdminUserDto[]> {
    const ids = users.map(({ id }) => id);
    const [sent, reputation] = await Promise.all([this.usage.sentTodayOf(ids), this.reputation.of(ids)]);
    const flags = new Map(reputation.map(({ userId, flag }) => [userId, flag]));
    return users.map(
      ({ planSource: _source, planUntil: _until, subscriptionStatus: _status, dailyLimit: _limit, ...user }) => ({
        ...user,
        suspended: user.suspendedAt !== null,
        flag: flags.get(user.id) ?? 'none',
        emailsSentToday: sent.get(user.id) ?? 0,
      }),
    );
  }
}
