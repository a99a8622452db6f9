import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, collection, CurrentUser, inSearchTurns, UuidParam, streamCsv, type RequestUser } from '../../shared/http/index.js';
import { DELIVERY_COLUMNS, DeliveryLog } from './delivery-log.service.js';
import { DeliveryDto, DeliveryQuery, HistoryEntryDto, SendProgressDto } from './dto/report.dto.js';
import { ProgressStream } from './progress-stream.service.js';
import { SendReport } from './send-report.service.js';

/** What became of a send. */
@ApiTags('History')
@Controller('api/email-history/:id')
export class SendReportController {
  constructor(
    private readonly report: SendReport,
    private readonly log: DeliveryLog,
    private readonly progress: ProgressStream,
  ) {}

  /** One send: the message, its lists and the counts of its recipients. */
  @Get()
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404)
  async getHistoryEntry(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.report.entry(user.id, id);
  }

  /** The delivery log of a send, in the order of sending. Without `limit` all of it is streamed. */
  @Get('deliveries')
  @ApiOkResponse({ type: [DeliveryDto] })
  @ApiErrors(400, 401, 404)
  async listDeliveries(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Query() query: DeliveryQuery, @Res({ passthrough: true }) res: Response) {
    await this.report.assertOwn(user.id, id);
    return collection(res, query, inSearchTurns(user, (part) => this.log.page(id, part, part.limit)), (whole) => this.log.all(id, whole));
  }

  /** The delivery log of a send as a CSV file. */
  @Get('deliveries.csv')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiErrors(400, 401, 404)
  async exportDeliveries(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Query() query: DeliveryQuery, @Res({ passthrough: true }) res: Response) {
    await this.report.assertOwn(user.id, id);
    return streamCsv(res, `deliveries-${id}.csv`, [...DELIVERY_COLUMNS], this.log.csvRows(id, query));
  }

  /** The counts of a send as server-sent events, whenever they change, until the send has ended. */
  @Get('progress')
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ type: SendProgressDto })
  @ApiErrors(401, 404, 429)
  async streamProgress(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Req() req: Request, @Res() res: Response): Promise<void> {
    await this.report.assertOwn(user.id, id);
    this.progress.follow(user, id, req, res);
  }
}
