import { Injectable } from '@nestjs/common';
import type { SendType } from '../../shared/enums.js';
import type { DraftAudience } from './audience-choice.dto.js';
import type { ChosenFile } from './files/messages/chosen-files.dto.js';
import type { DraftOptions } from './drafts/draft.entity.js';
import type { DocumentJson } from './document/document.js';
import type { Job } from './requirements/job.js';

/** What was written before it became a send. */
export interface Composition {
  emailType: SendType;
  listIds: string[];
  /** Segments, exclusions and the cap per company; null: lists only. */
  audience: DraftAudience | null;
  subject: string;
  preheader: string;
  document: DocumentJson | null;
  /** Plain text; null where there is a document. */
  content: string | null;
  /** The job that it offers; null: none. */
  job: Job | null;
  files: ChosenFile[];
  /** What it takes from the sender's profile; null: by default. */
  options: DraftOptions | null;
}

/** Reads the composition of a user's send; null where there is none of theirs. */
export type ReadSentComposition = (userId: string, sendId: string) => Promise<Composition | null>;

/**
 * Compositions of past sends, for drafts and templates made from them. The module that keeps the messages of sends
 * stands above this one and registers its reader at start.
 */
@Injectable()
export class SentCompositions {
  private reader?: ReadSentComposition;

  readBy(reader: ReadSentComposition): void {
    this.reader = reader;
  }

  async of(userId: string, sendId: string): Promise<Composition | null> {
    return (await this.reader?.(userId, sendId)) ?? null;
  }
}
