import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, UuidParam, type RequestUser } from '../../shared/http/index.js';
import { RetriedDto } from './dto/control.dto.js';
import { HistoryEntryDto } from './dto/report.dto.js';
import { SendControls } from './send-controls.service.js';
import { SendRetries } from './send-retries.service.js';

/** What a sender may do to a send after pressing Send Email. */
@ApiTags('History')
@Controller('api/email-history/:id')
export class SendControlsController {
  constructor(
    private readonly controls: SendControls,
    private readonly retries: SendRetries,
  ) {}

  /** Stops a running send for now: no further message is handed over until it is resumed. */
  @Post('pause')
  @HttpCode(200)
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404, 409)
  async pauseSend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.controls.pause(user.id, id);
  }

  /** Lets a paused send go on. */
  @Post('resume')
  @HttpCode(200)
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404, 409)
  async resumeSend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.controls.resume(user.id, id);
  }

  /** Ends a running send for good: whoever was not mailed yet is skipped. Its place of the day comes back only if nothing went out. */
  @Post('cancel')
  @HttpCode(200)
  @ApiOkResponse({ type: HistoryEntryDto })
  @ApiErrors(401, 404, 409)
  async cancelSend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<HistoryEntryDto> {
    return this.controls.cancel(user.id, id);
  }

  /** Tries those again that failed for a temporary reason and may still be mailed; no new send of the day's limit. */
  @Post('retry')
  @HttpCode(200)
  @ApiOkResponse({ type: RetriedDto })
  @ApiErrors(401, 403, 404, 409)
  async retrySend(@CurrentUser() user: RequestUser, @UuidParam('id') id: string): Promise<RetriedDto> {
    return this.retries.retry(user, id);
  }
}
