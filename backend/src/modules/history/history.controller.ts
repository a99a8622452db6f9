import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, collection, CurrentUser, limitSearches, type RequestUser } from '../../shared/http/index.js';
import { HistoryQuery, HistoryRowDto, UsageTodayDto } from './dto/history.dto.js';
import { HistorySearch } from './history-search.service.js';
import { UsageLedger } from './usage-ledger.service.js';

@ApiTags('History')
@Controller('api/email-history')
export class HistoryController {
  constructor(private readonly history: HistorySearch) {}

  /**
   * The user's sends, newest first unless `sort` says otherwise. `search` matches the subject; `from` and `to` are
   * days. Without `limit`, all sends are streamed.
   */
  @Get()
  @ApiOkResponse({ type: [HistoryRowDto] })
  @ApiErrors(400, 401, 429)
  async listHistory(
    @CurrentUser() user: RequestUser,
    @Query() query: HistoryQuery,
    @Res({ passthrough: true }) res: Response,
  ) {
    return collection(
      res,
      query,
      limitSearches(user, (part) => this.history.page(user, part, part.limit)),
      (whole) => this.history.all(user, whole),
    );
  }
}

@ApiTags('History')
@Controller('api/usage')
export class UsageController {
  constructor(private readonly usage: UsageLedger) {}

  /** Number of today's sends, in the user's time zone. */
  @Get('today')
  @ApiOkResponse({ type: UsageTodayDto })
  @ApiErrors(401)
  async getUsageToday(@CurrentUser() user: RequestUser): Promise<UsageTodayDto> {
    return { emailsSent: String(await this.usage.sentToday(user.id, user.timeZone)) };
  }
}
