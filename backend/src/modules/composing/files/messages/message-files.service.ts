import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../../../../shared/clock/clock.js';
import { Settings } from '../../../../shared/config/settings.js';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../../shared/http/index.js';
import { isUuid } from '../../../../shared/text/formats.js';
import { mintToken } from '../../../../shared/tokens/tokens.js';
import { fileDeleted, fileNotReady, fileRefused, unknownFile } from '../../composing.errors.js';
import { type ChosenFile, type FileWay } from './chosen-files.dto.js';
import { DEFAULT_LINK_DAYS, type LinkDays } from '../links/file-link.entity.js';
import type { SentFileDto } from './sent-file.dto.js';
import { type FileState, fileStateOf, type FileStateFacts, STATE_COLUMNS } from '../file-state.js';
import { type FileType } from '../stored-file.entity.js';
import { VirusScanner } from '../scans/virus-scanner.js';

/** A file that goes with a message. */
export interface MessageFile {
  fileId: string;
  as: FileWay;
  /** Name of the file; empty once it is deleted. */
  name: string;
  mediaType: FileType;
  byteSize: number;
  state: FileState;
  expiresInDays: LinkDays;
}

/** A file with its link in one message. An attached file has a link only if the text links to it. */
export interface PreparedFile extends MessageFile {
  /** Token of the link; null if the message has no link to the file. */
  token: string | null;
  /** URL of the page that the link leads to; empty if the message has no link to the file. */
  url: string;
  /** Last day on which the link works, in the sender's time zone, such as 'Dec 21, 2026'. */
  until: string;
}

/** Total size in bytes of the attached files of a message. */
export const attachedBytes = (files: readonly MessageFile[]): number =>
  files.reduce((sum, { as, byteSize }) => sum + (as === 'attachment' ? byteSize : 0), 0);

/** SQL: the files of a send, each once, with its attachment, its link or both. */
const SENT_FILES = `from (select * from send_attachments where history_id = ?) a
       full join (select * from file_links where history_id = ?) l on l.file_id = a.file_id
       join files f on f.id = coalesce(a.file_id, l.file_id)`;

/** The files of messages: reads them, creates their links, and checks that they can be sent. */
@Injectable()
export class MessageFiles {
  constructor(
    private readonly em: EntityManager,
    private readonly scanner: VirusScanner,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws 404 if one of the files belongs to another user; deleted files still count as the user's own */
  async assertOwn(userId: string, ids: readonly string[]): Promise<void> {
    await this.read(userId, ids);
  }

  /**
   * The files of a message, with new links: first the chosen files in their order, then files to which only the text
   * links.
   * @param linkedIds ids of files to which the document links
   * @throws 404 if one of them is not the user's
   */
  async prepare(
    user: Pick<RequestUser, 'id' | 'timeZone'>,
    chosen: readonly ChosenFile[],
    linkedIds: readonly string[],
  ): Promise<PreparedFile[]> {
    const byId = new Map(chosen.map((file) => [file.fileId, file]));
    for (const fileId of linkedIds)
      if (!byId.has(fileId)) byId.set(fileId, { fileId, as: 'link', expiresInDays: DEFAULT_LINK_DAYS });
    const found = await this.read(user.id, [...byId.keys()]);
    const placed = new Set(linkedIds);
    const today = DateTime.fromJSDate(this.clock.now(), { zone: user.timeZone }).setLocale('en-US');
    return [...byId.values()].map(({ fileId, as, expiresInDays }) => {
      const token = as === 'link' || placed.has(fileId) ? mintToken() : null;
      return {
        ...found.get(fileId)!,
        fileId,
        as,
        expiresInDays,
        token,
        url: token === null ? '' : `${this.settings.appUrl}/files/${token}`,
        until: today.plus({ days: expiresInDays }).toFormat('LLL d, yyyy'),
      };
    });
  }

  /** @throws 409 while a file is being checked, 410 for a deleted file, 422 for a file with a virus */
  assertReady(files: readonly MessageFile[]): void {
    for (const { state, name } of files) {
      if (state === 'gone') throw fileDeleted();
      if (state === 'refused') throw fileRefused(name);
      if (state === 'checking') throw fileNotReady(name);
    }
  }

  /**
   * Writes the links and attachments of a message, in the transaction that accepts the message. Locks the files. If a
   * file was deleted before, this call fails; a later deletion stops the link and leaves the attached bytes until the
   * send has ended.
   * @param sendId null for a test, which gets links that work for one day, and no attachments
   * @returns total bytes of the attached files, which may have been replaced since the message was checked; 0 for a
   * test
   * @throws 410 if a file was deleted, taken down or found infected since the message was checked
   */
  async write(
    em: EntityManager,
    userId: string,
    sendId: string | null,
    files: readonly PreparedFile[],
  ): Promise<number> {
    if (files.length === 0) return 0;
    const held = await rows<{ id: string }>(
      em,
      `select id from files where user_id = ? and id = any(?::uuid[]) and deleted_at is null and taken_down_at is null and scan <> 'infected'
       order by id for no key update`,
      [userId, files.map(({ fileId }) => fileId)],
    );
    if (held.length < files.length) throw fileDeleted();
    const linked = files.filter(({ token }) => token !== null);
    if (linked.length > 0)
      await changed(
        em,
        `insert into file_links (file_id, user_id, history_id, token, expires_in_days, expires_at)
         select value.file_id, ?::uuid, ?::uuid, value.token, value.days, now() + case when ?::uuid is null then interval '1 day' else make_interval(days => value.days) end
         from jsonb_to_recordset(?::jsonb) as value(file_id uuid, token text, days int)`,
        [
          userId,
          sendId,
          sendId,
          JSON.stringify(
            linked.map(({ fileId, token, expiresInDays }) => ({ file_id: fileId, token, days: expiresInDays })),
          ),
        ],
      );
    const bytes = sendId ? await this.attach(em, sendId, files) : 0;
    await changed(em, `update files set used_at = now() where id = any(?::uuid[])`, [held.map(({ id }) => id)]);
    return bytes;
  }

  /** The files that were chosen for a send, for a draft that copies it; without deleted files. */
  ofSend(userId: string, sendId: string): Promise<ChosenFile[]> {
    return rows<ChosenFile>(
      this.em.fork(),
      `select f.id as "fileId", case when a.file_id is null then 'link' else 'attachment' end as "as", coalesce(l.expires_in_days, ${DEFAULT_LINK_DAYS}) as "expiresInDays"
       ${SENT_FILES} where f.user_id = ? and f.deleted_at is null order by a.position nulls last, l.id`,
      [sendId, sendId, userId],
    );
  }

  /** The files of a send, for its report. */
  shownOf(userId: string, sendId: string): Promise<SentFileDto[]> {
    return rows<SentFileDto>(
      this.em.fork(),
      `select f.id as "fileId", case when a.file_id is null then 'link' else 'attachment' end as "as", case when f.deleted_at is null then coalesce(a.name, f.name) else '' end as name,
         coalesce(a.media_type, f.media_type) as "mediaType", coalesce(a.byte_size, f.byte_size) as "byteSize", l.downloads, l.automated
       ${SENT_FILES} where f.user_id = ? order by a.position nulls last, l.id`,
      [sendId, sendId, userId],
    );
  }

  /**
   * Copies name, type, size and storage key of the attached files to the send. The caller holds locks on the rows of
   * the files.
   * @returns total bytes
   */
  private async attach(em: EntityManager, sendId: string, files: readonly PreparedFile[]): Promise<number> {
    const ids = files.filter(({ as }) => as === 'attachment').map(({ fileId }) => fileId);
    if (ids.length === 0) return 0;
    const attached = await rows<{ byteSize: number }>(
      em,
      `insert into send_attachments (history_id, position, file_id, name, media_type, byte_size, storage_key)
       select ?::uuid, chosen.position - 1, f.id, f.name, f.media_type, f.byte_size, f.storage_key
       from unnest(?::uuid[]) with ordinality as chosen(id, position) join files f on f.id = chosen.id
       returning byte_size as "byteSize"`,
      [sendId, ids],
    );
    return attached.reduce((sum, { byteSize }) => sum + byteSize, 0);
  }

  private async read(
    userId: string,
    ids: readonly string[],
  ): Promise<Map<string, Omit<MessageFile, 'as' | 'expiresInDays'>>> {
    if (ids.some((id) => !isUuid(id))) throw unknownFile();
    if (ids.length === 0) return new Map();
    const found = await rows<Omit<MessageFile, 'as' | 'state' | 'expiresInDays'> & FileStateFacts>(
      this.em.fork(),
      `select f.id as "fileId", f.name, f.media_type as "mediaType", f.byte_size as "byteSize", ${STATE_COLUMNS}
       from files f where f.user_id = ? and f.kind = 'document' and f.id = any(?::uuid[])`,
      [userId, ids],
    );
    if (found.length < new Set(ids).size) throw unknownFile();
    return new Map(found.map((file) => [file.fileId, { ...file, state: fileStateOf(file, this.scanner.isOn) }]));
  }
}
