import { Body, Controller, Get, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, collection, CurrentUser, PageQuery, type RequestUser } from '../../shared/http/index.js';
import { MessageDto } from '../../shared/http/responses/message.dto.js';
import { InviteDto, ReferralCodeDto, ReferralInviteDto, ReferralsDto } from './dto/referrals.dto.js';
import { InviteService } from './invite.service.js';
import { ReferralReader } from './referral-reader.service.js';

@ApiTags('referrals')
@Controller('api/referrals')
export class ReferralsController {
  constructor(
    private readonly reader: ReferralReader,
    private readonly invites: InviteService,
  ) {}

  /** The caller's referral figures and newest invites. */
  @Get()
  @ApiOkResponse({ type: ReferralsDto })
  @ApiErrors(401, 429)
  getReferrals(@CurrentUser() user: RequestUser): Promise<ReferralsDto> {
    return this.reader.overview(user.id);
  }

  /** The caller's referral link. */
  @Get('code')
  @ApiOkResponse({ type: ReferralCodeDto })
  @ApiErrors(401, 429)
  getReferralCode(@CurrentUser() user: RequestUser): Promise<ReferralCodeDto> {
    return this.reader.code(user.id);
  }

  /** The caller's invites, newest first. */
  @Get('invites')
  @ApiOkResponse({ type: [ReferralInviteDto] })
  @ApiErrors(400, 401, 429)
  async listInvites(
    @CurrentUser() user: RequestUser,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<ReferralInviteDto[] | StreamableFile> {
    return collection(
      res,
      query,
      (part) => this.reader.page(user.id, part),
      (whole) => this.reader.all(user.id, whole),
    );
  }

  /** Invites an address by mail, at most 20 a day and once per address in 30 days. */
  @Post('invite')
  @ApiCreatedResponse({ type: MessageDto })
  @ApiErrors(400, 401, 403, 409, 429)
  async sendInvite(@CurrentUser() user: RequestUser, @Body() { inviteeEmail }: InviteDto): Promise<MessageDto> {
    await this.invites.invite(user, inviteeEmail);
    return { message: `An invite is on its way to ${inviteeEmail}` };
  }
}
