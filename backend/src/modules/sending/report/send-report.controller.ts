import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  limitSearches,
  UuidParam,
  streamCsv,
  type RequestUser,
} from '../../../shared/http/index.js';
import { DELIVERY_COLUMNS, DeliveryLog } from './delivery-log.service.js';
import { DeliveryDto, DeliveryQuery, HistoryEntryDto, SendProgressDto } from './report.dto.js';
import { RunningTasksDto } from './running-tasks.dto.js';
import { ProgressStream } from './progress-poller.service.js';
import { RenderedMessageDto } from '../render/render.dto.js';
import { DeliveryMessage } from '../render/delivery-message.service.js';
import { SendReport } from './send-report.service.js';
import { RunningTasks } from './running-tasks.service.js';

/** Reports on a send. */
@ApiTags('History')
@Controller('api/email-history/:id')
export class SendReportController {
  constructor(
    private readonly report: SendReport,
    private readonly log: DeliveryLog,
    private readonly progress: ProgressStream,
    private readonly message: DeliveryMessage,
  ) {}

  /** One send: the message, its lists and the counts of its recipients. */
  @Get()
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404)
  async getHistoryEntry(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.report.entry(user.id, id);
  }

  /** The delivery log of a send, in the order of sending. Without `limit`, the whole log is streamed. */
  @Get('deliveries')
  @ApiOkResponse({ type: [DeliveryDto] })
  @ApiErrors(400, 401, 404, 429)
  async listDeliveries(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Query() query: DeliveryQuery,
    @Res({ passthrough: true }) res: Response,
  ) {
    await this.report.assertOwn(user.id, id);
    return collection(
      res,
      query,
      limitSearches(user, (part) => this.log.page(id, part, part.limit)),
      (whole) => this.log.all(id, whole),
    );
  }

  /** The delivery log of a send as a CSV file. */
  @Get('deliveries.csv')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiErrors(400, 401, 404, 429)
  async exportDeliveries(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Query() query: DeliveryQuery,
    @Res({ passthrough: true }) res: Response,
  ) {
    await this.report.assertOwn(user.id, id);
    return streamCsv(res, `deliveries-${id}.csv`, [...DELIVERY_COLUMNS], this.log.csvRows(id, query));
  }

  /** The message of one delivery, as its recipient reads it. Uses the contact's current details. */
  @Get('deliveries/:deliveryId/message')
  @ApiOkResponse({ type: RenderedMessageDto })
  @ApiErrors(401, 404)
  async getDeliveryMessage(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @UuidParam('deliveryId') deliveryId: string,
  ): Promise<RenderedMessageDto> {
    return this.message.of(user.id, id, deliveryId);
  }

  /** The counts of a send as server-sent events: at once and after every change, until the send has ended. */
  @Get('progress')
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ type: SendProgressDto })
  @ApiErrors(401, 404, 429)
  async streamProgress(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Req() req: Request,
    @Res() res: Response,
  ): Promise<void> {
    await this.report.assertOwn(user.id, id);
    this.progress.follow(user, id, req, res);
  }
}

@ApiTags('Events')
@Controller('api/running-tasks')
export class RunningTasksController {
  constructor(private readonly tasks: RunningTasks) {}

  /** Sends, imports and bulk changes of this account that are running or ended within the last two minutes. */
  @Get()
  @ApiOkResponse({ type: RunningTasksDto })
  @ApiErrors(401)
  getRunningTasks(@CurrentUser() user: RequestUser): Promise<RunningTasksDto> {
    return this.tasks.of(user.id);
  }
}
