import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ReferralsModule } from '../referrals/index.js';
import { BillingController } from './billing.controller.js';
import { BillingExport } from './billing-export.service.js';
import { BillingLock } from './billing-lock.service.js';
import { Checkout } from './checkout.service.js';
import { ClosedAccounts, Customers } from './customers.service.js';
import { PlanCatalogue } from './plans/plan-catalogue.service.js';
import { PlanChanges } from './plans/plan-changes.service.js';
import { PlanReconcile } from './plans/plan-reconcile.service.js';
import { PlanRecords } from './plans/plan-records.service.js';
import { PlanStatus } from './plans/plan-status.service.js';
import { PlanSync } from './plans/plan-sync.service.js';
import { PlansController } from './plans/plans.controller.js';
import { ReferralMonths } from './referral-months.service.js';
import { Refunds } from './refunds.service.js';
import { StripeGateway } from './stripe-gateway.js';
import { WebhookController } from './webhook.controller.js';
import { Webhooks } from './webhooks.service.js';

/** Paid plans. Stripe is the source of truth; this module copies Stripe's state and applies it. */
@Module({
  imports: [AuthModule, ReferralsModule],
  controllers: [BillingController, PlansController, WebhookController],
  providers: [
    BillingExport,
    BillingLock,
    Checkout,
    ClosedAccounts,
    Customers,
    PlanCatalogue,
    PlanChanges,
    PlanRecords,
    PlanStatus,
    PlanSync,
    ReferralMonths,
    Refunds,
    StripeGateway,
    Webhooks,
  ],
  exports: [BillingLock, ClosedAccounts, PlanRecords, PlanSync, StripeGateway, Webhooks],
})
export class BillingModule {}

/** Scheduled billing work, in workers. */
@Module({ imports: [AuthModule, BillingModule], providers: [PlanReconcile] })
export class BillingWorkerModule {}
