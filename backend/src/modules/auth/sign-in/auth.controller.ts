import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../shared/http/requests/access.decorators.js';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { clientOf, CurrentUser, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { RateLimit } from '../../../shared/http/rate-limits/rate-limit.guard.js';
import { Accounts } from '../account/accounts.service.js';
import { AccessTokenDto, CurrentUserDto, SignedInDto } from '../account/current-user.dto.js';
import { LoginDto, RegisterDto } from './register.dto.js';
import { Registration } from './registration.service.js';
import { SessionAuthenticator } from '../sessions/session-authenticator.service.js';
import { SignIn } from './sign-in.service.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { VisitorSessions } from '../sessions/visitor-sessions.service.js';

@ApiTags('auth')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly accounts: Accounts,
    private readonly registration: Registration,
    private readonly signIn: SignIn,
    private readonly sessions: SessionAuthenticator,
    private readonly visitors: VisitorSessions,
  ) {}

  /** The signed-in user, and what the account may do */
  @Get('user')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(401, 429)
  getCurrentUser(@CurrentUser() user: RequestUser): Promise<CurrentUserDto> {
    return this.accounts.describe(user.id);
  }

  /** The same as /api/auth/user */
  @Get('me')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(401, 429)
  getMe(@CurrentUser() user: RequestUser): Promise<CurrentUserDto> {
    return this.accounts.describe(user.id);
  }

  /** Creates an account, signs in, and mails the verification link */
  @Public()
  @RateLimit('register')
  @Post('register')
  @ApiCreatedResponse({ type: SignedInDto })
  @ApiErrors(400, 409, 429)
  async register(
    @Body() body: RegisterDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<SignedInDto> {
    const userId = await this.registration.register(body, clientOf(req), this.visitors.idOf(req));
    return this.signedIn(userId, 'You are now logged in', req, res);
  }

  /** Signs in and sets the session cookies */
  @Public()
  @RateLimit('sign-in-address')
  @Post('login')
  @HttpCode(200)
  @ApiOkResponse({ type: SignedInDto })
  @ApiErrors(400, 401, 403, 429)
  async login(
    @Body() body: LoginDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<SignedInDto> {
    const userId = await this.signIn.check(body, req);
    return this.signedIn(userId, 'You have been logged in successfully', req, res);
  }

  /** Signs out this device */
  @Public()
  @Post('logout')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(403, 429)
  async logout(
    @CurrentUser() user: RequestUser | undefined,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<MessageDto> {
    await this.sessions.signOut(user, req, res);
    return { message: 'You have been logged out successfully' };
  }

  /** A Bearer token for scripts and for "Authorize" in Swagger UI; sets no cookie */
  @Public()
  @RateLimit('sign-in-address')
  @Post('token')
  @HttpCode(200)
  @ApiOkResponse({ type: AccessTokenDto })
  @ApiErrors(400, 401, 403, 429)
  async createToken(@Body() body: LoginDto, @Req() req: Request): Promise<AccessTokenDto> {
    return this.sessions.accessToken(await this.signIn.check(body, req), req);
  }

  private async signedIn(userId: string, message: string, req: Request, res: Response): Promise<SignedInDto> {
    await this.sessions.signIn(userId, req, res);
    return { message, user: await this.accounts.describe(userId) };
  }
}
