import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from '../../../shared/http/index.js';
import { ConsentEvent, type ConsentEventKind } from '../entities/consent-event.entity.js';

/** Version of the wording of forms and confirmation mails; increase it with every change. */
export const WORDING_VERSION = '2026-11';

export interface ConsentFact {
  kind: ConsentEventKind;
  how: string;
  addressHash: Buffer;
  addressNorm?: string | null;
  contactId?: string | null;
  emailListId?: string | null;
  ownerId?: string | null;
  form?: string | null;
  client?: Client | null;
  details?: Record<string, unknown> | null;
}

/** Writes entries of the consent log within the caller's transaction. */
export async function recordConsent(em: EntityManager, ...facts: ConsentFact[]): Promise<void> {
  if (facts.length === 0) return;
  await em.insertMany(
    ConsentEvent,
    facts.map(({ client, ...fact }) => ({
      ...fact,
      wordingVersion: WORDING_VERSION,
      ip: client?.ip ?? null,
      userAgent: client?.userAgent ?? null,
    })),
  );
}
