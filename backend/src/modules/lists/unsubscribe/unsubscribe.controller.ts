import { Body, Controller, Get, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, clientOf, CrossSite, IgnoredBody, Public, RateLimit } from '../../../shared/http/index.js';
import { LeaveSenderDto, SenderChoicesDto, UndoDto, UnsubscribedDto } from './consent.dto.js';
import { isProgrammatic, NO_EFFECT, type NoEffect } from './programmatic-call.js';
import { SenderChoices } from './sender-choices.service.js';
import { UnsubscribeService } from './unsubscribe.service.js';
import { InvalidTokenLimiter } from '../opt-in/invalid-token-limiter.service.js';

@ApiTags('consent')
@RateLimit('none')
@Controller('api/unsubscribe/:token')
@Public()
export class UnsubscribeController {
  constructor(
    private readonly unsubscribes: UnsubscribeService,
    private readonly choices: SenderChoices,
    private readonly invalidTokens: InvalidTokenLimiter,
  ) {}

  /** Unsubscribes the address; acts only for a programmatic call, never because a link was fetched. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Vary', 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest, Sec-Purpose, Purpose')
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  async readUnsubscribe(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto | NoEffect> {
    if (!isProgrammatic(request)) return NO_EFFECT;
    return this.invalidTokens.guard(request, () => this.unsubscribes.leave(token, 'page', clientOf(request)));
  }

  /** Unsubscribes the address; the body, of any content type, is ignored. */
  @Post()
  @CrossSite()
  @IgnoredBody()
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  unsubscribe(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.invalidTokens.guard(request, () => this.unsubscribes.leave(token, 'one-click', clientOf(request)));
  }

  /** Unsubscribes the address from all senders. */
  @Post('all')
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  unsubscribeEverything(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.invalidTokens.guard(request, () => this.unsubscribes.leaveEverything(token, clientOf(request)));
  }

  /** Senders that have the address on a list; read-only. */
  @Get('senders')
  @ApiOkResponse({ type: SenderChoicesDto })
  @ApiErrors(404, 429)
  listSenders(@Param('token') token: string, @Req() request: Request): Promise<SenderChoicesDto> {
    return this.invalidTokens.guard(request, () => this.choices.of(token));
  }

  /** Unsubscribes the address from one sender's lists. */
  @Post('leave')
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(400, 404, 429)
  leaveSender(
    @Param('token') token: string,
    @Body() { sender }: LeaveSenderDto,
    @Req() request: Request,
  ): Promise<UnsubscribedDto> {
    return this.invalidTokens.guard(request, () => this.unsubscribes.leaveSender(token, sender, clientOf(request)));
  }

  /** Undoes the unsubscribe by the link, or the one from a single sender, within ten minutes. */
  @Post('undo')
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(400, 404, 410, 429)
  undoUnsubscribe(
    @Param('token') token: string,
    @Body() body: UndoDto,
    @Req() request: Request,
  ): Promise<UnsubscribedDto> {
    return this.invalidTokens.guard(request, () => this.unsubscribes.undo(token, body.sender, clientOf(request)));
  }
}

/** List-Unsubscribe URL of every send (RFC 8058); it has the page's path, outside /api. */
@ApiTags('consent')
@RateLimit('none')
@Controller('unsubscribe/:token')
@Public()
export class OneClickController {
  constructor(
    private readonly unsubscribes: UnsubscribeService,
    private readonly invalidTokens: InvalidTokenLimiter,
  ) {}

  /** One-click unsubscribe by a mail program: no cookie, no redirect, any body. */
  @Post()
  @CrossSite()
  @IgnoredBody()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  unsubscribeOneClick(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.invalidTokens.guard(request, () => this.unsubscribes.leave(token, 'one-click', clientOf(request)));
  }
}
