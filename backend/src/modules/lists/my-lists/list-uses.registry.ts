import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';

/** Work that still needs the contacts of a deleted list. */
export interface ListUseSource {
  needs(em: EntityManager, listId: string): Promise<boolean>;
}

/** Registry of work that postpones the removal of a deleted list's contacts. */
@Injectable()
export class ListUses {
  private readonly sources: ListUseSource[] = [];

  add(source: ListUseSource): void {
    this.sources.push(source);
  }

  async areOpen(em: EntityManager, listId: string): Promise<boolean> {
    for (const source of this.sources) if (await source.needs(em, listId)) return true;
    return false;
  }
}
