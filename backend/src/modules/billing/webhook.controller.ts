import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Anonymous, CrossSite } from '../../shared/http/requests/access.decorators.js';
import { KB, RawBody } from '../../shared/http/requests/body.decorators.js';
import { ApiErrors } from '../../shared/http/responses/error-body.dto.js';
import { RateLimit } from '../../shared/http/rate-limits/rate-limit.guard.js';
import { ReceivedDto } from './dto/billing.dto.js';
import { Webhooks } from './webhooks.service.js';

@ApiTags('billing')
@Controller('api/stripe')
export class WebhookController {
  constructor(private readonly webhooks: Webhooks) {}

  /** Receives Stripe's events, signed over the raw body */
  @Anonymous()
  @CrossSite()
  @RateLimit('none')
  @RawBody(64 * KB)
  @Post('webhook')
  @HttpCode(200)
  @ApiOkResponse({ type: ReceivedDto })
  @ApiErrors(400, 503)
  async receiveStripeEvent(@Req() req: Request, @Headers('stripe-signature') signature?: string): Promise<ReceivedDto> {
    await this.webhooks.receive(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0), signature);
    return { received: true };
  }
}
