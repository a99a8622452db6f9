import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { invalid } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { isTimeout } from '../../../shared/database/queries/within-ms.js';
import { contactTagsOf, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import { NO_VALUES } from '../../../shared/merge-tags/values.js';
import { CONTACT_TYPE_OF_SEND } from '../../../shared/enums.js';
import { SegmentConditions } from '../../contacts/index.js';
import { MessageComposer, type PreparedSend } from '../../delivery/index.js';
import { type PreviewRecipient, RecipientPager, type RecipientStep, type SendableList } from '../../lists/index.js';
import { ComposedSends } from '../composed-sends.service.js';
import { ChosenAudience, type PlannedAudience } from '../audience/chosen-audience.service.js';
import { previewSend, sampleValues } from './preview-send.js';
import type { RenderedMessageDto, RenderedRecipientDto, RenderSendDto } from './render.dto.js';

/** Cursor of the second made-up recipient, who has no values. The first one has a value for every tag. */
const WITHOUT_VALUES = 'made-up';

/** Shows a composition as its recipients would read it, one recipient at a time. */
@Injectable()
export class SendRender {
  constructor(
    private readonly chosen: ChosenAudience,
    private readonly compositions: ComposedSends,
    private readonly composer: MessageComposer,
    private readonly steps: RecipientPager,
    private readonly segments: SegmentConditions,
    private readonly clock: Clock,
  ) {}

  async of(user: RequestUser, body: RenderSendDto): Promise<RenderedMessageDto> {
    const planned = await this.chosen.of(user, body, body.draftId !== undefined);
    const { tagLists, choice } = planned;
    const { prepared, tags } = await this.prepare(user, tagLists, body);
    const isOnlyNetwork = planned.lists.every(({ isDefault }) => isDefault) && !choice?.segmentIds.length;
    const step = isOnlyNetwork ? null : await this.step(user, planned, body, tags);
    if (step) {
      const cursor = cursorOf(step.at);
      return {
        ...this.rendered(prepared, step.listName, step.values, body.marks),
        recipient: recipientDto(step, tags),
        next: step.hasNext ? cursor : null,
        previous: step.hasPrevious ? cursor : null,
      };
    }
    // Members of the network are never shown. Instead, paging switches between the two made-up recipients.
    const isEmpty = isOnlyNetwork && (body.recipient?.after === WITHOUT_VALUES || body.recipient?.onlyEmpty === true);
    return {
      ...this.rendered(prepared, tagLists[0]?.name ?? '', isEmpty ? NO_VALUES : sampleValues(tags), body.marks),
      recipient: null,
      next: isOnlyNetwork && !isEmpty && tags.length > 0 ? WITHOUT_VALUES : null,
      previous: isEmpty && !body.recipient?.onlyEmpty ? WITHOUT_VALUES : null,
    };
  }

  private async prepare(
    user: RequestUser,
    lists: readonly SendableList[],
    { subject = '', ...body }: RenderSendDto,
  ): Promise<{ prepared: PreparedSend; tags: TagPiece[] }> {
    const { content, written, senderAddress } = await this.compositions.of(
      user,
      lists,
      this.compositions.read({ ...body, subject }),
    );
    const message = written?.message ?? null;
    const prepared = this.composer.prepare(
      previewSend(user, { subject, content, senderAddress, message }, this.clock.now()),
    );
    return { prepared, tags: message ? contactTagsOf(message) : [] };
  }

  /**
   * Finds the recipient to show.
   * @returns null if there is none, or if finding the next member of a segment takes too long
   */
  private async step(
    user: RequestUser,
    { lists, tagLists, choice }: PlannedAudience,
    { emailType, recipient }: RenderSendDto,
    fields: readonly TagPiece[],
  ): Promise<RecipientStep | null> {
    const { after, before, search, onlyEmpty } = recipient ?? {};
    const own = (given: readonly SendableList[]) => given.filter(({ isDefault }) => !isDefault);
    const segments: SqlPart[] = [];
    for (const id of choice?.segmentIds ?? []) segments.push(await this.segments.of(user.id, id));
    const query = {
      ownerId: user.id,
      lists: own(lists),
      ...(segments.length > 0 && { segments, reachable: own(tagLists) }),
      contactType: CONTACT_TYPE_OF_SEND[emailType],
      fields,
      search,
      onlyEmpty,
    };
    const step =
      before === undefined
        ? this.steps.step(query, after === undefined ? null : addressIn(after), 'next')
        : this.steps.step(query, addressIn(before), 'previous');
    return step.catch((error: unknown) => {
      if (segments.length > 0 && isTimeout(error)) return null;
      throw error;
    });
  }

  private rendered(prepared: PreparedSend, listName: string, values: PreviewRecipient['values'], marks?: boolean) {
    return this.composer.rendered(
      prepared,
      { listName, values, unsubscribeToken: 'preview', introductionDue: false },
      marks,
    );
  }
}

export const recipientDto = (
  { contactId, email, name, listName, values }: PreviewRecipient,
  tags: readonly TagPiece[],
): RenderedRecipientDto => ({
  contactId,
  email,
  name,
  listName,
  emptyTags: tags.map(({ tag }) => tag).filter((tag) => !values.has(tag)),
});

const cursorOf = (address: string): string => Buffer.from(address).toString('base64url');

function addressIn(cursor: string): string {
  const address = Buffer.from(cursor, 'base64url').toString();
  if (address === '' || address.includes('\0')) throw invalid('recipient', 'The cursor is not valid');
  return address;
}
