import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Settings } from '../../../shared/config/settings.js';
import { Anonymous, Public } from '../../../shared/http/requests/access.decorators.js';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { PlanDto, StripeConfigDto } from '../dto/billing.dto.js';
import { PlanCatalogue } from './plan-catalogue.service.js';

@ApiTags('billing')
@Controller('api')
export class PlansController {
  constructor(
    private readonly catalogue: PlanCatalogue,
    private readonly settings: Settings,
  ) {}

  /** The available plans with prices and features */
  @Public()
  @Get('billing/plans')
  @ApiOkResponse({ type: [PlanDto] })
  @ApiErrors(429)
  listPlans(): Promise<PlanDto[]> {
    return this.catalogue.onOffer();
  }

  /** Payment configuration for the web app */
  @Anonymous()
  @Get('stripe/config')
  @ApiOkResponse({ type: StripeConfigDto })
  @ApiErrors(429)
  stripeConfig(): StripeConfigDto {
    return { mode: this.settings.billingMode, publishableKey: this.settings.stripe.publishableKey ?? null };
  }
}
