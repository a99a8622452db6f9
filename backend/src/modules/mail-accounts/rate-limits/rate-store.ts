import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { storableText } from '../../../shared/database/queries/storable-text.js';
import { type LimiterState, MAX_POLICY_PAUSE_SECONDS, NEVER_USED } from './rate-limit.js';

const MAX_ANSWER_LENGTH = 500;
/** Beyond the longest pause, for a statement that waits for a row whose pause another one writes. */
const SPARE_SECONDS = 60;

/**
 * The end of a pause. One further ahead than any that is written is over: the clock was set back, as a database server
 * that takes over may do, and nothing else would end the pause before the clock is there again.
 * @param rates the name or alias of provider_rates
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

/** Stores limiter states in PostgreSQL, one row per (account, provider), and uses its clock. All workers share them. */
@Injectable()
export class RateStore {
  constructor(private readonly em: EntityManager) {}

  /**
   * Locks the states of these providers, applies `change` and stores the result with the provider's reply that caused
   * it. A provider without a row has the state NEVER_USED.
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
   * States of an account that limit mail: cut within a day. A pause is a cut.
   * @param since only those cut after this time, in ms since 1970. A time that is still to come was taken before the
   * clock was set back; then those of the last minute count.
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
