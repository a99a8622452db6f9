import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { AppError } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { type CheckItem, CHECK_LEVELS, checkMessage, webHostsOf } from '../../composing/index.js';
import { messageAsTyped, MessageComposer } from '../../delivery/index.js';
import { ChosenAudience, type PlannedAudience } from '../audience/chosen-audience.service.js';
import { type CheckedComposition, type ComposedSend, ComposedSends } from '../composed-sends.service.js';
import { previewSend } from '../render/preview-send.js';
import { TestMails } from '../tests/test-mails.service.js';
import type { CheckSendDto, ForecastDto, LinkCheckDto, SendCheckDto } from './check.dto.js';
import { EmptyTags } from './empty-tags.service.js';
import { Forecasts } from './forecasts.service.js';
import { type HostStates, LinkChecks } from './link-checks.service.js';
import { addressItem, linkItem, missingItems, nobodyItem, testItem } from './send-items.js';
import { SenderProfiles } from '../../composing/index.js';

/** Looks over a send before it leaves: whom it reaches, and what the server would refuse or a reader would stumble over. */
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
    private readonly tests: TestMails,
    private readonly profiles: SenderProfiles,
  ) {}

  /** @throws what a preview refuses: a list, segment or draft that is not the user's, a body that is none */
  async of(user: RequestUser, given: CheckSendDto): Promise<SendCheckDto> {
    const body = { ...given, subject: given.subject ?? '' };
    const composition = this.compositions.read(body);
    const namesAudience = given.emailListIds?.length > 0 || (given.segmentIds?.length ?? 0) > 0;
    const planned = namesAudience ? await this.chosen.of(user, given, given.draftId !== undefined) : null;
    const { composed, refusal } = await this.composed(user, planned, composition);
    const checked = {
      emailType: body.emailType,
      subject: body.subject,
      preheader: composition.preheader,
      content: composition.content ?? '',
      document: composition.document,
      htmlBytes: composed && composition.hasBody ? this.htmlBytes(user, body.subject, composed) : null,
    };
    const [forecast, hosts, empty, isTested] = await Promise.all([
      planned && this.forecasts.of(user, planned, body.emailType),
      this.links.of(webHostsOf(checked)),
      planned && composed ? this.emptyTags.of(user, planned, composition, composed) : [],
      this.tests.wasTested(this.em.fork(), user.id, composition.hash),
    ]);
    const items = [
      ...missingItems(body.subject, composition.hasBody, namesAudience),
      ...(forecast ? [nobodyItem(forecast)] : []),
      ...(refusal ? [refusal] : []),
      addressItem(composed?.senderAddress ?? null, this.profiles.isAddressRequired),
      ...empty,
      ...checkMessage(checked),
      ...linkItem(hosts),
      testItem(isTested),
    ];
    return {
      forecast: (forecast satisfies ForecastDto | null),
      items: byLevel(items),
      links: linkState(hosts),
      checkedAt: this.clock.now().toISOString(),
    };
  }
