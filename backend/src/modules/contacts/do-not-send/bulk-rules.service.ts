import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { invalid } from '../../../shared/errors/app-error.js';
import type { Client, RequestUser } from '../../../shared/http/index.js';
import { type Address, parseAddress } from '../../../shared/mail/address.js';
import { ONE_LINE } from '../../../shared/text/one-line.js';
import { CONTACT_LIMITS, type DoNotSendReason } from '../contacts.constants.js';
import {
  broadRuleText,
  INVALID_RULE,
  limitReached,
  NO_END_OF_STOPPING,
  ONE_PERSON_STOPS,
  PAST_END,
  RULE_EXISTS,
} from '../contacts.errors.js';
import { Memberships } from '../profiles/memberships.registry.js';
import { type BulkLine, readBulkLines } from './bulk-lines.js';
import type { BulkDoNotSendDto, BulkDoNotSendResultDto, RefusedLineDto } from './do-not-send.dto.js';
import { RuleReach } from './rule-reach.service.js';
import { countDoNotSendRules, insertRules, lockDoNotSendRules, type NewRule } from './rule-rows.js';
import { readRuleValue } from './rule-value.js';
import { readUntil, reasonNamed } from './reason-labels.js';

const MAX_LINES = CONTACT_LIMITS.rules;
const MAX_REFUSED_LINES = 1_000;
/** Maximum number of characters of a refused line in the answer. */
const MAX_SHOWN_LENGTH = 200;

/** The entry that a line adds: a rule, or the withdrawal of a person who asked to stop. */
type Entry = { line: number; rule: NewRule } | { line: number; person: { address: Address; note: string | null } };

/** Adds many do-not-send rules at once, and reports each refused line with the reason. */
@Injectable()
export class BulkRules {
  constructor(
    private readonly em: EntityManager,
    private readonly reach: RuleReach,
    private readonly memberships: Memberships,
    private readonly clock: Clock,
  ) {}

  /** @throws 400 for too many lines */
  async add(
    user: Pick<RequestUser, 'id' | 'timeZone'>,
    { text, reason = 'other' }: BulkDoNotSendDto,
    client: Client,
  ): Promise<BulkDoNotSendResultDto> {
    const lines = readBulkLines(text);
    if (lines.length > MAX_LINES)
      throw invalid('text', `At most ${MAX_LINES.toLocaleString('en-US')} lines can be added at once`);
    const refused: RefusedLineDto[] = [];
    const entries: Entry[] = [];
    for (const line of lines) {
      const read = this.read(line, reason, user.timeZone);
      if (typeof read === 'string')
        refused.push({ line: line.line, value: (line.cells[0] ?? '').slice(0, MAX_SHOWN_LENGTH), reason: read });
      else entries.push(read);
    }
    const broad = await this.reach.broad(
      user.id,
      entries.flatMap((entry) => ('rule' in entry ? [entry.rule] : [])),
    );
    const narrow = entries.filter((entry) => {
      const contacts = 'rule' in entry ? broad.get(entry.rule.value) : undefined;
      if (!('rule' in entry) || contacts === undefined) return true;
      refused.push({ line: entry.line, value: entry.rule.value, reason: broadRuleText(entry.rule.value, contacts) });
      return false;
    });
    const written = await retryDeadlocks(() => this.write(user.id, narrow, client));
    const all = [...refused, ...written.refused].sort((a, b) => a.line - b.line);
    return { added: written.added, withdrawn: written.withdrawn, refused: all.slice(0, MAX_REFUSED_LINES) };
  }

  /** @returns what a line asks for, a rule or a withdrawal, or why the line is refused */
  private read({ line, cells }: BulkLine, otherwise: DoNotSendReason, zone: string): Entry | string {
    const [typed = '', given = '', noted = '', until = ''] = cells;
    const value = readRuleValue(typed);
    if (!value) return INVALID_RULE;
    const reason = given === '' ? otherwise : reasonNamed(given);
    if (!reason) return 'The reason is not one of those on the list';
    if (noted.length > CONTACT_LIMITS.ruleNote || !ONE_LINE.test(noted))
      return `A note is one line of at most ${CONTACT_LIMITS.ruleNote} characters`;
    const note = noted || null;
    if (reason === 'asked_to_stop') {
      const address = value.kind === 'address' ? parseAddress(value.value) : null;
      if (!address) return ONE_PERSON_STOPS;
      return until ? NO_END_OF_STOPPING : { line, person: { address, note } };
    }
    const expiresAt = until ? readUntil(until, zone) : null;
    if (until && (!expiresAt || expiresAt <= this.clock.now())) return PAST_END;
    return { line, rule: { ...value, reason, note, expiresAt } };
  }

  private write(ownerId: string, entries: readonly Entry[], client: Client): Promise<BulkDoNotSendResultDto> {
    return inTransaction(this.em, async (em) => {
      await lockDoNotSendRules(em, ownerId);
      const known = await this.valuesOf(em, ownerId);
      let room = CONTACT_LIMITS.rules - (await countDoNotSendRules(em, ownerId));
      const refused: RefusedLineDto[] = [];
      const rules: NewRule[] = [];
      for (const entry of entries) {
        if (!('rule' in entry)) continue;
        const { line, rule } = entry;
        if (known.has(rule.value)) refused.push({ line, value: rule.value, reason: RULE_EXISTS });
        else if (room <= 0) refused.push({ line, value: rule.value, reason: NO_ROOM_REASON });
        else {
          known.add(rule.value);
          rules.push(rule);
          room--;
        }
      }
      if (rules.length > 0) await insertRules(em, ownerId, rules);
      const people = new Map(
        entries.flatMap((entry) => ('person' in entry ? [[entry.person.address.norm, entry.person]] : [])),
      );
      if (people.size > 0) await this.memberships.lists.withdraw(em, ownerId, [...people.values()], client);
      return { added: rules.length, withdrawn: people.size, refused };
    });
  }

  private async valuesOf(em: EntityManager, ownerId: string): Promise<Set<string>> {
    const found = await rows<{ value: string }>(em, `select value from do_not_send_rules where owner_id = ?`, [
      ownerId,
    ]);
    return new Set(found.map(({ value }) => value));
  }
}

const NO_ROOM_REASON = limitReached('do-not-send rules', CONTACT_LIMITS.rules).message;
