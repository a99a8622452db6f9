import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, CurrentUser, paged, streamJsonArray, type RequestUser } from '../../shared/http/index.js';
import { HistoryItemDto, HistoryQuery } from './dto/history.dto.js';
import { HistorySearch } from './history-search.service.js';

@ApiTags('History')
@Controller('api/email-history')
export class HistoryController {
  constructor(private readonly history: HistorySearch) {}

  /** The user's sends, newest first; `search` looks in the subject. Without `limit` all of them are streamed. */
  @Get()
  @ApiOkResponse({ type: [HistoryItemDto] })
  @ApiErrors(400, 401)
  async listHistory(@CurrentUser() user: RequestUser, @Query() query: HistoryQuery, @Res({ passthrough: true }) res: Response) {
    if (query.limit === undefined) return streamJsonArray(res, this.history.all(user.id, query));
    return paged(res, await this.history.page(user.id, query, query.limit));
  }
}
