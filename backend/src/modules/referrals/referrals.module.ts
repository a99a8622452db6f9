import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ListsModule } from '../lists/index.js';
import { Attribution } from './attribution.service.js';
import { InvitePageController } from './invite-page.controller.js';
import { InviteWithdrawal } from './invite-withdrawal.js';
import { Inviting } from './inviting.service.js';
import { ReferralSweeper } from './jobs/referral-sweeper.js';
import { ReferralCredits } from './referral-credits.service.js';
import { ReferralReader } from './referral-reader.service.js';
import { ReferralsController } from './referrals.controller.js';
import { ReferralsExport } from './referrals-export.service.js';
import { Referrers } from './referrers.service.js';
import { VisitorsController } from './visitors.controller.js';
import { Visits } from './visits.service.js';

/** Who brought whom, and the free months earned by it. */
@Module({
  imports: [AuthModule, ListsModule],
  controllers: [ReferralsController, VisitorsController, InvitePageController],
  providers: [Attribution, Inviting, InviteWithdrawal, ReferralCredits, ReferralReader, ReferralsExport, Referrers, Visits],
  exports: [Attribution, InviteWithdrawal, ReferralCredits],
})
export class ReferralsModule {}

/** What a worker does for referrals. */
@Module({ imports: [ReferralsModule], providers: [ReferralSweeper] })
export class ReferralsWorkerModule {}
