import { Body, Controller, Get, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, clientOf, Public, RateLimit } from '../../shared/http/index.js';
import { ConfirmedDto, SubscribeDto } from './dto/consent.dto.js';
import { MessageDto } from './dto/message.dto.js';
import { OptInConfirmation } from './opt-in-confirmation.service.js';
import { isProgrammatic, LOOKED_ONLY, type LookedOnly } from './programmatic-call.js';
import { PublicSubscribe } from './public-subscribe.service.js';
import { WrongTokens } from './wrong-tokens.service.js';

@ApiTags('consent')
@Controller('api/subscribe')
@Public()
export class SubscribeController {
  constructor(
    private readonly subscribing: PublicSubscribe,
    private readonly confirmation: OptInConfirmation,
    private readonly wrongTokens: WrongTokens,
  ) {}

  /** Subscribes a visitor, who then gets a confirmation mail; without emailListId to the shared network. */
  @Post()
  @RateLimit('subscribe')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 404, 409, 429)
  subscribe(@Body() body: SubscribeDto, @Req() request: Request): Promise<MessageDto> {
    return this.subscribing.subscribe(body, clientOf(request));
  }

  /** Confirms a subscription; acts only for a programmatic call, never because a link was fetched. */
  @RateLimit('none')
  @Get('confirm/:token')
  @Header('Cache-Control', 'no-store')
  @Header('Vary', 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest, Sec-Purpose, Purpose')
  @ApiOkResponse({ type: ConfirmedDto })
  @ApiErrors(404, 410, 429)
  async confirmSubscription(@Param('token') token: string, @Req() request: Request): Promise<ConfirmedDto | LookedOnly> {
    if (!isProgrammatic(request)) return LOOKED_ONLY;
    return this.wrongTokens.guard(request, () => this.confirmation.confirm(token, clientOf(request)));
  }
}
