import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, CurrentUser, EventStreams, type RequestUser } from '../http/index.js';
import { AccountChanges } from './account-changes.service.js';
import { ChangeEventDto, EventsQuery } from './events.dto.js';

/** For clients that reconnect by themselves; the web app has a backoff of its own. */
const RETRY_MS = 5_000;

@ApiTags('Events')
@Controller('api/events')
export class EventsController {
  constructor(private readonly streams: EventStreams, private readonly changes: AccountChanges) {}

  /**
   * What changes for this account, as server-sent events, until the session ends. `change` says of which kind, and which ones; `refresh`:
   * anything may have changed; `heartbeat`: nothing. No event holds data: whoever shows the thing asks for it again.
   */
  @Get()
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ type: ChangeEventDto })
  @ApiErrors(400, 401, 429)
  streamEvents(@CurrentUser() user: RequestUser, @Query() query: EventsQuery, @Req() req: Request, @Res() res: Response): void {
    const stream = this.streams.start(user, req, res);
    stream.forBrowser(RETRY_MS);
    this.changes.follow(stream, query.age);
  }
}
