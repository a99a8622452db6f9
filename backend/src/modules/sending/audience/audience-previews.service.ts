import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../shared/database/queries/rows.js';
import { withinMs } from '../../../shared/database/queries/within-ms.js';
import { CONTACT_TYPE_OF_SEND, type SendType } from '../../../shared/enums.js';
import { AudienceEvaluation, ChoiceResolver, DeliveryTuning } from '../../delivery/index.js';
import type { SendPreviewDto } from '../send-preview.dto.js';
import { excludedOf, isRounded, rounded } from './audience-numbers.js';
import { AudienceEstimates } from './audience-estimates.service.js';
import { ChosenAudience, type PlannedAudience } from './chosen-audience.service.js';

const NOT_COUNTED = { pending: 0, otherType: 0, suppressed: 0, duplicates: 0 };

/** Counts the audience of a future send with segments, exclusions or caps, or to which do-not-send rules apply. */
@Injectable()
export class AudiencePreviews {
  constructor(
    private readonly em: EntityManager,
    private readonly chosen: ChosenAudience,
    private readonly resolver: ChoiceResolver,
    private readonly audience: AudienceEvaluation,
    private readonly estimates: AudienceEstimates,
    private readonly tuning: DeliveryTuning,
  ) {}

  /** @returns null for plain lists to which no rule and no cap applies */
  of(
    user: { id: string },
    planned: PlannedAudience,
    emailType: SendType,
  ): Promise<Pick<SendPreviewDto, 'recipientCount' | 'isAbout' | 'excluded' | 'leftOut'> | null> {
    return inTransaction(this.em, async (em) => {
      const choice = await this.chosen.choiceFor(em, user.id, planned);
      if (!choice) return null;
      const of = { ownerId: user.id, contactType: CONTACT_TYPE_OF_SEND[emailType] };
      const judged = await this.resolver.resolve(em, choice, of);
      const isRound = isRounded(planned);
      const found = await withinMs(em, this.tuning.countMs, () => this.audience.preview(em, judged));
      if (!found) {
        const near = await this.estimates.of(em, user.id, planned);
        return { recipientCount: String(isRound ? rounded(near) : near), isAbout: true, excluded: NOT_COUNTED };
      }
      const { counts, samples } = found;
      return {
        recipientCount: String(isRound ? rounded(counts.recipients) : counts.recipients),
        excluded: excludedOf(counts, isRound),
        leftOut: samples,
      };
    });
  }
}
