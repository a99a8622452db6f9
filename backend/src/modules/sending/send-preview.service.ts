import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock/clock.js';
import { Settings } from '../../shared/config/settings.js';
import type { SendType } from '../../shared/enums.js';
import type { RequestUser } from '../../shared/http/index.js';
import { DeliveryTuning, messageAsTyped, MessageComposer } from '../delivery/index.js';
import { Audience } from '../lists/index.js';
import { AttachmentGuard } from './attachment-guard.service.js';
import { ComposedSends } from './composed-sends.service.js';
import { countOfLarge } from './audience/audience-numbers.js';
import { AudiencePreviews } from './audience/audience-previews.service.js';
import { ChosenAudience, type PlannedAudience } from './audience/chosen-audience.service.js';
import { forecastReasons } from './check/forecast-reasons.js';
import { previewSend } from './render/preview-send.js';
import type { PreviewSendDto } from './send.dto.js';
import type { SendPreviewDto } from './send-preview.dto.js';

type CountedSend = Omit<SendPreviewDto, 'reasons' | 'attachmentMaxBytes'>;

/**
 * Shows what a send would do without sending it: its recipients, who is left out and why, and the message as a worker
 * would compose it.
 */
@Injectable()
export class SendPreview {
  constructor(
    private readonly chosen: ChosenAudience,
    private readonly audiences: AudiencePreviews,
    private readonly audience: Audience,
    private readonly composer: MessageComposer,
    private readonly clock: Clock,
    private readonly compositions: ComposedSends,
    private readonly settings: Settings,
    private readonly guard: AttachmentGuard,
    private readonly tuning: DeliveryTuning,
  ) {}

  async of(user: RequestUser, body: PreviewSendDto): Promise<SendPreviewDto> {
    const { emailType, subject = '' } = body;
    const composition = this.compositions.read({ ...body, subject });
    const planned = await this.chosen.of(user, body, body.draftId !== undefined);
    const chosen = await this.audiences.of(user, planned, emailType);
    const counted = chosen ?? (await this.ofLists(user, planned, emailType));
    const reasons = forecastReasons(new Map(Object.entries(counted.excluded)), (n) => n, this.settings.networkDailyCap);
    const attachmentMaxBytes = this.guard.mostBytes(
      (!chosen && countOfLarge(planned.lists, this.tuning.layOutAtOnce)) || Number(counted.recipientCount),
    );
    const preview: SendPreviewDto = { ...counted, reasons, attachmentMaxBytes };
    if (composition.content === null && !composition.document) return preview;
    const { content, written, senderAddress } = await this.compositions.of(user, planned.tagLists, composition);
    const message = written && messageAsTyped(written.message);
    const prepared = this.composer.prepare(
      previewSend(user, { subject, content, senderAddress, message }, this.clock.now()),
    );
    const reader = { listName: planned.tagLists[0]?.name ?? '', unsubscribeToken: 'preview', introductionDue: false };
    const { subject: subjectLine, html, text } = this.composer.rendered(prepared, reader);
    return { ...preview, html, text, htmlBytes: Buffer.byteLength(html), subject: subjectLine };
  }

  private async ofLists(user: RequestUser, { lists }: PlannedAudience, emailType: SendType): Promise<CountedSend> {
    const ids = lists.map(({ id }) => id);
    const { recipientCount, excluded } = await this.audience.preview(user, ids, emailType);
    return { recipientCount: String(recipientCount), excluded };
  }
}
