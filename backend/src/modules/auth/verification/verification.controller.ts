import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../shared/http/requests/access.decorators.js';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { clientOf, CurrentUser, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { RateLimit } from '../../../shared/http/rate-limits/rate-limit.guard.js';

import { ResentDto, TokenDto } from './token.dto.js';
import { SessionAuthenticator } from '../sessions/session-authenticator.service.js';
import { Verification } from './verification.service.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';

@ApiTags('auth')
@Controller('api/auth')
export class VerificationController {
  constructor(
    private readonly verification: Verification,
    private readonly sessions: SessionAuthenticator,
  ) {}

  /** Verifies the address by the mailed token and signs in. A second use only confirms that the address is verified */
  @Public()
  @RateLimit('verify')
  @Post('verify-email')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 429)
  async verifyEmail(
    @Body() body: TokenDto,
    @CurrentUser() user: RequestUser | undefined,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<MessageDto> {
    const verified = await this.verification.verify(body.token, clientOf(req));
    if (!verified.first) return { message: 'Your email is already verified.' };
    // If this user is already signed in, keeps the session, because other tabs may be using its cookies at this moment.
    if (user?.id !== verified.userId) await this.sessions.signIn(verified.userId, req, res);
    return { message: 'Email verified successfully! You are now logged in.' };
  }

  /** Removes an unverified account ("This wasn't me") */
  @Public()
  @RateLimit('verify')
  @Post('disown')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 429)
  async disownAccount(@Body() body: TokenDto): Promise<MessageDto> {
    await this.verification.disown(body.token);
    return { message: 'The account has been removed. You will get no more mail from it.' };
  }

  /** Mails a new verification link to the signed-in user */
  @Post('resend-verification')
  @HttpCode(200)
  @ApiOkResponse({ type: ResentDto })
  @ApiErrors(401, 429)
  async resendVerification(@CurrentUser() user: RequestUser): Promise<ResentDto> {
    const sent = await this.verification.resend(user);
    return { sent, message: sent ? 'Verification email sent' : 'Your email is already verified.' };
  }
}
