import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { storableText } from '../../../shared/database/queries/storable-text.js';
import { type LimiterState, MAX_POLICY_PAUSE_SECONDS, NEVER_USED } from './rate-limit.js';

const MAX_ANSWER_LENGTH = 500;
/**
 * Margin above the longest pause, because a statement may wait for the row while another statement writes the pause.
 */
const SPARE_SECONDS = 60;

/**
 * SQL of the end of a pause; null if it lies further ahead than any pause can. This happens when the database's clock
 * is set back, for example by a failover; the pause would otherwise last until the clock has caught up.
 * @param rates name or alias of provider_rates
 */
export const pausedUntilSql = (rates: string): string =>
  `case when ${rates}.paused_until <= clock_timestamp() + interval '${MAX_POLICY_PAUSE_SECONDS + SPARE_SECONDS} seconds' then ${rates}.paused_until end`;

export type StateChange<T> = (
  states: Map<string, LimiterState>,
  now: number,
) => { states: ReadonlyMap<string, LimiterState>; result: T };

interface Row {
  provider: string;
  nextAt: number;
  usedAt: number;
  cutAt: number;
  pausedUntil: number;
  usedShare: number;
  base: number | null;
  ceiling: number | null;
  goodSeconds: number;
}

const inMs = (time: string, name: string): string =>
  `(extract(epoch from coalesce(${time}, to_timestamp(0))) * 1000)::float8 as "${name}"`;
const COLUMNS = [
  inMs('next_at', 'nextAt'),
  inMs('used_at', 'usedAt'),
  inMs('cut_at', 'cutAt'),
  inMs(pausedUntilSql('provider_rates'), 'pausedUntil'),
  'base',
  'ceiling',
  'good_seconds as "goodSeconds"',
  'used_share as "usedShare"',
].join(', ');

/**
 * Stores limiter states in PostgreSQL, one row per (account, provider), shared by all workers. Uses the database's
 * clock.
 */
@Injectable()
export class RateStore {
  constructor(private readonly em: EntityManager) {}

  /**
   * Locks the states of these providers, applies `change` and stores the result. A provider without a row starts with
   * the state NEVER_USED.
   * @param answer the provider's reply that caused the change, stored with it
   */
  async change<T>(account: string, providers: readonly string[], change: StateChange<T>, answer?: string): Promise<T> {
    const names = JSON.stringify([...new Set(providers)].sort());
    return inTransaction(this.em, async (em) => {
      let found = await this.locked(em, account, names);
      if (found.length < new Set(providers).size) {
        await changed(
          em,
          `insert into provider_rates (account, provider) select ?, p from jsonb_array_elements_text(?::jsonb) p order by p on conflict do nothing`,
          [account, names],
        );
        found = await this.locked(em, account, names);
      }
      const { states, result } = change(
        new Map(found.map((row) => [row.provider, stateOf(row)])),
        found[0]?.now ?? Date.now(),
      );
      await this.write(em, account, states, answer);
      return result;
    });
  }

  /**
   * States of an account that were cut within the last day, and so may still limit its mail. A pause counts as a cut.
   * @param since only states cut after this time, in ms since 1970. States cut within the last minute are always
   * included, because the clock may have been set back since that time
   */
  async active(account: string, since = 0): Promise<Map<string, LimiterState>> {
    const found = await rows<Row>(
      this.em.fork(),
      `select provider, ${COLUMNS} from provider_rates where account = ? and cut_at > greatest(now() - interval '1 day', least(to_timestamp(?::float8 / 1000), now() - interval '1 minute')) limit 10000`,
      [account, since],
    );
    return new Map(found.map((row) => [row.provider, stateOf(row)]));
  }

  private locked(em: EntityManager, account: string, names: string): Promise<(Row & { now: number })[]> {
    return rows(
      em,
      `select provider, ${COLUMNS}, (extract(epoch from clock_timestamp()) * 1000)::float8 as now from provider_rates
       where account = ? and provider in (select jsonb_array_elements_text(?::jsonb)) order by provider for update`,
      [account, names],
    );
  }

  private async write(
    em: EntityManager,
    account: string,
    states: ReadonlyMap<string, LimiterState>,
    answer?: string,
  ): Promise<void> {
    if (states.size === 0) return;
    const values = [...states].map(([provider, { nextAt, usedAt, cutAt, pausedUntil, usedShare, learned }]) => ({
      provider,
      next: nextAt,
      used: usedAt,
      cut: cutAt,
      paused: pausedUntil,
      share: usedShare,
      base: learned?.base ?? null,
      ceiling: learned?.ceiling ?? null,
      good: learned?.goodSeconds ?? 0,
    }));
    await changed(
      em,
      `update provider_rates r set next_at = to_timestamp(s.next / 1000), used_at = to_timestamp(s.used / 1000), cut_at = case when s.cut > 0 then to_timestamp(s.cut / 1000) end,
         paused_until = case when s.paused > 0 then to_timestamp(s.paused / 1000) end, base = s.base, ceiling = s.ceiling, good_seconds = s.good, used_share = s.share, last_answer = coalesce(?, last_answer)
       from jsonb_to_recordset(?::jsonb) as s(provider text, next float8, used float8, cut float8, paused float8, share float8, base float8, ceiling float8, good float8)
       where r.account = ? and r.provider = s.provider`,
      [answer === undefined ? null : storableText(answer, MAX_ANSWER_LENGTH), JSON.stringify(values), account],
    );
  }
}

function stateOf({ nextAt, usedAt, cutAt, pausedUntil, usedShare, base, ceiling, goodSeconds }: Row): LimiterState {
  return {
    ...NEVER_USED,
    nextAt,
    usedAt,
    cutAt,
    pausedUntil,
    usedShare,
    learned: base === null ? null : { base, ceiling, goodSeconds },
  };
}
