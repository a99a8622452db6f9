import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { LimitScope } from '../auth/index.js';

/** One day of a user, and the time zone in which the day is counted. */
export interface CountedDay {
  /** YYYY-MM-DD */
  date: string;
  timeZone: string;
}

/** How many sends of a day's limit are reserved for scheduled sends that were not accepted yet. */
export interface HeldPlacesOfDay {
  count: number;
  /** When the first of the scheduled sends is due; null: there is none. */
  firstAt: Date | null;
}

/** Counts the sends of a day's limit that are reserved ("held places") for sends scheduled for that day. */
export interface HeldPlaceSource {
  held(em: EntityManager, userId: string, scope: LimitScope, day: CountedDay): Promise<HeldPlacesOfDay>;
}

/**
 * Registry for the source of held places. The module that schedules sends depends on this one, so it registers itself
 * at start.
 */
@Injectable()
export class HeldPlaces {
  private source?: HeldPlaceSource;

  readFrom(source: HeldPlaceSource): void {
    this.source = source;
  }

  async of(em: EntityManager, userId: string, scope: LimitScope, day: CountedDay): Promise<HeldPlacesOfDay> {
    return (await this.source?.held(em, userId, scope, day)) ?? { count: 0, firstAt: null };
  }
}
