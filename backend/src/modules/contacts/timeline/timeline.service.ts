import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { invalid } from '../../../shared/errors/app-error.js';
import type { Page } from '../../../shared/http/index.js';
import { contactNotFound } from '../contacts.errors.js';
import type { TimelineEntryDto, TimelineQuery } from './timeline.dto.js';
import {
  EvidenceSources,
  olderThan,
  type TimelineEntry,
  type TimelinePosition,
  type TimelineSubject,
  type TimelineSource,
  TimelineSources,
} from './timeline.registry.js';

const PAGE_ROWS = 50;
const MAX_KEY = 100;

/** A person's timeline: merges pages of its sources, each of which reads along an index. */
@Injectable()
export class Timeline implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly entries: TimelineSources,
    private readonly sources: EvidenceSources,
  ) {}

  onModuleInit(): void {
    this.entries.add(this.notes, this.profileEvents);
  }

  /**
   * A page of the timeline, newest first.
   * @throws 404
   */
  async page(ownerId: string, profileId: string, query: TimelineQuery): Promise<Omit<Page<TimelineEntryDto>, 'total'>> {
    const subject = await this.subject(ownerId, profileId);
    const place = query.cursor === undefined ? null : readPlace(query.cursor);
    const parts = await Promise.all(
      this.entries.of(query.kind).map((source) => source.before(subject, place, PAGE_ROWS + 1)),
    );
    const merged = parts.flat().sort(newestFirst);
    const shown = merged.slice(0, PAGE_ROWS);
    const last = shown.at(-1);
    return { rows: shown.map(view), next: merged.length > PAGE_ROWS && last ? writePlace(last) : null };
  }

  /**
   * All evidence that the account has about the person, as recorded.
   * @throws 404
   */
  async evidence(ownerId: string, profileId: string): Promise<Record<string, unknown>> {
    const subject = await this.subject(ownerId, profileId);
    return {
      email: subject.emailNorm,
      writtenAt: new Date().toISOString(),
      ...(await this.sources.of(subject)),
    };
  }

  private async subject(ownerId: string, profileId: string): Promise<TimelineSubject> {
    const [found] = await rows<Omit<TimelineSubject, 'ownerId' | 'profileId'>>(
      this.em.fork(),
      `select email_hash as "emailHash", email_norm as "emailNorm",
         array(select email_norm union select lower(email) union
           select lower(v.value) from jsonb_array_elements(earlier_addresses) e cross join lateral jsonb_each_text(e.value) v where v.key in ('email', 'norm')) as addresses
       from contact_profiles where id = ? and owner_id = ?`,
      [profileId, ownerId],
    );
    if (!found) throw contactNotFound();
    return { ownerId, profileId, ...found };
  }

  private readonly notes: TimelineSource = {
    kind: 'notes',
    before: async ({ profileId }, place, limit) => {
      const { sql, params } = olderThan('n.created_at', `'note:' || n.id`, place);
      const found = await rows<{ id: string; body: string; at: string | Date }>(
        this.em.fork(),
        `select n.id, n.body, n.created_at as at from contact_notes n where n.profile_id = ? and ${sql} order by n.created_at desc, n.id desc limit ?`,
        [profileId, ...params, limit],
      );
      return found.map(({ id, body, at }) => ({
        ...NO_LINK,
        at: new Date(at),
        key: `note:${id}`,
        kind: 'notes' as const,
        title: 'Note',
        detail: { noteId: id, body },
      }));
    },
  };

  /** Timeline source for the creation of the profile and its changes of address. */
  private readonly profileEvents: TimelineSource = {
    kind: 'profile',
    before: async ({ profileId }, place, limit) => {
      const [found] = await rows<ProfileRow>(
        this.em.fork(),
        `select source, import_id is not null as "isOfImport", created_at as at, earlier_addresses as earlier from contact_profiles where id = ?`,
        [profileId],
      );
      if (!found) return [];
      const began = { ...NO_LINK, at: new Date(found.at), key: 'profile:0', kind: 'profile' as const, detail: null };
      const entries: TimelineEntry[] = [
        // If an import created the profile, the source of the lists module adds an entry that names the file.
        ...(found.isOfImport ? [] : [{ ...began, title: BEGAN[found.source] ?? 'Added' }]),
        ...found.earlier.map(({ email, at }, index) => ({
          ...NO_LINK,
          at: new Date(at),
          key: `profile:${index + 1}`,
          kind: 'profile' as const,
          title: `Address changed, was ${email}`,
          detail: { was: email },
        })),
      ];
      return entries
        .filter((entry) => !place || newestFirst(place, entry) < 0)
        .sort(newestFirst)
        .slice(0, limit);
    },
  };
}

interface ProfileRow {
  source: string;
  isOfImport: boolean;
  at: string | Date;
  earlier: { email: string; at: string }[];
}

const NO_LINK = { sendId: null, listId: null };
const BEGAN: Readonly<Record<string, string>> = {
  owner: 'Added by hand',
  import: 'Imported from a file',
  public: 'Came by your public page',
  admin: 'Added by an admin',
};

/** Compares positions, the newest first. Keys compare by code unit, like PostgreSQL's "C" collation. */
function newestFirst(a: TimelinePosition, b: TimelinePosition): number {
  return b.at.getTime() - a.at.getTime() || (a.key < b.key ? 1 : a.key > b.key ? -1 : 0);
}

const writePlace = ({ at, key }: TimelinePosition): string =>
  Buffer.from(JSON.stringify([at.getTime(), key])).toString('base64url');

function readPlace(cursor: string): TimelinePosition {
  try {
    const [time, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    const at = new Date(time as number);
    if (typeof time === 'number' && at.getFullYear() > 1900 && typeof key === 'string' && key.length <= MAX_KEY)
      if (!key.includes('\0')) return { at, key };
  } catch {
    // A malformed cursor is refused below.
  }
  throw invalid('cursor', 'The cursor is not valid');
}

const view = ({ at, kind, title, detail, sendId, listId }: TimelineEntry): TimelineEntryDto => ({
  at: at.toISOString(),
  kind,
  title,
  detail,
  ...(sendId && { sendId }),
  ...(listId && { listId }),
});
