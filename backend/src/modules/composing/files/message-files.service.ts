import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { isUuid } from '../../../shared/text/formats.js';
import { mintToken } from '../../../shared/tokens/tokens.js';
import { fileDeleted, fileNotReady, fileRefused, unknownFile } from '../composing.errors.js';
import { type ChosenFile } from './chosen-files.dto.js';
import { DEFAULT_LINK_DAYS, type LinkDays } from './file-link.entity.js';
import { type FileState, fileStateOf, type FileStateFacts, STATE_COLUMNS } from './file-state.js';
import { type DocumentType } from './stored-file.entity.js';
import { VirusScanner } from './virus-scanner.js';

/** A file that goes with a message. */
export interface MessageFile {
  fileId: string;
  /** Empty for one that was deleted. */
  name: string;
  mediaType: DocumentType;
  byteSize: number;
  state: FileState;
  expiresInDays: LinkDays;
}

/** The same with the link that the message has for it. */
export interface LinkedFile extends MessageFile {
  token: string;
  url: string;
  /** The last day of the link, where the sender is: 'Dec 21, 2026'. */
  until: string;
}

/** The files of messages: which they are, their links, and whether they can be sent. */
@Injectable()
export class MessageFiles {
  constructor(
    private readonly em: EntityManager,
    private readonly scanner: VirusScanner,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws 404 where one of the files is not the user's; one that was deleted is */
  async assertOwn(userId: string, ids: readonly string[]): Promise<void> {
    await this.read(userId, ids);
  }

  /**
   * The files of a message, each with a new link: those chosen for it, in their order, and those that its text links to.
   * @param linkedIds files that the document links to
   * @throws 404 where one of them is not the user's
   */
  async of(
    user: Pick<RequestUser, 'id' | 'timeZone'>,
    chosen: readonly ChosenFile[],
    linkedIds: readonly string[],
  ): Promise<LinkedFile[]> {
    const days = new Map(chosen.map(({ fileId, expiresInDays }) => [fileId, expiresInDays]));
    for (const id of linkedIds) if (!days.has(id)) days.set(id, DEFAULT_LINK_DAYS);
    const found = await this.read(user.id, [...days.keys()]);
    const today = DateTime.fromJSDate(this.clock.now(), { zone: user.timeZone }).setLocale('en-US');
    return [...days].map(([fileId, expiresInDays]) => {
      const token = mintToken();
      return {
        ...found.get(fileId)!,
        fileId,
        expiresInDays,
        token,
        url: `${this.settings.appUrl}/files/${token}`,
        until: today.plus({ days: expiresInDays }).toFormat('LLL d, yyyy'),
      };
    });
  }

  /** @throws 409 while one is checked, 410 for a deleted one, 422 for one with a virus */
  assertReady(files: readonly MessageFile[]): void {
    for (const { state, name } of files) {
      if (state === 'gone') throw fileDeleted();
      if (state === 'refused') throw fileRefused(name);
      if (state === 'checking') throw fileNotReady(name);
    }
  }

  /**
   * Writes the links of a message in the transaction that accepts it. A deletion of one of the files comes before, and
   * refuses it, or after, and stops the link.
   * @param sendId null: of a test
   * @throws 410 where a file was deleted since it was looked at
   */
  async write(em: EntityManager, userId: string, sendId: string | null, files: readonly LinkedFile[]): Promise<void> {
    if (files.length === 0) return;
    const held = await rows<{ id: string }>(
      em,
      `select id from files where user_id = ? and id = any(?::uuid[]) and deleted_at is null and taken_down_at is null and scan <> 'infected'
       order by id for no key update`,
      [userId, files.map(({ fileId }) => fileId)],
    );
    if (held.length < files.length) throw fileDeleted();
    await changed(
      em,
      `insert into file_links (file_id, user_id, history_id, token, expires_in_days, expires_at)
       select value.file_id, ?::uuid, ?::uuid, value.token, value.days, now() + make_interval(days => value.days)
       from jsonb_to_recordset(?::jsonb) as value(file_id uuid, token text, days int)`,
      [
        userId,
        sendId,
        JSON.stringify(
          files.map(({ fileId, token, expiresInDays }) => ({ file_id: fileId, token, days: expiresInDays })),
        ),
      ],
    );
    await changed(em, `update files set used_at = now() where id = any(?::uuid[])`, [held.map(({ id }) => id)]);
  }

  /** The files that a send linked to and that are still there, for a draft made from it. */
  ofSend(userId: string, sendId: string): Promise<ChosenFile[]> {
    return rows<ChosenFile>(
      this.em.fork(),
      `select l.file_id as "fileId", 'link' as "as", l.expires_in_days as "expiresInDays"
       from file_links l join files f on f.id = l.file_id
       where l.history_id = ? and l.user_id = ? and f.deleted_at is null order by l.id`,
      [sendId, userId],
    );
  }

  private async read(userId: string, ids: readonly string[]): Promise<Map<string, Omit<MessageFile, 'expiresInDays'>>> {
    if (ids.some((id) => !isUuid(id))) throw unknownFile();
    if (ids.length === 0) return new Map();
    const found = await rows<Omit<MessageFile, 'state' | 'expiresInDays'> & FileStateFacts>(
      this.em.fork(),
      `select f.id as "fileId", f.name, f.media_type as "mediaType", f.byte_size as "byteSize", ${STATE_COLUMNS}
       from files f where f.user_id = ? and f.kind = 'document' and f.id = any(?::uuid[])`,
      [userId, ids],
    );
    if (found.length < new Set(ids).size) throw unknownFile();
    return new Map(found.map((file) => [file.fileId, { ...file, state: fileStateOf(file, this.scanner.isOn) }]));
  }
}
