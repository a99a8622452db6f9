import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  CurrentUser,
  DocumentBody,
  KB,
  limitSearches,
  RateLimit,
  type RequestUser,
} from '../../shared/http/index.js';
import { CheckSendDto, SendCheckDto } from './check/check.dto.js';
import { SendCheck } from './check/send-check.service.js';
import { RenderedMessageDto, RenderSendDto } from './render/render.dto.js';
import { SendRender } from './render/send-render.service.js';
import { PreviewSendDto, SendAcceptedDto, SendEmailDto } from './send.dto.js';
import { SendPreviewDto } from './send-preview.dto.js';
import { SendAcceptance } from './send-acceptance.service.js';
import { SendPreview } from './send-preview.service.js';

/**
 * Size limit of a request: 100,000 characters, each escaped in up to six bytes, with the nodes around them, and the ids
 * of 1,000 lists.
 */
const SEND_BODY = 1024 * KB;

@ApiTags('Sending')
@Controller('api/send-email')
export class SendController {
  constructor(
    private readonly acceptance: SendAcceptance,
    private readonly preview: SendPreview,
    private readonly render: SendRender,
    private readonly check: SendCheck,
  ) {}

  /**
   * Accepts a send to every confirmed, mailable contact of the chosen lists. The messages are sent after the response.
   * A repeated request returns the first send. Repeated means: with a draftId, another send of that draft; with an
   * Idempotency-Key, a request with the same key; with neither, an identical send within 30 seconds. If a draftVersion
   * is given and the draft was changed elsewhere, the send is refused: 412 `draft_changed`, with version, updatedAt and
   * device of the stored draft.
   */
  @Post()
  @DocumentBody(SEND_BODY, 'document')
  @HttpCode(202)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Any text of up to 255 characters that stands for this press of the button',
  })
  @ApiAcceptedResponse({ type: SendAcceptedDto })
  @ApiErrors(400, 401, 403, 404, 412, 413, 422, 429)
  async sendEmail(
    @CurrentUser() user: RequestUser,
    @Body() body: SendEmailDto,
    @Headers('Idempotency-Key') key?: string,
  ): Promise<SendAcceptedDto> {
    return this.acceptance.accept(user, body, key);
  }

  /**
   * Counts who would receive the send, and who is left out and why. If the request has a content or a document, also
   * renders the message.
   */
  @Post('preview')
  @DocumentBody(SEND_BODY, 'document')
  @HttpCode(200)
  @ApiOkResponse({ type: SendPreviewDto })
  @ApiErrors(400, 401, 404, 413)
  async previewSend(@CurrentUser() user: RequestUser, @Body() body: PreviewSendDto): Promise<SendPreviewDto> {
    return this.preview.of(user, body);
  }

  /**
   * Checks an email: returns findings, and whom a send would reach now. Only for findings of level error would the send
   * be refused. Links are looked up in the background: call again with the same composition to get results that arrived
   * meanwhile.
   */
  @Post('check')
  @DocumentBody(SEND_BODY, 'document')
  @HttpCode(200)
  @RateLimit('check')
  @ApiOkResponse({ type: SendCheckDto })
  @ApiErrors(400, 401, 403, 404, 409, 413, 429)
  async checkSend(@CurrentUser() user: RequestUser, @Body() body: CheckSendDto): Promise<SendCheckDto> {
    return this.check.of(user, body);
  }

  /**
   * Renders the email for one recipient, with that contact's details. `next` and `previous` lead to the other
   * recipients, in the order of their addresses.
   */
  @Post('render')
  @DocumentBody(SEND_BODY, 'document')
  @HttpCode(200)
  @ApiOkResponse({ type: RenderedMessageDto })
  @ApiErrors(400, 401, 404, 413, 429)
  async renderSend(@CurrentUser() user: RequestUser, @Body() body: RenderSendDto): Promise<RenderedMessageDto> {
    const { search, onlyEmpty } = body.recipient ?? {};
    return limitSearches(user, () => this.render.of(user, body))({ search: onlyEmpty ? 'empty tags' : search });
  }
}
