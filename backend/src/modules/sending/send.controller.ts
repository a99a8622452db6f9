import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, JsonBody, KB, type RequestUser } from '../../shared/http/index.js';
import { PreviewSendDto, SendAcceptedDto, SendEmailDto, SendPreviewDto } from './dto/send.dto.js';
import { SendAcceptance } from './send-acceptance.service.js';
import { SendPreview } from './send-preview.service.js';

/** 100,000 characters of content, each escaped in six bytes at worst, and the ids of 1,000 lists. */
const SEND_BODY = 640 * KB;

@ApiTags('Sending')
@Controller('api/send-email')
export class SendController {
  constructor(
    private readonly acceptance: SendAcceptance,
    private readonly preview: SendPreview,
  ) {}

  /**
   * Accepts a send to every confirmed, mailable contact of the chosen lists; the messages go out after the answer.
   * With an Idempotency-Key a retry answers with the first send; without one, an identical send within 30 seconds does.
   */
  @Post()
  @JsonBody(SEND_BODY)
  @HttpCode(202)
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'Any text of up to 255 characters that stands for this press of the button' })
  @ApiAcceptedResponse({ type: SendAcceptedDto })
  @ApiErrors(400, 401, 403, 404, 413, 422, 429)
  async sendEmail(@CurrentUser() user: RequestUser, @Body() body: SendEmailDto, @Headers('Idempotency-Key') key?: string): Promise<SendAcceptedDto> {
    return this.acceptance.accept(user, body, key);
  }

  /** Who would receive the send, who is left out and why; with a subject and a content also how it would read. */
  @Post('preview')
  @JsonBody(SEND_BODY)
  @HttpCode(200)
  @ApiOkResponse({ type: SendPreviewDto })
  @ApiErrors(400, 401, 404, 413)
  async previewSend(@CurrentUser() user: RequestUser, @Body() body: PreviewSendDto): Promise<SendPreviewDto> {
    return this.preview.of(user, body);
  }
}
