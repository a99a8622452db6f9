import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { changed, inTransaction } from '../../../shared/database/queries/rows.js';
import { invalid } from '../../../shared/errors/app-error.js';
import type { Client, RequestUser } from '../../../shared/http/index.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { isoTime } from '../../../shared/text/formats.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';
import {
  broadRule,
  invalidRule,
  limitReached,
  NO_END_OF_STOPPING,
  ONE_PERSON_STOPS,
  PAST_END,
  ruleExists,
  ruleNotFound,
} from '../contacts.errors.js';
import { Memberships } from '../profiles/memberships.registry.js';
import type { CreateDoNotSendDto, DoNotSendAddedDto, DoNotSendRuleDto, UpdateDoNotSendDto } from './do-not-send.dto.js';
import { RuleReader } from './rule-reader.service.js';
import { countDoNotSendRules, insertRules, lockDoNotSendRules } from './rule-rows.js';
import { RuleReach } from './rule-reach.service.js';
import { readRuleValue, type RuleValue } from './rule-value.js';
import { readUntil } from './reason-labels.js';

type Author = Pick<RequestUser, 'id' | 'timeZone'>;

/** Adds, changes and deletes single do-not-send rules. */
@Injectable()
export class RuleEditor {
  constructor(
    private readonly em: EntityManager,
    private readonly reader: RuleReader,
    private readonly reach: RuleReach,
    private readonly memberships: Memberships,
    private readonly clock: Clock,
  ) {}

  /** @throws 400, 409 if the rule already exists, or covers so many contacts that it has to be confirmed */
  async add(user: Author, body: CreateDoNotSendDto, client: Client): Promise<DoNotSendAddedDto> {
    const value = readRuleValue(body.value);
    if (!value) throw invalidRule();
    const { reason, note = null } = body;
    if (reason === 'asked_to_stop') return this.withdraw(user, value, body, client);
    const expiresAt = this.endOf(user, body.until);
    if (!body.confirm) await this.refuseBroad(user.id, value);
    const id = await inTransaction(this.em, async (em) => {
      await lockDoNotSendRules(em, user.id);
      const [added] = await insertRules(em, user.id, [{ ...value, reason, note, expiresAt }]);
      if (!added) throw ruleExists();
      if ((await countDoNotSendRules(em, user.id)) > CONTACT_LIMITS.rules)
        throw limitReached('do-not-send rules', CONTACT_LIMITS.rules);
      return added.id;
    });
    return this.reader.one(user.id, id);
  }

  /** @throws 404, 400 for an end that is in the past */
  async update(user: Author, id: string, body: UpdateDoNotSendDto): Promise<DoNotSendRuleDto> {
    const expiresAt = this.endOf(user, body.until);
    const done = await changed(
      this.em.fork(),
      `update do_not_send_rules set reason = coalesce(?::text, reason), note = case when ? then ?::text else note end,
         expires_at = case when ? then ?::timestamptz else expires_at end where id = ? and owner_id = ?`,
      [
        body.reason ?? null,
        body.note !== undefined,
        body.note ?? null,
        body.until !== undefined,
        expiresAt?.toISOString() ?? null,
        id,
        user.id,
      ],
    );
    if (done === 0) throw ruleNotFound();
    return this.reader.one(user.id, id);
  }

  /** @throws 404 */
  async remove(ownerId: string, id: string): Promise<void> {
    const gone = await changed(this.em.fork(), `delete from do_not_send_rules where id = ? and owner_id = ?`, [
      id,
      ownerId,
    ]);
    if (gone === 0) throw ruleNotFound();
  }

  /** A person's request to stop is recorded as a withdrawal of consent, which the account cannot take back. */
  private async withdraw(
    { id: ownerId }: Author,
    { kind, value }: RuleValue,
    { note = null, until }: CreateDoNotSendDto,
    client: Client,
  ): Promise<DoNotSendAddedDto> {
    const address = kind === 'address' ? parseAddress(value) : null;
    if (!address) throw invalid('value', ONE_PERSON_STOPS);
    if (until) throw invalid('until', NO_END_OF_STOPPING);
    await retryDeadlocks(() =>
      inTransaction(this.em, (em) => this.memberships.lists.withdraw(em, ownerId, [{ address, note }], client)),
    );
    return {
      id: null,
      kind,
      value,
      reason: 'asked_to_stop',
      note,
      until: null,
      createdAt: isoTime(this.clock.now()),
      matches: await this.reach.of(ownerId, { kind, value, addressHash: address.hash, companyDomain: null }),
    };
  }

  private async refuseBroad(ownerId: string, value: RuleValue): Promise<void> {
    const contacts = (await this.reach.broad(ownerId, [value])).get(value.value);
    if (contacts !== undefined) throw broadRule(value.value, contacts);
  }

  private endOf({ timeZone }: Author, until: string | null | undefined): Date | null {
    if (!until) return null;
    const end = readUntil(until, timeZone);
    if (!end || end <= this.clock.now()) throw invalid('until', PAST_END);
    return end;
  }
}
