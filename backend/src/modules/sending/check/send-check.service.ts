import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { AppError } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import {
  attachedBytes,
  type CheckItem,
  checkMessage,
  isBlank,
  type PreparedFile,
  SenderProfiles,
  webHostsOf,
} from '../../composing/index.js';
import { DeliveryTuning, messageAsTyped, MessageComposer } from '../../delivery/index.js';
import { AttachmentGuard } from '../attachment-guard.service.js';
import { countOfLarge } from '../audience/audience-numbers.js';
import { ChosenAudience, type PlannedAudience } from '../audience/chosen-audience.service.js';
import { type CheckedComposition, type ComposedSend, ComposedSends } from '../composed-sends.service.js';
import { previewSend } from '../render/preview-send.js';
import { compositionHash } from '../send-request.js';
import { TestMailOutbox } from '../tests/test-mail-outbox.service.js';
import type { CheckSendDto, SendCheckDto } from './check.dto.js';
import { EmptyTags } from './empty-tags.service.js';
import { Forecasts } from './forecasts.service.js';
import { LinkChecks } from './link-checks.service.js';
import {
  addressItem,
  attachmentItem,
  byLevel,
  fileItems,
  linkItem,
  linkState,
  missingItems,
  nobodyItem,
  testItem,
} from './send-items.js';

/**
 * Checks an email before it is sent: whom it would reach, why the server would refuse it, and what recipients may find
 * wrong.
 */
@Injectable()
export class SendCheck {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly chosen: ChosenAudience,
    private readonly compositions: ComposedSends,
    private readonly composer: MessageComposer,
    private readonly forecasts: Forecasts,
    private readonly emptyTags: EmptyTags,
    private readonly links: LinkChecks,
    private readonly tests: TestMailOutbox,
    private readonly profiles: SenderProfiles,
    private readonly guard: AttachmentGuard,
    private readonly tuning: DeliveryTuning,
  ) {}

  /** @throws the errors of a preview: a list, segment or draft that does not belong to the user, or an invalid body */
  async of(user: RequestUser, given: CheckSendDto): Promise<SendCheckDto> {
    const body = { ...given, subject: given.subject ?? '' };
    const composition = this.compositions.read(body);
    const hasBody = composition.document ? !isBlank(composition.document) : composition.content !== null;
    const lists = (given.emailListIds as string[] | undefined)?.length ?? 0;
    const namesAudience = lists + (given.segmentIds?.length ?? 0) > 0;
    const planned = namesAudience ? await this.chosen.of(user, given, given.draftId !== undefined) : null;
    const { composed, refusal } = await this.composed(user, planned, composition);
    const checked = {
      emailType: body.emailType,
      subject: body.subject,
      preheader: composition.preheader,
      content: composition.content ?? '',
      document: composition.document,
      htmlBytes: composed && hasBody ? this.htmlBytes(user, body.subject, composed) : null,
    };
    const [forecast, hosts, empty, isTested] = await Promise.all([
      planned && this.forecasts.of(user, planned, body.emailType),
      this.links.of(webHostsOf(checked)),
      planned && composed ? this.emptyTags.of(user, planned, checked, composed) : [],
      this.tests.wasTested(this.em.fork(), user.id, compositionHash(composition)),
    ]);
    const items = [
      ...missingItems(body.subject, hasBody, namesAudience),
      ...(forecast ? [nobodyItem(forecast.reaches)] : []),
      ...(refusal ? [refusal] : []),
      addressItem(composed?.senderAddress ?? null, this.profiles.isAddressRequired),
      ...empty,
      ...fileItems(composed?.files ?? []),
      ...(await this.attachmentItem(user.id, composed?.files ?? [], planned, forecast?.reaches ?? 0)),
      ...checkMessage(checked),
      ...linkItem(hosts),
      testItem(isTested),
    ];
    return {
      forecast,
      items: byLevel(items),
      links: linkState(hosts),
      checkedAt: this.clock.now().toISOString(),
    };
  }

  /**
   * Composes the message as a send would. If the server would refuse the send, returns a finding with the reason
   * instead.
   */
  private async composed(
    user: RequestUser,
    planned: PlannedAudience | null,
    composition: CheckedComposition,
  ): Promise<{ composed: ComposedSend | null; refusal: CheckItem | null }> {
    try {
      return { composed: await this.compositions.of(user, planned?.tagLists ?? [], composition), refusal: null };
    } catch (error) {
      // While no list is chosen, hides the refusal: an unknown tag may be a column of a list that is chosen later.
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return {
        composed: null,
        refusal: planned && { code: error.code, level: 'error', text: sentence(error.message) },
      };
    }
  }

  /**
   * Checks the size of attached files for the recipient count with which the send would be accepted. For large plain
   * lists, this is not the number of the forecast.
   */
  private async attachmentItem(
    userId: string,
    files: readonly PreparedFile[],
    planned: PlannedAudience | null,
    reaches: number,
  ): Promise<CheckItem[]> {
    const bytes = attachedBytes(files);
    if (bytes === 0) return [];
    const isPlain = planned && (await this.chosen.choiceFor(this.em.fork(), userId, planned)) === null;
    const recipients = (isPlain && countOfLarge(planned.lists, this.tuning.layOutAtOnce)) || reaches;
    return attachmentItem(bytes, bytes > this.guard.mostBytes(recipients) ? this.guard.refusal(bytes) : null);
  }

  /** Size of the HTML part in bytes, with merge tags as typed. */
  private htmlBytes(user: RequestUser, subject: string, { content, written, senderAddress }: ComposedSend): number {
    const message = written && messageAsTyped(written.message);
    const prepared = this.composer.prepare(
      previewSend(user, { subject, content, senderAddress, message }, this.clock.now()),
    );
    const reader = { listName: '', unsubscribeToken: 'preview', introductionDue: false };
    return Buffer.byteLength(this.composer.rendered(prepared, reader).html);
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
