import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';

/** A module that uses segments and must keep them from being deleted. */
export interface SegmentUseSource {
  /** Names everything that uses the segment, in words for people, such as `the send "Java hotlist"`. */
  uses(em: EntityManager, ownerId: string, segmentId: string): Promise<string[]>;
}

/** Registry of the uses that keep a segment from being deleted. */
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
