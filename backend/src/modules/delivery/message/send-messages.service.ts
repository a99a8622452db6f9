import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { ComposedMessage } from '../../../shared/merge-tags/pieces.js';
import { fromStored, STORED_VERSION, type StoredMessage, toStored } from './stored-pieces.js';

/** The texts of a send, to be stored when the send is accepted. */
export interface NewSendMessage {
  message: ComposedMessage;
  /** The preview line as the sender typed it; null: there is none. */
  preheader: string | null;
  document: object | null;
  job: object | null;
  /** The sender's choices about brand and signature; null: the defaults. */
  options: object | null;
  /** Size of the HTML content in bytes; null if the HTML is derived from the text. */
  htmlBytes: number | null;
}

/** A message as the sender wrote it, for display and for drafts that are made from it. */
export type WrittenMessage = Pick<NewSendMessage, 'preheader' | 'document' | 'job' | 'options' | 'htmlBytes'>;

/** Stores and reads the composed texts of sends. The history entry of such a send has `composed` set. */
@Injectable()
export class SendMessages {
  /** Call it in the transaction that accepts the send. */
  async write(em: EntityManager, sendId: string, written: NewSendMessage): Promise<void> {
    const { subject, preheaderPieces, text, html, tags } = toStored(written.message);
    await changed(
      em,
      `insert into send_messages (history_id, version, subject, preheader_pieces, text, html, tags, preheader, document, job, options, html_bytes)
       values (?, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?::jsonb, ?::jsonb, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?)`,
      [
        sendId,
        STORED_VERSION,
        json(subject),
        orNull(preheaderPieces),
        json(text),
        orNull(html),
        json(tags),
        written.preheader,
        orNull(written.document),
        orNull(written.job),
        orNull(written.options),
        written.htmlBytes,
      ],
    );
  }

  /**
   * Reads the texts from which the messages of a send are made.
   * @returns null for a send of plain content without tags
   */
  async read(em: EntityManager, sendId: string): Promise<ComposedMessage | null> {
    const [stored] = await rows<StoredMessage>(
      em,
      `select subject, preheader_pieces as "preheaderPieces", text, html, tags from send_messages where history_id = ?`,
      [sendId],
    );
    return stored ? fromStored(stored) : null;
  }

  /**
   * Reads a message as the sender wrote it.
   * @returns null for a send of plain content without tags
   */
  async written(em: EntityManager, sendId: string): Promise<WrittenMessage | null> {
    const [found] = await rows<WrittenMessage>(
      em,
      `select preheader, document, job, options, html_bytes as "htmlBytes" from send_messages where history_id = ?`,
      [sendId],
    );
    return found ?? null;
  }
}

/** Replaces lone surrogates, which PostgreSQL does not accept in jsonb. */
const json = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
const orNull = (value: object | null): string | null => value && json(value);
