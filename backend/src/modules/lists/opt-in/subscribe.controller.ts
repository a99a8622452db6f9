import { Body, Controller, Get, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, clientOf, Public, RateLimit } from '../../../shared/http/index.js';
import { ConfirmedDto, SubscribeDto } from '../unsubscribe/consent.dto.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { OptInConfirmation } from './opt-in-confirmation.service.js';
import { isProgrammatic, NO_EFFECT, type NoEffect } from '../unsubscribe/programmatic-call.js';
import { PublicSubscribe } from './public-subscribe.service.js';
import { InvalidTokenLimiter } from './invalid-token-limiter.service.js';
import { PublicListDto } from '../my-lists/email-list.dto.js';
import { ListReader } from '../my-lists/list-reader.service.js';

@ApiTags('consent')
@Controller('api/subscribe')
@Public()
export class SubscribeController {
  constructor(
    private readonly subscribing: PublicSubscribe,
    private readonly confirmation: OptInConfirmation,
    private readonly invalidTokens: InvalidTokenLimiter,
  ) {}

  /** Subscribes a visitor, who gets a confirmation mail; without emailListId, to the shared network. */
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
  async confirmSubscription(@Param('token') token: string, @Req() request: Request): Promise<ConfirmedDto | NoEffect> {
    if (!isProgrammatic(request)) return NO_EFFECT;
    return this.invalidTokens.guard(request, () => this.confirmation.confirm(token, clientOf(request)));
  }
}

@ApiTags('lists')
@Controller('api/email-lists/slug')
export class PublicListsController {
  constructor(private readonly reader: ListReader) {}

  /** What the public subscribe page shows of a list. */
  @Get(':slug')
  @Public()
  @ApiOkResponse({ type: PublicListDto })
  @ApiErrors(404)
  getPublicList(@Param('slug') slug: string): Promise<PublicListDto> {
    return this.reader.bySlug(slug);
  }
}
