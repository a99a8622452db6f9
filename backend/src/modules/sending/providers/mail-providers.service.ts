import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/rows.js';
import { MailHostGuard } from '../../../shared/mail/mail-host-guard.js';
import { type Actor, AuditTrail, PasswordChange } from '../../auth/index.js';
import { type AddProviderDto, type ChangeProviderDto, CONFIG_KEYS, type MailSecretDto, type ProviderConfigDto, type ProviderDto } from '../dto/provider.dto.js';
import { EmailProviders } from '../email-providers.service.js';
import { configRefused, passwordWanted, providerIsDefault, providerNameTaken, providerNotActive, secretMissing, unknownProvider, wrongPassword } from '../sending.errors.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import { boundHostOf, configFault, HOST_REFUSED, isAddress, isSameServer, secretOf, serverOf } from './provider-config.js';

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
    private readonly hosts: MailHostGuard,
    private readonly passwords: PasswordChange,
  ) {}

  /** All accounts with their health, the default first. */
  async list(): Promise<ProviderDto[]> {
    return (await rows<Row>(this.em, `select ${COLUMNS} from email_providers order by is_default desc, created_at, name`)).map((row) => this.toDto(row));
  }

  /** The settings that a further account may name as its secret. */
  secrets(): MailSecretDto[] {
    const secrets = [...this.settings.mailSecrets].map(([name, secret]) => ({ name, isAddress: isAddress(secret), host: this.settings.mailHosts.get(name)?.host }));
    return secrets.sort((a, b) => a.name.localeCompare(b.name));
  }

  /** @throws 404 for an unknown one */
  async one(id: string, em = this.em): Promise<ProviderDto> {
    return this.toDto(await this.row(id, em));
  }

  /**
   * Adds an account; its secret has to be configured already.
   * @throws 409 where the name is taken, 400 for a config that its secret may not be used with, or a wrong password
   */
  async add({ name, apiKeyRef, isActive = true, config = {}, currentPassword }: AddProviderDto, actor?: Actor): Promise<ProviderDto> {
    await this.requireUsable(apiKeyRef, config);
    await this.confirm(currentPassword, actor);
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

  /**
   * Switches on or off, makes the default, changes how it is reached. Keys of the stored config that the API does not know stay.
   * @throws 400 for a config that its secret may not be used with, or where another server is named without the right password
   */
  async change(id: string, { isActive, isDefault, config, currentPassword }: ChangeProviderDto, actor?: Actor): Promise<ProviderDto> {
    // Checked before the rows are locked: both may take a while, and an account's secret never changes.
    const present = await this.one(id);
    if (config) await this.requireUsable(present.apiKeyRef, config);
    if (config && this.isMoved(present, config)) await this.confirm(currentPassword, actor);
    const after = await this.em.fork().transactional(async (em) => {
      // Everyone who changes accounts waits here: there is always exactly one default, and it is active.
      await rows(em as EntityManager, `select id from email_providers order by id for update`);
      const row = await this.row(id, em as EntityManager);
      const before = this.toDto(row);
      // Somebody else named another server meanwhile: what was confirmed was not this change.
      if (config && this.isMoved(before, config) && !this.isMoved(present, config)) throw passwordWanted();
      if (isDefault === false && before.isDefault) throw providerIsDefault();
      if (isActive === false && (before.isDefault || isDefault)) throw providerIsDefault();
      if (isDefault && !(isActive ?? before.isActive)) throw providerNotActive();
      if (isDefault) await changed(em as EntityManager, `update email_providers set is_default = false, updated_at = now() where is_default and id <> ?`, [id]);
      await changed(
        em as EntityManager,
        `update email_providers set is_default = is_default or ?::boolean, is_active = coalesce(?::boolean, is_active), config = coalesce(?::jsonb, config),
           held_until = case when ?::boolean then null else held_until end, updated_at = now() where id = ?`,
        [isDefault ?? false, isActive ?? null, config ? JSON.stringify({ ...foreignKeys(row.config), ...config }) : null, isActive === true || config !== undefined, id],
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

  private async row(id: string, em: EntityManager): Promise<Row> {
    const [row] = await rows<Row>(em, `select ${COLUMNS} from email_providers where id = ?`, [id]);
    if (!row) throw unknownProvider();
    return row;
  }

  private async requireUsable(apiKeyRef: string, config: ProviderConfigDto): Promise<void> {
    if (!secretOf(this.settings, apiKeyRef)) throw secretMissing(apiKeyRef);
    const fault = configFault(this.settings, apiKeyRef, config);
    if (fault) throw configRefused(fault.field, fault.message);
    const server = serverOf(this.settings, apiKeyRef, config);
    if (!server) throw configRefused('host', HOST_REFUSED);
    if (server.namedBy === 'admin' && (await this.hosts.isRefused(config.host!))) throw configRefused('host', HOST_REFUSED);
  }

  /** Whether a config leads elsewhere than the account does now; a whole address leads where it says, whatever the config repeats. */
  private isMoved({ apiKeyRef, config: before }: ProviderDto, config: ProviderConfigDto): boolean {
    if (isAddress(secretOf(this.settings, apiKeyRef) ?? '')) return false;
    return !isSameServer(before, this.shown(apiKeyRef, config));
  }

  /** A stolen session must not be enough to lead mail elsewhere. Without an actor nobody asked over the network. */
  private async confirm(password: string | undefined, actor?: Actor): Promise<void> {
    if (!actor) return;
    if (!password) throw passwordWanted();
    if (!(await this.passwords.confirmed(actor.id, password))) throw wrongPassword();
  }

  /** A config as the API shows it: the keys it knows, and the server that the operator bound the secret to. */
  private shown(apiKeyRef: string, stored: ProviderConfigDto): ProviderConfigDto {
    const known = Object.fromEntries(CONFIG_KEYS.flatMap((key) => (stored[key] === undefined || stored[key] === null ? [] : [[key, stored[key]]]))) as ProviderConfigDto;
    const { host, port = Number(known.port) || undefined } = boundHostOf(this.settings, apiKeyRef) ?? { host: known.host };
    return { ...known, ...(host && { host }), ...(port && { port }) };
  }

  private toDto(row: Row): ProviderDto {
    const config = row.config ?? {};
    return {
      ...row, config: this.shown(row.apiKeyRef, config), isConfigured: serverOf(this.settings, row.apiKeyRef, config) !== null,
      lastOkAt: iso(row.lastOkAt), lastErrorAt: iso(row.lastErrorAt), heldUntil: iso(row.heldUntil),
    };
  }
}

/** Keys of a stored config that are not the API's, from an older or newer version: a change of the others keeps them. */
const foreignKeys = (stored: object | null): object => Object.fromEntries(Object.entries(stored ?? {}).filter(([key]) => !(CONFIG_KEYS as readonly string[]).includes(key)));

/** What was changed, in words. */
const actsOf = ({ isActive, isDefault, config }: ChangeProviderDto): string[] => [
  ...(isActive === undefined ? [] : [isActive ? 'switched on' : 'switched off']), ...(isDefault ? ['made the default'] : []), ...(config ? ['reached otherwise'] : []),
];

const iso = (time: Date | string | null): string | null => time && new Date(time).toISOString();
