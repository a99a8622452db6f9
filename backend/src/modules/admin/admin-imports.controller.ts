import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AdminOnly, ApiErrors, collection, CurrentUser, ReasonDto, type RequestUser, UuidParam } from '../../shared/http/index.js';
import { AttestedBatchQuery, AttestedImports } from '../lists/index.js';
import { AdminAccessLog } from './admin-access-log.js';
import { actorOf } from './actor-of.js';
import { AdminImports } from './admin-imports.service.js';
import { AdminImportDto, ImportConfirmedDto, ImportDeclinedDto } from './dto/admin-import.dto.js';

@ApiTags('admin')
@AdminOnly()
@UseInterceptors(AdminAccessLog)
@Controller('api/admin/imports')
export class AdminImportsController {
  constructor(private readonly imports: AdminImports, private readonly decisions: AttestedImports) {}

  /** Imports whose owners vouch for their contacts, newest first. */
  @Get()
  @ApiOkResponse({ type: [AdminImportDto] })
  @ApiErrors(400, 401, 403)
  listAttestedImports(@Query() query: AttestedBatchQuery, @Res({ passthrough: true }) res: Response): Promise<AdminImportDto[] | StreamableFile> {
    return collection(res, query, (part) => this.imports.page(part));
  }

  /** Confirms all contacts of an import on its owner's word. */
  @Post(':jobId/confirm')
  @HttpCode(200)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiOkResponse({ type: ImportConfirmedDto })
  @ApiErrors(400, 401, 403, 404, 409)
  async confirmImport(@CurrentUser() user: RequestUser, @UuidParam('jobId') jobId: string, @Body() body: ReasonDto, @Req() req: Request): Promise<ImportConfirmedDto> {
    return { confirmed: await this.decisions.decide(actorOf(user, req, body?.reason), jobId, 'confirmed') };
  }

  /** Takes no one's word for them: all contacts of an import get their confirmation mail. */
  @Post(':jobId/decline')
  @HttpCode(200)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiOkResponse({ type: ImportDeclinedDto })
  @ApiErrors(400, 401, 403, 404, 409)
  async declineImport(@CurrentUser() user: RequestUser, @UuidParam('jobId') jobId: string, @Body() body: ReasonDto, @Req() req: Request): Promise<ImportDeclinedDto> {
    return { declined: await this.decisions.decide(actorOf(user, req, body?.reason), jobId, 'declined') };
  }
}
