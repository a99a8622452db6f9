import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../shared/http/responses/error-body.dto.js';
import { RateLimit } from '../../shared/http/rate-limits/rate-limit.guard.js';
import { CurrentUser, type RequestUser } from '../../shared/http/requests/request-user.js';
import { Checkout } from './checkout.service.js';
import {
  CancelSubscriptionDto,
  CreatedDto,
  CreateSubscriptionDto,
  PortalDto,
  SubscriptionStatusDto,
} from './dto/billing.dto.js';
import { PlanChanges } from './plans/plan-changes.service.js';
import { PlanStatus } from './plans/plan-status.service.js';

@ApiTags('billing')
@Controller('api/stripe')
export class BillingController {
  constructor(
    private readonly checkout: Checkout,
    private readonly changes: PlanChanges,
    private readonly status: PlanStatus,
  ) {}

  /** The account's plan and earned months */
  @Get('subscription-status')
  @ApiOkResponse({ type: SubscriptionStatusDto })
  @ApiErrors(401, 429)
  subscriptionStatus(@CurrentUser() user: RequestUser): Promise<SubscriptionStatusDto> {
    return this.status.of(user.id);
  }

  /** Starts the purchase of a plan; the browser pays with the returned secret */
  @Post('create-subscription')
  @HttpCode(200)
  @RateLimit('create-subscription')
  @ApiOkResponse({ type: CreatedDto })
  @ApiErrors(400, 401, 409, 429, 502, 503)
  createSubscription(@CurrentUser() user: RequestUser, @Body() body: CreateSubscriptionDto): Promise<CreatedDto> {
    return this.checkout.open(user.id, body);
  }

  /** Cancels the plan, at period end or immediately */
  @Post('cancel-subscription')
  @HttpCode(200)
  @ApiOkResponse({ type: SubscriptionStatusDto })
  @ApiErrors(400, 401, 429, 502, 503)
  async cancelSubscription(
    @CurrentUser() user: RequestUser,
    @Body() body: CancelSubscriptionDto,
  ): Promise<SubscriptionStatusDto> {
    await this.changes.cancel(user.id, body.immediately ?? false);
    return this.status.of(user.id);
  }

  /** Undoes a cancellation while the plan still runs */
  @Post('reactivate-subscription')
  @HttpCode(200)
  @ApiOkResponse({ type: SubscriptionStatusDto })
  @ApiErrors(400, 401, 429, 502, 503)
  async reactivateSubscription(@CurrentUser() user: RequestUser): Promise<SubscriptionStatusDto> {
    await this.changes.reactivate(user.id);
    return this.status.of(user.id);
  }

  /** Creates a billing portal session: card, invoices, plan changes */
  @Post('create-portal-session')
  @HttpCode(200)
  @ApiOkResponse({ type: PortalDto })
  @ApiErrors(400, 401, 429, 502, 503)
  async createPortalSession(@CurrentUser() user: RequestUser): Promise<PortalDto> {
    return { url: await this.changes.portalUrl(user.id) };
  }
}
