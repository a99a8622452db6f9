import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { RuleReason } from '../contacts.constants.js';
import type { RuleValue } from './rule-value.js';
import { RULE_HOLDS } from './rule-sql.js';
import type { HeldRule } from './rule-set.js';

interface RuleRow extends Omit<HeldRule, 'createdAt' | 'expiresAt'> {
  createdAt: Date | string;
  expiresAt: Date | string | null;
}

/** The rules of an account that are in force. */
export async function readActiveRules(em: EntityManager, ownerId: string): Promise<HeldRule[]> {
  const found = await rows<RuleRow>(
    em,
    `select r.kind, r.value, encode(r.address_hash, 'hex') as hash, r.reason, r.created_at as "createdAt", r.expires_at as "expiresAt"
     from do_not_send_rules r where r.owner_id = ? and ${RULE_HOLDS}`,
    [ownerId],
  );
  return found.map(({ createdAt, expiresAt, ...rule }) => ({
    ...rule,
    createdAt: new Date(createdAt),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  }));
}

/** A rule to insert. */
export interface NewRule extends RuleValue {
  reason: RuleReason;
  note: string | null;
  expiresAt: Date | null;
}

/**
 * Serialises transactions that add rules to an account, so that their number stays within the limit. Deletes rules that
 * have ended.
 */
export async function lockDoNotSendRules(em: EntityManager, ownerId: string): Promise<void> {
  await rows(em, `select pg_advisory_xact_lock(hashtextextended('contacts.rules:' || ?, 0))`, [ownerId]);
  await changed(em, `delete from do_not_send_rules where owner_id = ? and expires_at <= now()`, [ownerId]);
}

/** Number of an account's rules. Exact only under `lockDoNotSendRules`, which deletes the rules that have ended. */
export async function countDoNotSendRules(em: EntityManager, ownerId: string): Promise<number> {
  const [found] = await rows<{ n: number }>(em, `select count(*)::int as n from do_not_send_rules where owner_id = ?`, [
    ownerId,
  ]);
  return found?.n ?? 0;
}

/**
 * Adds rules under `lockDoNotSendRules`.
 * @returns the rules that did not exist before
 */
export function insertRules(
  em: EntityManager,
  ownerId: string,
  rules: readonly NewRule[],
): Promise<{ id: string; value: string }[]> {
  const given = rules.map(({ kind, value, companyDomain, addressHash, reason, note, expiresAt }) => ({
    kind,
    value,
    company_domain: companyDomain,
    address_hash: addressHash?.toString('hex') ?? null,
    reason,
    note,
    expires_at: expiresAt?.toISOString() ?? null,
  }));
  return rows(em, INSERT, [ownerId, JSON.stringify(given)]);
}

const INSERT = `
  insert into do_not_send_rules (owner_id, kind, value, company_domain, address_hash, reason, note, expires_at)
  select o.id, g.kind, g.value, g.company_domain, decode(g.address_hash, 'hex'), g.reason, g.note, g.expires_at
  from (select ?::uuid as id) o cross join jsonb_to_recordset(?::jsonb) as g(kind text, value text, company_domain text, address_hash text, reason text, note text, expires_at timestamptz)
  order by g.value on conflict (owner_id, value) do nothing returning id, value`;
