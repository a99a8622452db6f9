import { Body, Controller, Get, Headers, HttpCode, Patch, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  DocumentBody,
  KB,
  RateLimit,
  type RequestUser,
  UuidParam,
} from '../../shared/http/index.js';
import { SendAcceptedDto } from '../sending/index.js';
import { reasonText } from './due/block-reasons.js';
import { leavesAt } from './due/due-time.js';
import { DueSends } from './due/due-sends.service.js';
import { ScheduleReader } from './schedule-reader.service.js';
import type { ScheduledRow, ScheduledSendRow } from './scheduled-rows.js';
import {
  ChangeScheduledDto,
  ScheduledQuery,
  ScheduledSendDto,
  ScheduledSummaryDto,
  ScheduleSendDto,
} from './scheduled-send.dto.js';
import { Schedules } from './schedules.service.js';

/** Maximum body size: a send of the largest size, plus its time. */
const SCHEDULE_BODY = 1025 * KB;
const UNKNOWN = 'Scheduled email not found';

@ApiTags('Scheduled sends')
@Controller('api/scheduled-sends')
export class SchedulesController {
  constructor(
    private readonly schedules: Schedules,
    private readonly reader: ScheduleReader,
    private readonly due: DueSends,
  ) {}

  /**
   * The caller's scheduled emails without their messages, the soonest first; `search` matches the subject. Sent and
   * cancelled emails are kept for 30 days.
   */
  @Get()
  @ApiOkResponse({ type: [ScheduledSummaryDto] })
  @ApiErrors(400, 401)
  listScheduled(
    @CurrentUser() user: RequestUser,
    @Query() query: ScheduledQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<ScheduledSummaryDto[] | StreamableFile> {
    return collection(res, query, async (part) => {
      const page = await this.reader.page(user.id, part);
      return { ...page, rows: page.rows.map(summaryOf) };
    });
  }

  /**
   * Schedules an email. Its content is frozen now; its recipients are determined when it leaves. It counts towards the
   * daily limit of the day on which it is due. With an Idempotency-Key or a draft, a repeated call returns the first
   * result.
   */
  @Post()
  @RateLimit('save')
  @DocumentBody(SCHEDULE_BODY, 'send.document')
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Any text of up to 255 characters that stands for this press of the button',
  })
  @ApiCreatedResponse({ type: ScheduledSendDto })
  @ApiErrors(400, 401, 403, 404, 410, 412, 413, 422, 429)
  async scheduleSend(
    @CurrentUser() user: RequestUser,
    @Body() { send, at, timeZone, later = false }: ScheduleSendDto,
    @Headers('Idempotency-Key') key?: string,
  ): Promise<ScheduledSendDto> {
    return wholeOf(await this.schedules.create(user, { send, at, timeZone, later }, key));
  }

  /** One scheduled email. */
  @Get(':id')
  @ApiOkResponse({ type: ScheduledSendDto })
  @ApiErrors(401, 404)
  async getScheduled(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
  ): Promise<ScheduledSendDto> {
    return wholeOf(await this.reader.one(user.id, id));
  }

  /**
   * Changes a scheduled email or its time, until it leaves. 409 `version_conflict` if it was changed elsewhere,
   * `already_leaving` if it is being sent.
   */
  @Patch(':id')
  @RateLimit('save')
  @DocumentBody(SCHEDULE_BODY, 'send.document')
  @ApiOkResponse({ type: ScheduledSendDto })
  @ApiErrors(400, 401, 403, 404, 409, 413, 429)
  async changeScheduled(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() body: ChangeScheduledDto,
  ): Promise<ScheduledSendDto> {
    return wholeOf(await this.schedules.change(user, id, body));
  }

  /** Cancels a scheduled email; cancelling it again has no effect. Its text is kept for 30 days. */
  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOkResponse({ type: ScheduledSendDto })
  @ApiErrors(401, 404, 409)
  async cancelScheduled(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
  ): Promise<ScheduledSendDto> {
    return wholeOf(await this.schedules.cancel(user.id, id));
  }

  /** Sends a scheduled email at once, even if it is blocked. A refusal leaves it unchanged. */
  @Post(':id/send-now')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: SendAcceptedDto })
  @ApiErrors(400, 401, 403, 404, 409, 429)
  async sendScheduledNow(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
  ): Promise<SendAcceptedDto> {
    return this.due.sendNow(user.id, id);
  }
}

const wholeOf = (row: ScheduledSendRow): ScheduledSendDto => ({
  ...summaryOf(row),
  send: row.send as unknown as ScheduledSendDto['send'],
});

function summaryOf(row: ScheduledRow): ScheduledSummaryDto {
  const dueAt = new Date(row.dueAt);
  return {
    id: row.id,
    state: row.state,
    reason: row.reason,
    reasonText: row.reason && reasonText(row.reason, row.at, row.reasonMessage),
    subject: row.subject,
    emailType: row.emailType,
    lists: row.lists,
    at: row.at,
    timeZone: row.timeZone,
    later: row.later,
    dueAt: dueAt.toISOString(),
    estimate: row.estimate,
    version: row.version,
    historyId: row.historyId,
    message: `Leaves ${leavesAt(dueAt, row)}.`,
  };
}
