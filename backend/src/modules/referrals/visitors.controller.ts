import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.js';
import { ApiErrors, clientOf, Public, RateLimits } from '../../shared/http/index.js';
import { MessageDto } from '../../shared/http/responses/message.dto.js';
import { AskOptOuts } from '../lists/index.js';
import { OptOutDto, ReferrerDto, VisitDto } from './dto/referrals.dto.js';
import { Visits } from './visits.service.js';

/** Invite calls for people without an account. */
@ApiTags('referrals')
@Controller('api/referrals')
@Public()
export class VisitorsController {
  constructor(
    private readonly visits: Visits,
    private readonly optOuts: AskOptOuts,
    private readonly limits: RateLimits,
  ) {}

  /** Records the referrer of this visitor for 30 days. An unknown link is not an error. */
  @Post('visit')
  @HttpCode(200)
  @ApiOkResponse({ type: ReferrerDto })
  @ApiErrors(400, 429)
  async noteVisit(
    @Body() { ref }: VisitDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<ReferrerDto> {
    return { inviterName: await this.visits.note(ref, req, res) };
  }

  /**
   * Excludes the recipient of an invite or confirmation mail from all such mail permanently. Serves the links of older
   * mails; newer mails use /api/never-ask/{token}.
   */
  @Post('opt-out')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 404, 429)
  async optOutOfInvites(@Body() { token }: OptOutDto, @Req() req: Request): Promise<MessageDto> {
    await this.optOuts.optOut(token, 'page', clientOf(req)).catch(async (error: unknown) => {
      if (error instanceof AppError && error.status === 404)
        await this.limits.consumeByClient('wrong-token', clientOf(req).ip);
      throw error;
    });
    return { message: 'You will not be invited again.' };
  }
}
