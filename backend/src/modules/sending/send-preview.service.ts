import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock/clock.js';
import type { RequestUser } from '../../shared/http/index.js';
import { Audience } from '../lists/index.js';
import { ChosenLists } from './chosen-lists.service.js';
import type { PreviewSendDto, SendPreviewDto } from './dto/send.dto.js';
import { MessageComposer } from './message-composer.js';
import { NetworkAccess } from './network-access.service.js';

/** What a send would be, without sending: who gets it, who not, and the message as the worker would make it. */
@Injectable()
export class SendPreview {
  constructor(
    private readonly chosen: ChosenLists,
    private readonly audience: Audience,
    private readonly composer: MessageComposer,
    private readonly clock: Clock,
    private readonly network: NetworkAccess,
  ) {}

  async of(user: RequestUser, { emailListIds, emailType, subject, content }: PreviewSendDto): Promise<SendPreviewDto> {
    const lists = await this.chosen.of(user, emailListIds);
    await this.network.assertOpen(user, lists);
    const { recipientCount, excluded } = await this.audience.preview(user, lists.map((list) => list.id), emailType);
    const preview: SendPreviewDto = { recipientCount: String(recipientCount), excluded };
    if (content === undefined) return preview;
    const prepared = this.composer.prepare({
      id: 'preview', userId: user.id, subject: subject ?? '', content, sentAt: this.clock.now(),
      senderName: `${user.firstName} ${user.lastName}`, senderAgency: user.agencyName, replyTo: user.email,
    });
    return { ...preview, ...this.composer.parts(prepared, { listName: lists[0]!.name, unsubscribeToken: 'preview', introductionDue: false }) };
  }
}
