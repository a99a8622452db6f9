import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, clientOf, Public } from '../../shared/http/index.js';
import { MessageDto } from '../../shared/http/message.dto.js';
import { OptOutDto, ReferrerDto, VisitDto } from './dto/referrals.dto.js';
import { InviteOptOuts } from './invite-opt-outs.service.js';
import { Visits } from './visits.service.js';

/** What people without an account do with an invite. */
@ApiTags('referrals')
@Controller('api/referrals')
@Public()
export class VisitorsController {
  constructor(private readonly visits: Visits, private readonly optOuts: InviteOptOuts) {}

  /** Who sent this visitor; remembered for 30 days. A link that leads to nobody is no error. */
  @Post('visit')
  @HttpCode(200)
  @ApiOkResponse({ type: ReferrerDto })
  @ApiErrors(400, 429)
  async noteVisit(@Body() { ref }: VisitDto, @Req() req: Request, @Res({ passthrough: true }) res: Response): Promise<ReferrerDto> {
    return { inviterName: await this.visits.note(ref, req, res) };
  }

  /** Takes an invited address off all invites, for good. */
  @Post('opt-out')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 404, 429)
  async optOutOfInvites(@Body() { token }: OptOutDto, @Req() req: Request): Promise<MessageDto> {
    await this.optOuts.optOut(token, clientOf(req).ip);
    return { message: 'You will not be invited again.' };
  }
}
