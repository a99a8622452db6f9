import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
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

const CACHE_MS = 30_000;
const MAX_CACHED_FORECASTS = 1_000;
/** Most concurrent counts of one user. */
const MAX_CONCURRENT_COUNTS = 2;
const RETRY_MS = 2_000;

/** Counts whom a send would reach now and why the others are left out. Each address counts once. */
@Injectable()
export class Forecasts {
  private readonly kept = new Map<string, { until: number; forecast: ForecastDto }>();
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
   * The forecast as of now, at most half a minute old.
   * @returns null where it could not be counted in time
   * @throws 429 while MAX_CONCURRENT_COUNTS other counts of the user are running
   */
  async of(user: { id: string }, planned: PlannedAudience, emailType: SendType): Promise<ForecastDto | null> {
    const key = keyOf(user.id, planned, emailType);
    const known = this.kept.get(key);
    if (known && known.until > performance.now()) return known.forecast;
    const running = this.counting.get(user.id) ?? 0;
    if (running >= MAX_CONCURRENT_COUNTS)
      throw tooMany(RETRY_MS, 'Recipients are being counted already. Please try again in a moment.');
    this.counting.set(user.id, running + 1);
    try {
      const forecast = await this.count(user.id, planned, emailType);
      // A forecast without recipients blocks the send, so it is not cached.
      if (forecast && forecast.reaches > 0) this.keep(key, forecast);
      return forecast;
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
      // With exclusions beside the shared network, exact numbers would reveal who of a domain is on the network.
      const shown = choice && isRounded(planned) ? rounded : (n: number) => n;
      const reaches = shown(found.get(null) ?? 0);
      const reasons = forecastReasons(found, shown, this.settings.networkDailyCap);
      return { total: reasons.reduce((sum, { count }) => sum + count, reaches), reaches, reasons };
    });
  }

  private keep(key: string, forecast: ForecastDto): void {
    const now = performance.now();
    // The cache is ordered by the time of expiry.
    for (const [old, { until }] of this.kept) {
      if (until > now && this.kept.size < MAX_CACHED_FORECASTS) break;
      this.kept.delete(old);
    }
    this.kept.delete(key);
    this.kept.set(key, { until: now + CACHE_MS, forecast });
  }
}

const keyOf = (userId: string, { lists, choice }: PlannedAudience, emailType: SendType): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, emailType, lists.map(({ id }) => id).sort(), choice]))
    .digest('base64');
