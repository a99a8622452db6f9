import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, CrossSite, Public, RateLimit, StreamedBody } from '../../shared/http/index.js';
import { BounceHandler } from './bounce-handler.service.js';
import { ReportReceivedDto } from './reputation.dto.js';
import { SignedMail } from './signed-mail.service.js';

/** Bounce and complaint reports from a mail provider. */
@ApiTags('Webhooks')
@Controller('api/webhooks')
export class MailWebhookController {
  constructor(
    private readonly signed: SignedMail,
    private readonly bounces: BounceHandler,
  ) {}

  /**
   * A raw bounce or complaint report. Answered once its effect is stored; a repeated report changes nothing.
   * 404 while INBOUND_SECRET is not set.
   */
  @Post('mail')
  @HttpCode(200)
  @Public()
  @CrossSite()
  @RateLimit('none')
  @StreamedBody('a mail as message/rfc822')
  @ApiConsumes('message/rfc822')
  @ApiBody({ schema: { type: 'string', format: 'binary' }, description: 'The report, as a raw message' })
  @ApiHeader({
    name: 'X-Signature',
    description: 't={unix seconds},v1={hex HMAC-SHA256 of "t.body" under INBOUND_SECRET}',
  })
  @ApiOkResponse({ type: ReportReceivedDto })
  @ApiErrors(401, 404, 413, 503)
  async receiveMailReport(@Req() req: Request): Promise<ReportReceivedDto> {
    return { result: await this.bounces.receive(await this.signed.bodyOf(req)) };
  }
}
