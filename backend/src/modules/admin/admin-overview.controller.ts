import { Get, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, collection, CurrentUser, type RequestUser } from '../../shared/http/index.js';
import { AdminSendDto, AdminSendQuery, SendsOverview } from '../history/index.js';
import { AdminOverview } from './admin-overview.service.js';
import { AdminController } from './admin-controller.decorator.js';
import { AdminAuditDto, AdminAuditQuery, AdminOverviewDto } from './dto/admin-audit.dto.js';

@AdminController()
export class AdminOverviewController {
  constructor(
    private readonly overview: AdminOverview,
    private readonly sends: SendsOverview,
  ) {}

  /** Figures of the product: accounts, pending decisions, today's sends of all users. */
  @Get('overview')
  @ApiOkResponse({ type: AdminOverviewDto })
  @ApiErrors(401, 403)
  getOverview(@CurrentUser() user: RequestUser): Promise<AdminOverviewDto> {
    return this.overview.numbers(user.timeZone);
  }

  /** Sends of all users, or of one, newest first; `search` matches subject and sender. */
  @Get('sends')
  @ApiOkResponse({ type: [AdminSendDto] })
  @ApiErrors(400, 401, 403, 429)
  listSends(
    @CurrentUser() user: RequestUser,
    @Query() query: AdminSendQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AdminSendDto[] | StreamableFile> {
    return collection(res, query, (part) => this.sends.page(part, user.timeZone));
  }

  /** The audit trail, newest first. */
  @Get('audit')
  @ApiOkResponse({ type: [AdminAuditDto] })
  @ApiErrors(400, 401, 403, 429)
  listAllAuditEvents(
    @Query() query: AdminAuditQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AdminAuditDto[] | StreamableFile> {
    return collection(res, query, (part) => this.overview.audit(part));
  }
}
