import { Controller, Get, Query, Req, Res, Global, Module } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, CurrentUser, EventStreams, type RequestUser } from '../http/index.js';
import { AccountChanges, ChangePauses } from './account-changes.service.js';
import { ChangeEventDto, EventsQuery } from './events.dto.js';
import { ChangeListener } from './change-listener.service.js';

/** Reconnect delay for clients that have no backoff of their own. The web app has one. */
const RETRY_MS = 5_000;

@ApiTags('Events')
@Controller('api/events')
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly changes: AccountChanges,
  ) {}

  /**
   * Streams changes of this account as server-sent events, until the session ends. `change` names the kind and the ids;
   * `refresh` means that anything may have changed; `heartbeat` only shows that the stream is alive. `replaced` is the
   * last event of a stream that was closed because the account opened too many: wait some minutes before you open the
   * next. Events hold no data: clients load the changed objects again.
   */
  @Get()
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ type: ChangeEventDto })
  @ApiErrors(400, 401, 429)
  streamEvents(
    @CurrentUser() user: RequestUser,
    @Query() query: EventsQuery,
    @Req() req: Request,
    @Res() res: Response,
  ): void {
    const stream = this.streams.start(user, req, res, true);
    stream.forBrowser(RETRY_MS);
    this.changes.follow(stream, query.age);
  }
}

/** Pushes account changes to browsers. */
@Global()
@Module({
  controllers: [EventsController],
  providers: [AccountChanges, ChangeListener, ChangePauses],
  exports: [AccountChanges, ChangePauses],
})
export class ChangesModule {}
