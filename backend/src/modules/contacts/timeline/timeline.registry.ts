import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';

/** Kinds of timeline entries for which screens have a filter. */
export const TIMELINE_KINDS = ['messages', 'consent', 'replies', 'notes'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** The person whose timeline is read. */
export interface TimelineSubject {
  ownerId: string;
  profileId: string;
  emailHash: Buffer;
  emailNorm: string;
  /** The person's address and former addresses, each as typed and in normalised form, in lower case. */
  addresses: string[];
}

/** One entry of a timeline. `key` orders entries with the same time, and is unique over all sources. */
export interface TimelineEntry {
  at: Date;
  key: string;
  kind: TimelineKind | 'profile';
  title: string;
  detail: Record<string, unknown> | null;
  sendId: string | null;
  listId: string | null;
}

/**
 * Position at which a page of a timeline continues. The page holds older entries, and entries of the same time with a
 * smaller key.
 */
export interface TimelinePosition {
  at: Date;
  key: string;
}

/** A source of entries, which is read page by page. Entries are not copied. */
export interface TimelineSource {
  kind: TimelineEntry['kind'];
  /** At most `limit` entries before a position, newest first by (at, key). */
  before(subject: TimelineSubject, place: TimelinePosition | null, limit: number): Promise<TimelineEntry[]>;
}

/** Registry of the sources of a person's timeline. Each module registers its sources at start. */
@Injectable()
export class TimelineSources {
  private readonly sources: TimelineSource[] = [];

  /** Registers sources, at start. */
  add(...sources: TimelineSource[]): void {
    this.sources.push(...sources);
  }

  /** The sources of one kind of entries, or all sources. */
  of(kind?: TimelineKind): TimelineSource[] {
    return kind ? this.sources.filter((source) => source.kind === kind) : [...this.sources];
  }
}

/** Registry of the sources of an account's evidence about a person, by name. */
@Injectable()
export class EvidenceSources {
  private readonly sources = new Map<string, (subject: TimelineSubject) => Promise<unknown[]>>();

  /** Registers a part of the evidence, with its name in the exported file. */
  add(name: string, read: (subject: TimelineSubject) => Promise<unknown[]>): void {
    this.sources.set(name, read);
  }

  /** All parts of the evidence, by name. */
  async of(subject: TimelineSubject): Promise<Record<string, unknown[]>> {
    const found: Record<string, unknown[]> = {};
    for (const [name, read] of this.sources) found[name] = await read(subject);
    return found;
  }
}

/**
 * SQL condition: an entry is older than a position in a timeline. Times are compared in whole milliseconds, as in the
 * cursor.
 * @param key SQL expression of the entry's key
 */
export function olderThan(at: string, key: string, place: TimelinePosition | null): SqlPart {
  if (!place) return { sql: 'true', params: [] };
  const time = place.at.toISOString();
  return {
    sql: `(${at} < ?::timestamptz + interval '1 millisecond' and (date_trunc('milliseconds', ${at}) < ?::timestamptz or (${key}) collate "C" < ?))`,
    params: [time, time, place.key],
  };
}
