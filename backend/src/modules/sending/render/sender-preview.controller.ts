import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../../shared/clock/clock.js';
import { ApiErrors, CurrentUser, JsonBody, RateLimit, type RequestUser } from '../../../shared/http/index.js';
import {
  PROFILE_BODY,
  readDocument,
  renderDocument,
  SaveSenderProfileDto,
  SenderLooks,
  SenderProfiles,
} from '../../composing/index.js';
import { MessageComposer } from '../../delivery/index.js';
import { dressed } from '../composed-sends.service.js';
import { previewSend, sampleValues } from './preview-send.js';
import { SenderPreviewDto } from './render.dto.js';

const SUBJECT = 'Senior Java developer, Hartford CT';
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const text = (text: string, ...marks: object[]) => ({ type: 'text', text, marks });
/** Document of the sample message. Its link and button show the brand colour. */
const SAMPLE = readDocument({
  type: 'doc',
  version: 1,
  content: [
    paragraph(text('Hi Priya,')),
    paragraph(
      text('we are looking for a senior Java developer in Hartford. Here is '),
      text('the full description', { type: 'link', attrs: { href: 'https://jobs.example/java' } }),
      text('.'),
    ),
    { type: 'button', attrs: { label: 'Send a profile', href: 'https://jobs.example/reply' } },
  ],
});

/** Shows how a sender profile changes a message. */
@ApiTags('Sending')
@Controller('api/sender-profile')
export class SenderPreviewController {
  constructor(
    private readonly profiles: SenderProfiles,
    private readonly looks: SenderLooks,
    private readonly composer: MessageComposer,
    private readonly clock: Clock,
  ) {}

  /**
   * A sample message with this profile. The profile is not saved. If its address is incomplete, the message shows the
   * parts that are given.
   */
  @Post('preview')
  @HttpCode(200)
  @RateLimit('save')
  @JsonBody(PROFILE_BODY)
  @ApiOkResponse({ type: SenderPreviewDto })
  @ApiErrors(400, 401, 404, 413, 429)
  async previewSenderProfile(
    @CurrentUser() user: RequestUser,
    @Body() body: SaveSenderProfileDto,
  ): Promise<SenderPreviewDto> {
    const look = await this.looks.of(user, this.profiles.partsOf(body), { brand: true, signature: true });
    const sample = renderDocument(SAMPLE, NO_PICTURES, look.accent);
    const message = { subject: [SUBJECT], preheader: [], ...dressed(sample, look) };
    const send = { subject: SUBJECT, content: '', senderAddress: look.address, message };
    const prepared = this.composer.prepare(previewSend(user, send, this.clock.now()));
    const reader = {
      listName: 'Java vendors',
      values: sampleValues([]),
      unsubscribeToken: 'preview',
      introductionDue: false,
    };
    const { html, text: plain } = this.composer.rendered(prepared, reader);
    return { html, text: plain };
  }
}

const NO_PICTURES = {
  of: (): never => {
    throw new Error('the sample shows no picture');
  },
};
