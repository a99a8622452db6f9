import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CONTACT_TYPE_OF_SEND, type SendType } from '../../../shared/enums.js';
import { SegmentConditions } from '../../contacts/index.js';
import { DeliveryTuning, SendAudiences, SendExpansions } from '../../delivery/index.js';
import { noRecipientsLeft } from '../sending.errors.js';
import { AudienceEstimates } from './audience-estimates.service.js';
import { excludedOf, isRounded, rounded } from './audience-numbers.js';
import { ChosenAudience, type PlannedAudience } from './chosen-audience.service.js';

/** Number of recipients, as far as it is known when a send is accepted. */
export interface AcceptedRecipients {
  recipientCount: number;
  /** Whether the number is only an estimate until a worker has created the delivery rows. */
  isAbout: boolean;
  /** Whether a worker creates the delivery rows after the send was accepted. */
  isPostponed: boolean;
}

interface AcceptedSend {
  id: string;
  userId: string;
  subject: string;
  emailType: SendType;
}

/** Accepts the audience of a send with segments, exclusions or caps, or to which do-not-send rules apply. */
@Injectable()
export class AudienceAcceptance {
  constructor(
    private readonly audiences: SendAudiences,
    private readonly expansions: SendExpansions,
    private readonly chosen: ChosenAudience,
    private readonly segments: SegmentConditions,
    private readonly estimates: AudienceEstimates,
    private readonly tuning: DeliveryTuning,
  ) {}

  /**
   * Freezes the audience, or leaves this to a worker. Must run under the sender's lock, so that the second of two
   * concurrent sends sees the recipients of the first.
   * @returns null for a send to plain lists to which no rule and no cap applies
   * @throws 400 if nobody is left; 404 and 409 for segments
   */
  async accept(em: EntityManager, send: AcceptedSend, planned: PlannedAudience): Promise<AcceptedRecipients | null> {
    const { userId: ownerId } = send;
    const choice = await this.chosen.choiceFor(em, ownerId, planned);
    if (!choice) return null;
    const of = { ownerId, contactType: CONTACT_TYPE_OF_SEND[send.emailType] };
    const accepted = await this.audiences.accept(em, send.id, choice, of, this.tuning.layOutAtOnce);
    await this.segments.recordUse(em, ownerId, choice.segmentIds);
    if (accepted.isFrozen) {
      const { counts } = accepted;
      if (counts.recipients === 0) throw noRecipientsLeft(excludedOf(counts, isRounded(planned)));
      const recipientCount = await this.expansions.insertAll(em, send, this.audiences.allSql(send.id));
      if (recipientCount === 0) throw noRecipientsLeft(excludedOf(counts, isRounded(planned)));
      return { recipientCount, isAbout: false, isPostponed: false };
    }
    const { counts } = accepted;
    if (counts?.recipients === 0) throw noRecipientsLeft(excludedOf(counts, isRounded(planned)));
    await this.expansions.postpone(em, send.id, []);
    const recipientCount = counts?.recipients ?? (await this.estimates.of(em, ownerId, planned));
    return { recipientCount, isAbout: counts === null, isPostponed: true };
  }

  /** The number of recipients that people may see. Rounded if the audience includes the shared network. */
  async shownCount(em: EntityManager, sendId: string, recipientCount: number): Promise<number> {
    return (await this.audiences.isOverNetwork(em, sendId)) ? rounded(recipientCount) : recipientCount;
  }
}
