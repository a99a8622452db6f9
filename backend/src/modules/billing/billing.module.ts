import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ReferralsModule } from '../referrals/index.js';
import { BillingController } from './billing.controller.js';
import { BillingExport } from './billing-export.service.js';
import { BillingTurns } from './billing-turns.service.js';
import { Checkout } from './checkout.service.js';
import { ClosedAccounts } from './closed-accounts.service.js';
import { Customers } from './customers.service.js';
import { PlanCatalogue } from './plan-catalogue.service.js';
import { PlanChanges } from './plan-changes.service.js';
import { PlanReconcile } from './plan-reconcile.service.js';
import { PlanRecords } from './plan-records.service.js';
import { PlanStatus } from './plan-status.service.js';
import { PlanSync } from './plan-sync.service.js';
import { PlansController } from './plans.controller.js';
import { ReferralMonths } from './referral-months.service.js';
import { ReturnedPayments } from './returned-payments.service.js';
import { StripeGateway } from './stripe-gateway.js';
import { WebhookController } from './webhook.controller.js';
import { Webhooks } from './webhook.service.js';

/** Paid plans: Stripe holds them, this module mirrors them and acts on them. */
@Module({
  imports: [AuthModule, ReferralsModule],
  controllers: [BillingController, PlansController, WebhookController],
  providers: [
    BillingExport, BillingTurns, Checkout, ClosedAccounts, Customers, PlanCatalogue, PlanChanges, PlanRecords, PlanStatus, PlanSync, ReferralMonths, ReturnedPayments, StripeGateway, Webhooks,
  ],
  exports: [BillingTurns, ClosedAccounts, PlanRecords, PlanSync, StripeGateway, Webhooks],
})
export class BillingModule {}

/** What a worker does for billing. */
@Module({ imports: [AuthModule, BillingModule], providers: [PlanReconcile] })
export class BillingWorkerModule {}
