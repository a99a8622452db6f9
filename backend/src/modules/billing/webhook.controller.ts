import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Anonymous, CrossSite } from '../../shared/http/access.decorators.js';
import { KB, RawBody } from '../../shared/http/body.decorators.js';
import { ApiErrors } from '../../shared/http/api-errors.js';
import { RateLimit } from '../../shared/http/rate-limit.decorator.js';
import { ReceivedDto } from './dto/billing.dto.js';
import { Webhooks } from './webhook.service.js';

@ApiTags('billing')
@Controller('api/stripe')
export class WebhookController {
  constructor(private readonly webhooks: Webhooks) {}

  /** Takes Stripe's signed events; the signature is over the bytes as they came */
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
