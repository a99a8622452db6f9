import { Controller, Get, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  limitSearches,
  type RequestUser,
  streamCsv,
  UuidParam,
} from '../../../shared/http/index.js';
import { LeftOutDto, LeftOutQuery } from './left-out.dto.js';
import { LEFT_OUT_COLUMNS, LeftOutReport } from './left-out.service.js';
import { SendReport } from './send-report.service.js';

/** People whom a send left out. */
@ApiTags('History')
@Controller('api/email-history/:id')
export class LeftOutController {
  constructor(
    private readonly report: SendReport,
    private readonly leftOut: LeftOutReport,
  ) {}

  /**
   * People of the chosen audience whom the send left out, with the reason. Without `limit`, all of them are streamed.
   */
  @Get('left-out')
  @ApiOkResponse({ type: [LeftOutDto] })
  @ApiErrors(400, 401, 404, 429)
  async listLeftOut(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Query() query: LeftOutQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<LeftOutDto[] | StreamableFile> {
    await this.report.assertOwn(user.id, id);
    return collection(
      res,
      query,
      limitSearches(user, (part: LeftOutQuery & { limit: number }) => this.leftOut.page(id, part, part.limit)),
      (whole) => this.leftOut.all(id, whole),
    );
  }

  /** The people whom the send left out, as a CSV file. */
  @Get('left-out.csv')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiErrors(400, 401, 404, 429)
  async exportLeftOut(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Query() query: LeftOutQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<StreamableFile> {
    await this.report.assertOwn(user.id, id);
    return streamCsv(res, `left-out-${id}.csv`, [...LEFT_OUT_COLUMNS], this.leftOut.csvRows(id, query));
  }
}
