import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AppError } from '../../shared/errors/app-error.js';

/** Emails that are written and will be sent later. The module that stores them depends on this one. */
export interface PlannedUseSource {
  /** The error that explains that a draft became such an email; null where none was made from it. */
  ofDraft(em: EntityManager, userId: string, draftId: string): Promise<AppError | null>;
  /** Whether such an email shows a picture. */
  showsPicture(em: EntityManager, userId: string, fileId: string): Promise<boolean>;
  /** Whether such an email brings a document, or links to it. */
  namesFile(em: EntityManager, userId: string, fileId: string): Promise<boolean>;
}

/** Drafts, pictures and documents that planned emails use. The module of these emails registers at start. */
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
