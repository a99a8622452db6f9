import { Injectable } from '@nestjs/common';
import type { SendType } from '../../shared/enums.js';
import type { DraftAudience } from './audience-choice.dto.js';
import type { ChosenFile } from './files/messages/chosen-files.dto.js';
import type { DraftOptions } from './drafts/draft.entity.js';
import type { DocumentJson } from './document/document.js';
import type { Job } from './requirements/job.js';

/** The content of a message that is not a send yet. */
export interface Composition {
  emailType: SendType;
  listIds: string[];
  /** Segments, exclusions and the company cap; null if the composition names lists only. */
  audience: DraftAudience | null;
  subject: string;
  preheader: string;
  document: DocumentJson | null;
  /** Plain text; null if there is a document. */
  content: string | null;
  /** The job that the message offers; null if there is none. */
  job: Job | null;
  files: ChosenFile[];
  /** The user's choices about brand and signature; null means the defaults. */
  options: DraftOptions | null;
}

/**
 * Reads the composition of a send.
 * @returns null if the user has no such send
 */
export type ReadSentComposition = (userId: string, sendId: string) => Promise<Composition | null>;

/**
 * Compositions of past sends, for drafts and templates made from them. The module that stores sent messages depends on
 * this one and registers its reader at start.
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
