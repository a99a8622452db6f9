import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../shared/http/requests/access.decorators.js';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { clientOf, CurrentUser, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { RateLimit } from '../../../shared/http/rate-limits/rate-limit.guard.js';
import { AuthCookies } from '../sign-in/auth-cookies.service.js';
import { ChangePasswordDto, ForgotPasswordDto, ResetPasswordDto } from './password.dto.js';
import { PasswordChange } from './password-change.service.js';
import { PasswordReset } from './password-reset.service.js';

@ApiTags('auth')
@Controller('api/auth')
export class PasswordController {
  constructor(
    private readonly resets: PasswordReset,
    private readonly changes: PasswordChange,
    private readonly cookies: AuthCookies,
  ) {}

  /** Mails a link to choose a new password. The response does not reveal whether the address has an account */
  @Public()
  @RateLimit('password-reset')
  @Post('forgot-password')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 429)
  async forgotPassword(@Body() body: ForgotPasswordDto, @Req() req: Request): Promise<MessageDto> {
    await this.resets.request(body.email, clientOf(req));
    return { message: 'If an account has this address, a link to reset its password is on the way.' };
  }

  /** Sets a new password, given the token of a mailed link. Signs out every device */
  @Public()
  @RateLimit('password-reset')
  @Post('reset-password')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 429)
  async resetPassword(
    @Body() body: ResetPasswordDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<MessageDto> {
    const userId = await this.resets.reset(body.token, body.password, clientOf(req));
    // A mailed link proves ownership, so this browser becomes a known device. Failed sign-ins of strangers cannot lock
    // out a known device.
    this.cookies.rememberDevice(req, res, userId);
    return { message: 'Your password has been changed. Please sign in.' };
  }

  /** Changes the password. Signs out every other device */
  @Post('change-password')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 401, 429)
  async changePassword(
    @CurrentUser() user: RequestUser,
    @Body() body: ChangePasswordDto,
    @Req() req: Request,
  ): Promise<MessageDto> {
    await this.changes.change(user, body.currentPassword, body.newPassword, clientOf(req));
    return { message: 'Your password has been changed. Other devices were signed out.' };
  }
}
