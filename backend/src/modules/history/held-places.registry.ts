import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { LimitScope } from '../auth/index.js';

/** One day of a user, in the time zone that it is counted in. */
export interface CountedDay {
  /** YYYY-MM-DD */
  date: string;
  timeZone: string;
}

/** Places of a day that are taken by sends which have not been accepted yet. */
export interface HeldPlacesOfDay {
  count: number;
  /** When the first of them is due; null where there is none. */
  firstAt: Date | null;
}

/** Sends that will be accepted on a day and hold a place of it until then. */
export interface HeldPlaceSource {
  held(em: EntityManager, userId: string, scope: LimitScope, day: CountedDay): Promise<HeldPlacesOfDay>;
}

/** Registry of what holds places of a day; the modules that plan sends stand above this one and register at start. */
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
