import { Body, Controller, Get, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors, clientOf, CrossSite, IgnoredBody, Public, RateLimit } from '../../shared/http/index.js';
import { LeaveSenderDto, SenderChoicesDto, UndoDto, UnsubscribedDto } from './dto/consent.dto.js';
import { isProgrammatic, LOOKED_ONLY, type LookedOnly } from './programmatic-call.js';
import { SenderChoices } from './sender-choices.service.js';
import { Unsubscribing } from './unsubscribing.service.js';
import { WrongTokens } from './wrong-tokens.service.js';

@ApiTags('consent')
@RateLimit('none')
@Controller('api/unsubscribe/:token')
@Public()
export class UnsubscribeController {
  constructor(
    private readonly unsubscribing: Unsubscribing,
    private readonly choices: SenderChoices,
    private readonly wrongTokens: WrongTokens,
  ) {}

  /** Takes the address off; acts only for a programmatic call, never because a link was fetched. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Vary', 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest, Sec-Purpose, Purpose')
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  async readUnsubscribe(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto | LookedOnly> {
    if (!isProgrammatic(request)) return LOOKED_ONLY;
    return this.wrongTokens.guard(request, () => this.unsubscribing.leave(token, 'page', clientOf(request)));
  }

  /** Takes the address off; the body, of any content type, is ignored. */
  @Post()
  @CrossSite()
  @IgnoredBody()
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  unsubscribe(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.wrongTokens.guard(request, () => this.unsubscribing.leave(token, 'one-click', clientOf(request)));
  }

  /** Takes the address off every sender's mail. */
  @Post('all')
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(404, 429)
  unsubscribeEverything(@Param('token') token: string, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.wrongTokens.guard(request, () => this.unsubscribing.leaveEverything(token, clientOf(request)));
  }

  /** The senders who have the address on a list; looking changes nothing. */
  @Get('senders')
  @ApiOkResponse({ type: SenderChoicesDto })
  @ApiErrors(404, 429)
  listSenders(@Param('token') token: string, @Req() request: Request): Promise<SenderChoicesDto> {
    return this.wrongTokens.guard(request, () => this.choices.of(token));
  }

  /** Takes the address off the lists of one sender. */
  @Post('leave')
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(400, 404, 429)
  leaveSender(@Param('token') token: string, @Body() { sender }: LeaveSenderDto, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.wrongTokens.guard(request, () => this.unsubscribing.leaveSender(token, sender, clientOf(request)));
  }

  /** Takes the unsubscribe back, or that from one sender, within ten minutes of it. */
  @Post('undo')
  @HttpCode(200)
  @ApiOkResponse({ type: UnsubscribedDto })
  @ApiErrors(400, 404, 410, 429)
  undoUnsubscribe(@Param('token') token: string, @Body() body: UndoDto, @Req() request: Request): Promise<UnsubscribedDto> {
    return this.wrongTokens.guard(request, () => this.unsubscribing.undo(token, body.sender, clientOf(request)));
  }
}
