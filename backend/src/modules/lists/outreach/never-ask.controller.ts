import { Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, clientOf, CrossSite, IgnoredBody, Public, RateLimit } from '../../../shared/http/index.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { InvalidTokenLimiter } from '../opt-in/invalid-token-limiter.service.js';
import { AskOptOuts } from './ask-opt-outs.service.js';

/** Opt-out link of confirmation mails and invites. Fetching the link only shows a page. */
@ApiTags('consent')
@RateLimit('none')
@Controller()
@Public()
export class NeverAskController {
  constructor(
    private readonly optOuts: AskOptOuts,
    private readonly invalidTokens: InvalidTokenLimiter,
  ) {}

  /** Excludes the address from all unrequested mail; called by the page's button. */
  @Post('api/never-ask/:token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(404, 429)
  neverAsk(@Param('token') token: string, @Req() request: Request): Promise<MessageDto> {
    return this.act(token, 'page', request);
  }

  /** List-Unsubscribe URL of these mails, which mail programs call: no cookie, no redirect, any body (RFC 8058). */
  @Post('never-ask/:token')
  @CrossSite()
  @IgnoredBody()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(404, 429)
  neverAskOneClick(@Param('token') token: string, @Req() request: Request): Promise<MessageDto> {
    return this.act(token, 'one-click', request);
  }

  private async act(token: string, how: 'page' | 'one-click', request: Request): Promise<MessageDto> {
    const kind = await this.invalidTokens.guard(request, () => this.optOuts.optOut(token, how, clientOf(request)));
    return {
      message:
        kind === 'opt-in'
          ? 'You will not be asked again, and all senders have stopped.'
          : 'You will not be asked or invited again.',
    };
  }
}
