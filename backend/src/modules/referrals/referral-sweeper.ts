import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { changed } from '../../shared/database/queries/rows.js';
import { SingleRunner } from '../../shared/database/single-runner.js';
import { Attribution } from './attribution.service.js';
import { InviteWithdrawal } from './invite-withdrawal.js';

const SWEEP_MS = 15_000;

/** Handles sign-ups and suspensions whose event was lost, and expires invites. */
@Injectable()
export class ReferralSweeper {
  private readonly log = new Logger(ReferralSweeper.name);

  constructor(
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
    private readonly attribution: Attribution,
    private readonly withdrawal: InviteWithdrawal,
  ) {}

  @Interval(SWEEP_MS)
  async run(): Promise<void> {
    await this.runner
      .run('referrals.sweep', () => this.sweep())
      .catch((error: unknown) =>
        this.log.error({ err: error, code: 'referral_sweep_failed' }, 'referrals could not be swept'),
      );
  }

  async sweep(): Promise<void> {
    await this.withdrawal.withdraw();
    await this.attribution.catchUp();
    await changed(
      this.em.fork(),
      `update referral_invites set status = 'expired' where status = 'pending' and expires_at <= now()`,
    );
  }
}
