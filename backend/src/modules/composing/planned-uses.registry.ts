import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AppError } from '../../shared/errors/app-error.js';

/**
 * Tells what scheduled emails use. The module of scheduled emails depends on this module and therefore registers its
 * implementation here.
 */
export interface PlannedUseSource {
  /** @returns the error for a draft that became a scheduled email; null for any other draft */
  ofDraft(em: EntityManager, userId: string, draftId: string): Promise<AppError | null>;
  /** Whether a scheduled email shows a picture. */
  showsPicture(em: EntityManager, userId: string, fileId: string): Promise<boolean>;
  /** Whether a scheduled email has or links to a file. */
  namesFile(em: EntityManager, userId: string, fileId: string): Promise<boolean>;
}

/** Drafts, pictures and files that scheduled emails use. The source is registered at start. */
@Injectable()
export class PlannedUses {
  private source?: PlannedUseSource;

  readFrom(source: PlannedUseSource): void {
    this.source = source;
  }

  async ofDraft(em: EntityManager, userId: string, draftId: string): Promise<AppError | null> {
    return (await this.source?.ofDraft(em, userId, draftId)) ?? null;
  }

  async showsPicture(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    return (await this.source?.showsPicture(em, userId, fileId)) ?? false;
  }

  async namesFile(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    return (await this.source?.namesFile(em, userId, fileId)) ?? false;
  }
}
