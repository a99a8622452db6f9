import { Controller, Get, Query, Res, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, ApiErrors, collection, CurrentUser, type RequestUser } from '../../shared/http/index.js';
import { OverseenSendDto, OverseenSendQuery, SendsOverview } from '../history/index.js';
import { AdminOverview } from './admin-overview.service.js';
import { AdminAccessLog } from './admin-access-log.js';
import { AdminAuditDto, AdminAuditQuery, AdminOverviewDto } from './dto/admin-audit.dto.js';

@ApiTags('admin')
@AdminOnly()
@UseInterceptors(AdminAccessLog)
@Controller('api/admin')
export class AdminOverviewController {
  constructor(private readonly overview: AdminOverview, private readonly sends: SendsOverview) {}

  /** How the product stands: accounts, what waits, today's sends over all users. */
  @Get('overview')
  @ApiOkResponse({ type: AdminOverviewDto })
  @ApiErrors(401, 403)
  getOverview(@CurrentUser() user: RequestUser): Promise<AdminOverviewDto> {
    return this.overview.numbers(user.timeZone);
  }

  /** The sends of all users, or of one, newest first; `search` looks into subject and sender. */
  @Get('sends')
  @ApiOkResponse({ type: [OverseenSendDto] })
  @ApiErrors(400, 401, 403)
  listSends(@CurrentUser() user: RequestUser, @Query() query: OverseenSendQuery, @Res({ passthrough: true }) res: Response): Promise<OverseenSendDto[] | StreamableFile> {
    return collection(res, query, (part) => this.sends.page(part, user.timeZone));
  }

  /** Who did what to whom, newest first. */
  @Get('audit')
  @ApiOkResponse({ type: [AdminAuditDto] })
  @ApiErrors(400, 401, 403)
  listAllAuditEvents(@Query() query: AdminAuditQuery, @Res({ passthrough: true }) res: Response): Promise<AdminAuditDto[] | StreamableFile> {
    return collection(res, query, (part) => this.overview.audit(part));
  }
}
