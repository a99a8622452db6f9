import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ProfileReader } from '../../contacts/index.js';
import type { PlannedAudience } from './chosen-audience.service.js';

/** Upper bounds for the size of an audience, for cases in which an exact count would take too long. */
@Injectable()
export class AudienceEstimates {
  constructor(private readonly profiles: ProfileReader) {}

  /** The upper bound, rounded to three significant digits. */
  async of(em: EntityManager, ownerId: string, { lists, choice }: PlannedAudience): Promise<number> {
    const onLists = lists.reduce((sum, { confirmedCount }) => sum + confirmedCount, 0);
    const people = choice && choice.segmentIds.length > 0 ? await this.profiles.count(em, ownerId) : 0;
    return Number((onLists + people).toPrecision(3));
  }
}
