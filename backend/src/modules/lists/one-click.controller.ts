import { Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, clientOf, CrossSite, IgnoredBody, Public, RateLimit } from '../../shared/http/index.js';
import { UnsubscribedDto } from './dto/consent.dto.js';
import { Unsubscribing } from './unsubscribing.service.js';
import { WrongTokens } from './wrong-tokens.service.js';

/** The List-Unsubscribe address of every send (RFC 8058): the page's own path, outside /api. */
@ApiTags('consent')
@RateLimit('none')
@Controller('unsubscribe/:token')
@Public()
export class OneClickController {
  constructor(private readonly unsubscribing: Unsubscribing, private readonly wrongTokens: WrongTokens) {}

  /** One-click unsubscribe by a mail program: no cookie, no redirect, any body. */
  @Post()
  @CrossSite()
  @IgnoredBody()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  unsubscribeOneClick(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.wrongTokens.guard(request, () => this.unsubscribing.leave(token, 'one-click', clientOf(request)));
  }
}
