import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { inTransaction } from '../../../shared/database/queries/rows.js';
import { withinMs } from '../../../shared/database/queries/within-ms.js';
import { CONTACT_TYPE_OF_SEND, type SendType } from '../../../shared/enums.js';
import { tooMany } from '../../../shared/http/index.js';
import {
  AudienceEvaluation,
  ChoiceResolver,
  DeliveryTuning,
  LateReasons,
  planForLargeAudience,
} from '../../delivery/index.js';
import { isRounded, rounded } from '../audience/audience-numbers.js';
import { ChosenAudience, type PlannedAudience, plainChoice } from '../audience/chosen-audience.service.js';
import type { ForecastDto } from './check.dto.js';
import { forecastReasons } from './forecast-reasons.js';
import { countKey, RecentCounts } from './recent-counts.js';

/** Maximum number of concurrent counts per user. */
const MAX_CONCURRENT_COUNTS = 2;
const RETRY_MS = 2_000;

/** Counts whom a send would reach now, and why it leaves out the others. Each address counts only once. */
@Injectable()
export class Forecasts {
  // A forecast without recipients blocks the send, so it is not kept; nor is one that could not be counted in time.
  private readonly counts = new RecentCounts<ForecastDto | null>(
    (forecast) => forecast !== null && forecast.reaches > 0,
  );
  private readonly counting = new Map<string, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly chosen: ChosenAudience,
    private readonly resolver: ChoiceResolver,
    private readonly audience: AudienceEvaluation,
    private readonly lateReasons: LateReasons,
    private readonly tuning: DeliveryTuning,
  ) {}

  /**
   * Returns a forecast that is at most half a minute old.
   * @returns null if the count took too long
   * @throws 429 if MAX_CONCURRENT_COUNTS counts of the user are already running
   */
  async of(user: { id: string }, planned: PlannedAudience, emailType: SendType): Promise<ForecastDto | null> {
    const key = countKey(user.id, emailType, planned.lists.map(({ id }) => id).sort(), planned.choice);
    const known = this.counts.find(key);
    if (known) return known;
    const running = this.counting.get(user.id) ?? 0;
    if (running >= MAX_CONCURRENT_COUNTS)
      throw tooMany(RETRY_MS, 'Recipients are being counted already. Please try again in a moment.');
    this.counting.set(user.id, running + 1);
    try {
      return await this.counts.start(key, () => this.count(user.id, planned, emailType));
    } finally {
      const left = (this.counting.get(user.id) ?? 1) - 1;
      if (left > 0) this.counting.set(user.id, left);
      else this.counting.delete(user.id);
    }
  }

  private count(ownerId: string, planned: PlannedAudience, emailType: SendType): Promise<ForecastDto | null> {
    return inTransaction(this.em, async (em) => {
      const choice = await this.chosen.choiceFor(em, ownerId, planned);
      const of = { ownerId, contactType: CONTACT_TYPE_OF_SEND[emailType] };
      const judged = await this.resolver.resolve(em, choice ?? plainChoice(planned.lists), of);
      await planForLargeAudience(em);
      const found = await withinMs(em, this.tuning.forecastMs, () =>
        this.audience.forecast(em, judged, this.lateReasons.of(ownerId)),
      );
      if (!found) return null;
      // Exact numbers for the shared network, together with exclusions, would reveal which people of a domain are
      // members.
      const shown = choice && isRounded(planned) ? rounded : (n: number) => n;
      const reaches = shown(found.get(null) ?? 0);
      const reasons = forecastReasons(found, shown, this.settings.networkDailyCap);
      return { total: reasons.reduce((sum, { count }) => sum + count, reaches), reaches, reasons };
    });
  }
}
