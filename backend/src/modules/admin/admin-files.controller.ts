import { Body, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  PartQuery,
  ReasonDto,
  type RequestUser,
  UuidParam,
} from '../../shared/http/index.js';
import { ReportedFileDto, ReportedFiles } from '../composing/index.js';
import { AdminController, actorOf } from './admin-controller.decorator.js';

@AdminController('/files')
export class AdminFilesController {
  constructor(private readonly files: ReportedFiles) {}

  /** Shared files that readers reported, the latest report first. */
  @Get()
  @ApiOkResponse({ type: [ReportedFileDto] })
  @ApiErrors(400, 401, 403, 429)
  listReportedFiles(
    @Query() query: PartQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<ReportedFileDto[] | StreamableFile> {
    return collection(res, query, (part) => this.files.page(part));
  }

  /** Takes a reported file down: its links stop working for good, and its bytes cannot be uploaded again. */
  @Post(':id/take-down')
  @HttpCode(200)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiOkResponse({ type: ReportedFileDto })
  @ApiErrors(400, 401, 403, 404)
  takeDownFile(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'File not found') id: string,
    @Body() body: ReasonDto,
    @Req() req: Request,
  ): Promise<ReportedFileDto> {
    return this.files.takeDown(actorOf(user, req, body?.reason), id);
  }

  /** Dismisses the reports of a file: it stays shared and leaves the list until it is reported again. */
  @Post(':id/dismiss')
  @HttpCode(204)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiNoContentResponse()
  @ApiErrors(400, 401, 403, 404)
  dismissFileReports(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'File not found') id: string,
    @Body() body: ReasonDto,
    @Req() req: Request,
  ): Promise<void> {
    return this.files.dismiss(actorOf(user, req, body?.reason), id);
  }
}
