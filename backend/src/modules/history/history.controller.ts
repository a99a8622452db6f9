import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, collection, CurrentUser, inSearchTurns, type RequestUser } from '../../shared/http/index.js';
import { HistoryQuery, HistoryRowDto } from './dto/history.dto.js';
import { HistorySearch } from './history-search.service.js';

@ApiTags('History')
@Controller('api/email-history')
export class HistoryController {
  constructor(private readonly history: HistorySearch) {}

  /** The user's sends, newest first; `search` looks in the subject. Without `limit` all of them are streamed. */
  @Get()
  @ApiOkResponse({ type: [HistoryRowDto] })
  @ApiErrors(400, 401)
  async listHistory(@CurrentUser() user: RequestUser, @Query() query: HistoryQuery, @Res({ passthrough: true }) res: Response) {
    return collection(res, query, inSearchTurns(user, (part) => this.history.page(user.id, part, part.limit)), (whole) => this.history.all(user.id, whole));
  }
}
