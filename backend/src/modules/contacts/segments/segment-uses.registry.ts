import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';

/** Work that needs a segment until it is done. */
export interface SegmentUseSource {
  /** What uses the segment, as people would name it, such as `the send "Java hotlist"`. */
  uses(em: EntityManager, ownerId: string, segmentId: string): Promise<string[]>;
}

/** Registry of what keeps a segment from being deleted. */
@Injectable()
export class SegmentUses {
  private readonly sources: SegmentUseSource[] = [];

  add(source: SegmentUseSource): void {
    this.sources.push(source);
  }

  async of(em: EntityManager, ownerId: string, segmentId: string): Promise<string[]> {
    const found: string[] = [];
    for (const source of this.sources) found.push(...(await source.uses(em, ownerId, segmentId)));
    return found;
  }
}
