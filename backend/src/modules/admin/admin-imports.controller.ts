import { Body, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, collection, CurrentUser, ReasonDto, type RequestUser, UuidParam } from '../../shared/http/index.js';
import { AttestedBatchQuery, AttestedImports } from '../lists/index.js';
import { AdminController, actorOf } from './admin-controller.decorator.js';
import { AdminImports } from './admin-imports.service.js';
import { AdminImportDto, ImportConfirmedDto, ImportDeclinedDto } from './dto/admin-import.dto.js';

@AdminController('/imports')
export class AdminImportsController {
  constructor(
    private readonly imports: AdminImports,
    private readonly decisions: AttestedImports,
  ) {}

  /** Attested imports, newest first. */
  @Get()
  @ApiOkResponse({ type: [AdminImportDto] })
  @ApiErrors(400, 401, 403, 429)
  listAttestedImports(
    @Query() query: AttestedBatchQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AdminImportDto[] | StreamableFile> {
    return collection(res, query, (part) => this.imports.page(part));
  }

  /** Confirms all contacts of an attested import. */
  @Post(':jobId/confirm')
  @HttpCode(200)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiOkResponse({ type: ImportConfirmedDto })
  @ApiErrors(400, 401, 403, 404, 409)
  async confirmImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('jobId') jobId: string,
    @Body() body: ReasonDto,
    @Req() req: Request,
  ): Promise<ImportConfirmedDto> {
    return { confirmed: await this.decisions.decide(actorOf(user, req, body?.reason), jobId, 'confirmed') };
  }

  /** Declines an attested import: all its contacts get a confirmation mail. */
  @Post(':jobId/decline')
  @HttpCode(200)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiOkResponse({ type: ImportDeclinedDto })
  @ApiErrors(400, 401, 403, 404, 409)
  async declineImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('jobId') jobId: string,
    @Body() body: ReasonDto,
    @Req() req: Request,
  ): Promise<ImportDeclinedDto> {
    return { declined: await this.decisions.decide(actorOf(user, req, body?.reason), jobId, 'declined') };
  }
}
