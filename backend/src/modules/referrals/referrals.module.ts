import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { Attribution } from './attribution.service.js';
import { ReferralSweeper } from './jobs/referral-sweeper.js';
import { ReferralCredits } from './referral-credits.service.js';

/** Who brought whom, and the free months earned by it. */
@Module({
  imports: [AuthModule],
  providers: [Attribution, ReferralCredits],
  exports: [Attribution, ReferralCredits],
})
export class ReferralsModule {}

/** What a worker does for referrals. */
@Module({ imports: [ReferralsModule], providers: [ReferralSweeper] })
export class ReferralsWorkerModule {}
