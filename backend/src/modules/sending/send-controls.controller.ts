import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, UuidParam, type RequestUser } from '../../shared/http/index.js';
import { RetriedDto } from './send.dto.js';
import { HistoryEntryDto } from './report/report.dto.js';
import { SendControls } from './send-controls.service.js';
import { SendRetries } from '../delivery/index.js';

/** Actions of a sender on a send that was accepted. */
@ApiTags('History')
@Controller('api/email-history/:id')
export class SendControlsController {
  constructor(
    private readonly controls: SendControls,
    private readonly retries: SendRetries,
  ) {}

  /** Pauses a running send. No further messages are sent until it is resumed. */
  @Post('pause')
  @HttpCode(200)
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404, 409)
  async pauseSend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.controls.pause(user.id, id);
  }

  /** Resumes a paused send. */
  @Post('resume')
  @HttpCode(200)
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404, 409)
  async resumeSend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.controls.resume(user.id, id);
  }

  /**
   * Cancels a running send and skips the recipients who were not mailed yet. The send counts towards the daily limit
   * unless no message was sent.
   */
  @Post('cancel')
  @HttpCode(200)
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404, 409)
  async cancelSend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.controls.cancel(user.id, id);
  }

  /**
   * Retries recipients whose delivery failed temporarily, or whose attached files were lost and are stored again, if
   * they may still be mailed. Does not count towards the daily limit.
   */
  @Post('retry')
  @HttpCode(200)
  @ApiOkResponse({ type: RetriedDto })
  @ApiErrors(401, 403, 404, 409, 410)
  async retrySend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<RetriedDto> {
    return this.retries.retry(user, id);
  }
}
