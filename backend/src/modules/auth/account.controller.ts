import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../shared/http/api-errors.js';
import { clientOf } from '../../shared/http/client-of.js';
import { collection } from '../../shared/http/collection.js';
import { MessageDto } from '../../shared/http/message.dto.js';
import { RateLimit } from '../../shared/http/rate-limit.decorator.js';
import { CurrentUser, type RequestUser } from '../../shared/http/request-user.js';
import { streamBytes } from '../../shared/http/streams.js';
import { AccountDeletion } from './account-deletion.service.js';
import { AccountExport } from './account-export.service.js';
import { AuthCookies } from './auth-cookies.service.js';
import { AuditEventDto, AuditQuery } from './dto/audit.dto.js';
import { DeleteAccountDto } from './dto/password.dto.js';
import { OwnTrail } from './own-trail.service.js';

@ApiTags('auth')
@Controller('api/auth')
export class AccountController {
  constructor(
    private readonly deletion: AccountDeletion,
    private readonly exports: AccountExport,
    private readonly trail: OwnTrail,
    private readonly cookies: AuthCookies,
  ) {}

  /** Deletes the account with all it holds; that people have unsubscribed stays known */
  @Post('delete-account')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 401, 429)
  async deleteAccount(@CurrentUser() user: RequestUser, @Body() body: DeleteAccountDto, @Res({ passthrough: true }) res: Response): Promise<MessageDto> {
    await this.deletion.remove(user, body.password);
    this.cookies.clear(res);
    return { message: 'Your account has been deleted.' };
  }

  /** Everything the account holds, as a ZIP of CSV and JSON files */
  @RateLimit('export')
  @Get('export')
  @ApiProduces('application/zip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(401, 429)
  async exportAccount(@CurrentUser() user: RequestUser, @Req() req: Request): Promise<StreamableFile> {
    const name = `staffcast-${new Date().toISOString().slice(0, 10)}.zip`;
    return streamBytes(await this.exports.of(user.id, clientOf(req)), { type: 'application/zip', disposition: `attachment; filename="${name}"` });
  }

  /** Security events of the account, newest first */
  @Get('audit')
  @ApiOkResponse({ type: [AuditEventDto] })
  @ApiErrors(400, 401, 429)
  async listAuditEvents(@CurrentUser() user: RequestUser, @Query() query: AuditQuery, @Res({ passthrough: true }) res: Response): Promise<AuditEventDto[] | StreamableFile> {
    return collection(res, query, (part) => this.trail.page(user.id, part));
  }
}
