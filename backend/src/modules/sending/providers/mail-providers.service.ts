import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/rows.js';
import { type Actor, AuditTrail } from '../../auth/index.js';
import type { AddProviderDto, ChangeProviderDto, MailSecretDto, ProviderConfigDto, ProviderDto } from '../dto/provider.dto.js';
import { EmailProviders } from '../email-providers.service.js';
import { hostMissing, providerIsDefault, providerNameTaken, providerNotActive, secretMissing, unknownProvider } from '../sending.errors.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import { accountUrl, isAddress, secretOf } from './provider-config.js';

type Row = Omit<ProviderDto, 'isConfigured' | 'config' | 'lastOkAt' | 'lastErrorAt' | 'heldUntil'> & {
  config: ProviderConfigDto | null;
  lastOkAt: Date | string | null;
  lastErrorAt: Date | string | null;
  heldUntil: Date | string | null;
};

const COLUMNS = `id, name, api_key_ref as "apiKeyRef", config, is_default as "isDefault", is_active as "isActive", state, last_ok_at as "lastOkAt",
  last_error_at as "lastErrorAt", last_error as "lastError", case when held_until > now() then held_until end as "heldUntil"`;

/** The mail accounts as an admin keeps them. Workers see a change within seconds. */
@Injectable()
export class MailProviders {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly accounts: ProviderAccounts,
    private readonly defaults: EmailProviders,
    private readonly audit: AuditTrail,
  ) {}

  /** All accounts with their health, the default first. */
  async list(): Promise<ProviderDto[]> {
    return (await rows<Row>(this.em, `select ${COLUMNS} from email_providers order by is_default desc, created_at, name`)).map((row) => this.toDto(row));
  }

  /** The settings that a further account may name as its secret. */
  secrets(): MailSecretDto[] {
    return [...this.settings.mailSecrets].map(([name, secret]) => ({ name, isAddress: isAddress(secret) })).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** @throws 404 for an unknown one */
  async one(id: string, em = this.em): Promise<ProviderDto> {
    const [row] = await rows<Row>(em, `select ${COLUMNS} from email_providers where id = ?`, [id]);
    if (!row) throw unknownProvider();
    return this.toDto(row);
  }

  /** Adds an account; its secret has to be configured already. @throws 409 where the name is taken */
  async add({ name, apiKeyRef, isActive = true, config = {} }: AddProviderDto, actor?: Actor): Promise<ProviderDto> {
    this.mustReach(apiKeyRef, config);
    return this.em.fork().transactional(async (em) => {
      const [added] = await rows<{ id: string }>(
        em as EntityManager,
        `insert into email_providers (name, api_key_ref, is_active, config) values (?, ?, ?, ?::jsonb) on conflict (name) do nothing returning id`,
        [name.trim(), apiKeyRef, isActive, JSON.stringify(config)],
      );
      if (!added) throw providerNameTaken();
      if (actor) await this.audit.recordAct(em as EntityManager, actor, { kind: 'provider.added', detail: name.trim() });
      return this.one(added.id, em as EntityManager);
    });
  }

  /** Switches on or off, makes the default, changes how it is reached. */
  async change(id: string, { isActive, isDefault, config }: ChangeProviderDto, actor?: Actor): Promise<ProviderDto> {
    const after = await this.em.fork().transactional(async (em) => {
      // Everyone who changes accounts waits here: there is always exactly one default, and it is active.
      await rows(em as EntityManager, `select id from email_providers order by id for update`);
      const before = await this.one(id, em as EntityManager);
      if (config) this.mustReach(before.apiKeyRef, config);
      if (isDefault === false && before.isDefault) throw providerIsDefault();
      if (isActive === false && (before.isDefault || isDefault)) throw providerIsDefault();
      if (isDefault && !(isActive ?? before.isActive)) throw providerNotActive();
      if (isDefault) await changed(em as EntityManager, `update email_providers set is_default = false, updated_at = now() where is_default and id <> ?`, [id]);
      await changed(
        em as EntityManager,
        `update email_providers set is_default = is_default or ?::boolean, is_active = coalesce(?::boolean, is_active), config = coalesce(?::jsonb, config),
           held_until = case when ?::boolean then null else held_until end, updated_at = now() where id = ?`,
        [isDefault ?? false, isActive ?? null, config ? JSON.stringify(config) : null, isActive === true || config !== undefined, id],
      );
      if (actor) await this.audit.recordAct(em as EntityManager, actor, { kind: 'provider.changed', detail: [before.name, ...actsOf({ isActive, isDefault, config })].join(', ') });
      return this.one(id, em as EntityManager);
    });
    this.accounts.forget();
    this.defaults.forget();
    return after;
  }

  /** Removes an account that is not the default; the deliveries it made keep their log. */
  async remove(id: string, actor?: Actor): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const [removed] = await rows<{ name: string }>(em as EntityManager, `delete from email_providers where id = ? and not is_default returning name`, [id]);
      if (!removed) {
        await this.one(id, em as EntityManager);
        throw providerIsDefault();
      }
      if (actor) await this.audit.recordAct(em as EntityManager, actor, { kind: 'provider.removed', detail: removed.name });
    });
    this.accounts.forget();
  }

  private mustReach(apiKeyRef: string, config: ProviderConfigDto): void {
    if (!secretOf(this.settings, apiKeyRef)) throw secretMissing(apiKeyRef);
    if (!accountUrl(this.settings, apiKeyRef, config)) throw hostMissing();
  }

  private toDto(row: Row): ProviderDto {
    const config = row.config ?? {};
    return {
      ...row, config, isConfigured: accountUrl(this.settings, row.apiKeyRef, config) !== null,
      lastOkAt: iso(row.lastOkAt), lastErrorAt: iso(row.lastErrorAt), heldUntil: iso(row.heldUntil),
    };
  }
}

/** What was changed, in words. */
const actsOf = ({ isActive, isDefault, config }: ChangeProviderDto): string[] => [
  ...(isActive === undefined ? [] : [isActive ? 'switched on' : 'switched off']), ...(isDefault ? ['made the default'] : []), ...(config ? ['reached otherwise'] : []),
];

const iso = (time: Date | string | null): string | null => time && new Date(time).toISOString();
