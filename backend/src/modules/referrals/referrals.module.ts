import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ListsModule } from '../lists/index.js';
import { Attribution } from './attribution.service.js';
import { InvitePageController } from './invite-page.controller.js';
import { InviteWithdrawal } from './invite-withdrawal.js';
import { InviteService } from './invite.service.js';
import { ReferralSweeper } from './referral-sweeper.js';
import { ReferralCredits } from './referral-credits.service.js';
import { ReferralReader } from './referral-reader.service.js';
import { ReferralsController } from './referrals.controller.js';
import { ReferralsExport } from './referrals-export.service.js';
import { Referrers } from './referrers.service.js';
import { VisitorsController } from './visitors.controller.js';
import { Visits } from './visits.service.js';

/** Referrals and the months of Pro that they earn. */
@Module({
  imports: [AuthModule, ListsModule],
  controllers: [ReferralsController, VisitorsController, InvitePageController],
  providers: [
    Attribution,
    InviteService,
    InviteWithdrawal,
    ReferralCredits,
    ReferralReader,
    ReferralsExport,
    Referrers,
    Visits,
  ],
  exports: [Attribution, InviteWithdrawal, ReferralCredits],
})
export class ReferralsModule {}

/** Scheduled referral work, in workers. */
@Module({ imports: [ReferralsModule], providers: [ReferralSweeper] })
export class ReferralsWorkerModule {}
