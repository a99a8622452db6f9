import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../../shared/database/queries/rows.js';
import type { Reading } from '../../../../shared/metrics/metrics.service.js';
import type { ProviderBacklogDto } from './provider-backlog.dto.js';
import { pausedUntilSql, type ProviderConfig, rateOf } from '../../../mail-accounts/index.js';
import { domainOfHeld, sendOfHeld } from '../policy-refusals.js';
import { providerLimit } from '../provider-limits.js';
import { providerByName, providerLabel } from '../recipient-provider.js';

/** Traffic, limit and backlog of one account at one mailbox provider. */
export interface ProviderBacklog {
  accountId: string;
  account: string;
  provider: string;
  /** Messages per second that the provider accepted in the last full minute. */
  rateNow: number;
  /** The rate that currently applies, in messages per second; null: no limit. */
  perSecond: number | null;
  /** Number of replies in the last hour that asked for a lower rate. */
  refusedLastHour: number;
  /** Number of messages in the backlog. */
  waiting: number;
  /** Seconds since the send that has waited longest was served. */
  unservedSeconds: number;
  /** No message may leave before this time. */
  pausedUntil: Date | string | null;
  lastAnswer: string | null;
}

interface Row extends Omit<ProviderBacklog, 'perSecond'> {
  base: number | null;
  ceiling: number | null;
  goodSeconds: number | null;
  config: ProviderConfig | null;
}

const MAX_BACKLOGS = 200;

/** Reports traffic and backlogs per mailbox provider, for the operations page, the command line and the metrics. */
@Injectable()
export class ProviderBacklogs {
  constructor(private readonly em: EntityManager) {}

  /** Every account and provider with waiting mail, or with traffic in the last hour; the largest backlog first. */
  async list(): Promise<ProviderBacklog[]> {
    const found = await rows<Row>(
      this.em.fork(),
      `with traffic as (
         select account, provider, sum(refused)::int as refused, sum(accepted) filter (where minute = date_trunc('minute', now()) - interval '1 minute') / 60.0 as rate
         from provider_minutes where minute > now() - interval '1 hour' group by account, provider
       ), backlog as (
         select b.account, b.provider, sum(b.waiting)::int as waiting, max(extract(epoch from now() - coalesce(b.served_at, b.created_at))) filter (where b.wake_at <= now()) as unserved
         from delivery_backlogs b join email_history h on h.id = b.history_id where h.status = 'pending' and h.cancelled_at is null group by b.account, b.provider
       ), found as (select account, provider from traffic union select account, provider from backlog)
       select f.account as "accountId", coalesce(p.name, f.account) as account, f.provider, coalesce(t.rate, 0)::float8 as "rateNow", coalesce(t.refused, 0) as "refusedLastHour",
         coalesce(b.waiting, 0) as waiting, coalesce(b.unserved, 0)::float8 as "unservedSeconds", case when r.paused_until > now() then ${pausedUntilSql('r')} end as "pausedUntil", r.last_answer as "lastAnswer",
         case when r.cut_at > now() - interval '1 day' or r.base is null or p.config->>'kind' = 'direct' then r.base end as base, r.ceiling, r.good_seconds as "goodSeconds", p.config
       from found f left join traffic t using (account, provider) left join backlog b using (account, provider) left join provider_rates r using (account, provider)
       left join email_providers p on p.id::text = f.account order by coalesce(b.waiting, 0) desc, f.provider limit ${MAX_BACKLOGS}`,
    );
    return found.map(({ base, ceiling, goodSeconds, config, ...row }) => {
      const { most, start = Infinity } = providerLimit(row.provider, config ?? {});
      const rate = Math.min(
        most,
        base === null ? start : rateOf({ base, ceiling, goodSeconds: goodSeconds ?? 0 }),
        config?.messagesPerSecond ?? Infinity,
      );
      return { ...row, perSecond: rate === Infinity ? null : rate };
    });
  }

  /** The list in the format of the API. */
  async shown(): Promise<ProviderBacklogDto[]> {
    return (await this.list()).map(
      ({ account, provider, rateNow, perSecond, refusedLastHour, waiting, pausedUntil, lastAnswer }) => {
        const paused = pausedUntil ? new Date(pausedUntil) : undefined;
        return {
          account,
          provider: shownName(provider),
          rateNow,
          perSecond,
          refusedLastHour,
          waiting,
          expectedEnd: expectedEnd({ waiting, perSecond, pausedUntil })?.toISOString() ?? null,
          pausedUntil: paused ? paused.toISOString() : null,
          lastAnswer,
        };
      },
    );
  }

  /** Largest value per metrics label, over the backlogs with waiting mail. */
  async gauge(valueOf: (backlog: ProviderBacklog) => number): Promise<Reading[]> {
    const values = new Map<string, number>();
    for (const backlog of await this.recent()) {
      if (backlog.waiting === 0) continue;
      const label = providerLabel(providerByName(domainOfHeld(backlog.provider)) ?? backlog.provider);
      values.set(label, Math.max(values.get(label) ?? 0, valueOf(backlog)));
    }
    return [...values].map(([label, value]) => [{ provider: label }, value] as const);
  }

  /** Reads the list once for all gauges of a scrape. */
  private recent(): Promise<ProviderBacklog[]> {
    if (!this.kept || Date.now() - this.kept.at > 1_000) this.kept = { at: Date.now(), list: this.list() };
    return this.kept.list;
  }
  private kept?: { at: number; list: Promise<ProviderBacklog[]> };
}

/**
 * Display name of a backlog. If a domain refuses the content of one send, that send's mail waits under its own name.
 */
export function shownName(provider: string): string {
  const sendId = sendOfHeld(provider);
  return sendId === undefined ? provider : `${domainOfHeld(provider)} (refused send ${sendId.slice(0, 8)})`;
}

/** @returns when a backlog is expected to be delivered; null if it is empty or no limit applies */
export function expectedEnd({
  waiting,
  perSecond,
  pausedUntil,
}: Pick<ProviderBacklog, 'waiting' | 'perSecond' | 'pausedUntil'>): Date | null {
  if (waiting === 0 || !perSecond) return null;
  const from = Math.max(Date.now(), pausedUntil ? new Date(pausedUntil).getTime() : 0);
  return new Date(from + (waiting / perSecond) * 1000);
}
