import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { clientOf, CurrentUser, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { collection } from '../../../shared/http/requests/collection.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { RateLimit } from '../../../shared/http/rate-limits/rate-limit.guard.js';
import { streamBytes } from '../../../shared/http/responses/streams.js';
import { AccountDeletion } from './account-deletion.service.js';
import { AccountExport } from './account-export.service.js';
import { AuthCookies } from '../sign-in/auth-cookies.service.js';
import { AuditEventDto, AuditQuery } from '../audit/audit.dto.js';
import { DeleteAccountDto } from '../passwords/password.dto.js';
import { AccountAuditLog } from '../audit/account-audit-log.service.js';

@ApiTags('auth')
@Controller('api/auth')
export class AccountController {
  constructor(
    private readonly deletion: AccountDeletion,
    private readonly exports: AccountExport,
    private readonly trail: AccountAuditLog,
    private readonly cookies: AuthCookies,
  ) {}

  /** Deletes the account and its data; unsubscribes stay recorded */
  @Post('delete-account')
  @HttpCode(200)
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 401, 429)
  async deleteAccount(
    @CurrentUser() user: RequestUser,
    @Body() body: DeleteAccountDto,
    @Res({ passthrough: true }) res: Response,
  ): Promise<MessageDto> {
    await this.deletion.remove(user, body.password);
    this.cookies.clear(res);
    return { message: 'Your account has been deleted.' };
  }

  /** All data of the account, as a ZIP of CSV and JSON files */
  @RateLimit('export')
  @Get('export')
  @ApiProduces('application/zip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(401, 429)
  async exportAccount(@CurrentUser() user: RequestUser, @Req() req: Request): Promise<StreamableFile> {
    const name = `staffcast-${new Date().toISOString().slice(0, 10)}.zip`;
    return streamBytes(await this.exports.of(user.id, clientOf(req)), {
      type: 'application/zip',
      disposition: `attachment; filename="${name}"`,
    });
  }

  /** Security events of the account, newest first */
  @Get('audit')
  @ApiOkResponse({ type: [AuditEventDto] })
  @ApiErrors(400, 401, 429)
  async listAuditEvents(
    @CurrentUser() user: RequestUser,
    @Query() query: AuditQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AuditEventDto[] | StreamableFile> {
    return collection(res, query, (part) => this.trail.page(user.id, part));
  }
}
