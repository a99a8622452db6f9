import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isoTime } from '../../shared/text/formats.js';
import { Settings } from '../../shared/config/settings.js';
import { changed, inTransaction, rows } from '../../shared/database/queries/rows.js';
import { MailHostGuard } from '../../shared/mail/smtp/mail-host-guard.js';
import { type Actor, AuditTrail, PasswordChange } from '../auth/index.js';
import { CONFIG_KEYS, type ProviderConfigDto } from './provider-config.dto.js';
import type { AddProviderDto, ChangeProviderDto, MailSecretDto, ProviderDto } from './provider.dto.js';
import { DefaultMailAccount } from './default-mail-account.service.js';
import {
  configRefused,
  passwordWanted,
  providerIsDefault,
  providerNameTaken,
  providerNotActive,
  secretMissing,
  unknownProvider,
  wrongPassword,
} from './mail-account.errors.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import {
  boundHostOf,
  configFault,
  HOST_REFUSED,
  isAddress,
  isSameServer,
  secretOf,
  serverOf,
} from './provider-config.js';

type Row = Omit<ProviderDto, 'isConfigured' | 'config' | 'lastOkAt' | 'lastErrorAt' | 'heldUntil'> & {
  config: ProviderConfigDto | null;
  lastOkAt: Date | string | null;
  lastErrorAt: Date | string | null;
  heldUntil: Date | string | null;
};

const COLUMNS = `id, name, api_key_ref as "apiKeyRef", config, is_default as "isDefault", is_active as "isActive", state, last_ok_at as "lastOkAt",
  last_error_at as "lastErrorAt", last_error as "lastError", case when held_until > now() then held_until end as "heldUntil"`;

/** Lets admins manage the mail accounts. Workers pick up a change within seconds. */
@Injectable()
export class MailProviders {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly accounts: ProviderAccounts,
    private readonly defaultAccount: DefaultMailAccount,
    private readonly audit: AuditTrail,
    private readonly hosts: MailHostGuard,
    private readonly passwords: PasswordChange,
  ) {}

  /** Lists all accounts with their health, the default first. */
  async list(): Promise<ProviderDto[]> {
    return (
      await rows<Row>(this.em, `select ${COLUMNS} from email_providers order by is_default desc, created_at, name`)
    ).map((row) => this.toDto(row));
  }

  /** Lists the settings that can be the secret of an additional account, without their values. */
  secrets(): MailSecretDto[] {
    const secrets = [...this.settings.mailSecrets].map(([name, secret]) => ({
      name,
      isAddress: isAddress(secret),
      host: this.settings.mailHosts.get(name)?.host,
    }));
    return secrets.sort((a, b) => a.name.localeCompare(b.name));
  }

  /** @throws 404 for an unknown account */
  async one(id: string, em = this.em): Promise<ProviderDto> {
    return this.toDto(await this.row(id, em));
  }

  /**
   * Adds an account. Its secret must already exist in the configuration.
   * @throws 409 if the name is taken; 400 if the secret may not be used with the config, or if the password is missing
   * or wrong
   */
  async add(
    { name, apiKeyRef, isActive = true, config = {}, currentPassword }: AddProviderDto,
    actor?: Actor,
  ): Promise<ProviderDto> {
    await this.requireUsable(apiKeyRef, config);
    await this.confirm(currentPassword, actor);
    return inTransaction(this.em, async (em) => {
      const [added] = await rows<{ id: string }>(
        em,
        `insert into email_providers (name, api_key_ref, is_active, config) values (?, ?, ?, ?::jsonb) on conflict (name) do nothing returning id`,
        [name.trim(), apiKeyRef, isActive, JSON.stringify(config)],
      );
      if (!added) throw providerNameTaken();
      if (actor) await this.audit.recordAction(em, actor, { kind: 'provider.added', detail: name.trim() });
      return this.one(added.id, em);
    });
  }

  /**
   * Switches an account on or off, makes it the default, or replaces its config. Stored config keys that the API does
   * not know are kept.
   * @throws 400 if the secret may not be used with the config, or if the config names another server and the password
   * is missing or wrong; 409 if the default would be missing or inactive afterwards
   */
  async change(
    id: string,
    { isActive, isDefault, config, currentPassword }: ChangeProviderDto,
    actor?: Actor,
  ): Promise<ProviderDto> {
    // Checked before the rows are locked, because both checks may be slow. The secret of an account never changes.
    const present = await this.one(id);
    if (config) await this.requireUsable(present.apiKeyRef, config);
    if (config && this.isMoved(present, config)) await this.confirm(currentPassword, actor);
    const after = await inTransaction(this.em, async (em) => {
      // Every change locks all rows first, so that exactly one default account exists at any time and is active.
      await rows(em, `select id from email_providers order by id for update`);
      const row = await this.row(id, em);
      const before = this.toDto(row);
      // A concurrent change replaced the server, so this change now moves the account although no password was asked
      // for.
      if (config && this.isMoved(before, config) && !this.isMoved(present, config)) throw passwordWanted();
      if (isDefault === false && before.isDefault) throw providerIsDefault();
      if (isActive === false && (before.isDefault || isDefault)) throw providerIsDefault();
      if (isDefault && !(isActive ?? before.isActive)) throw providerNotActive();
      if (isDefault)
        await changed(
          em,
          `update email_providers set is_default = false, updated_at = now() where is_default and id <> ?`,
          [id],
        );
      await changed(
        em,
        `update email_providers set is_default = is_default or ?::boolean, is_active = coalesce(?::boolean, is_active), config = coalesce(?::jsonb, config),
           held_until = case when ?::boolean then null else held_until end, updated_at = now() where id = ?`,
        [
          isDefault ?? false,
          isActive ?? null,
          config ? JSON.stringify({ ...foreignKeys(row.config), ...config }) : null,
          isActive === true || config !== undefined,
          id,
        ],
      );
      if (actor)
        await this.audit.recordAction(em, actor, {
          kind: 'provider.changed',
          detail: [before.name, ...actionsOf({ isActive, isDefault, config })].join(', '),
        });
      return this.one(id, em);
    });
    this.accounts.forget();
    this.defaultAccount.forget();
    return after;
  }

  /** Removes an account that is not the default. Its delivery log is kept. */
  async remove(id: string, actor?: Actor): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const [removed] = await rows<{ name: string }>(
        em,
        `delete from email_providers where id = ? and not is_default returning name`,
        [id],
      );
      if (!removed) {
        await this.one(id, em);
        throw providerIsDefault();
      }
      if (actor) await this.audit.recordAction(em, actor, { kind: 'provider.removed', detail: removed.name });
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
    if (server.namedBy === 'admin' && (await this.hosts.isRefused(config.host!)))
      throw configRefused('host', HOST_REFUSED);
  }

  /**
   * Whether a config names a server other than the account's current one. If the secret is an SMTP URL, the secret
   * fixes the server, so the answer is always no.
   */
  private isMoved({ apiKeyRef, config: before }: ProviderDto, config: ProviderConfigDto): boolean {
    if (isAddress(secretOf(this.settings, apiKeyRef) ?? '')) return false;
    return !isSameServer(before, this.shown(apiKeyRef, config));
  }

  /**
   * Requires the admin's password, so that a stolen session cannot redirect mail. Calls without an actor come from the
   * command line and need no password.
   */
  private async confirm(password: string | undefined, actor?: Actor): Promise<void> {
    if (!actor) return;
    if (!password) throw passwordWanted();
    if (!(await this.passwords.confirmed(actor.id, password))) throw wrongPassword();
  }

  /**
   * A config as the API shows it: only the keys that the API knows, with the server that the operator bound the secret
   * to.
   */
  private shown(apiKeyRef: string, stored: ProviderConfigDto): ProviderConfigDto {
    const known = Object.fromEntries(
      CONFIG_KEYS.flatMap((key) => (stored[key] === undefined || stored[key] === null ? [] : [[key, stored[key]]])),
    ) as ProviderConfigDto;
    const { host, port = Number(known.port) || undefined } = boundHostOf(this.settings, apiKeyRef) ?? {
      host: known.host,
    };
    return { ...known, ...(host && { host }), ...(port && { port }) };
  }

  private toDto(row: Row): ProviderDto {
    const config = row.config ?? {};
    return {
      ...row,
      config: this.shown(row.apiKeyRef, config),
      isConfigured: serverOf(this.settings, row.apiKeyRef, config) !== null,
      lastOkAt: isoTime(row.lastOkAt),
      lastErrorAt: isoTime(row.lastErrorAt),
      heldUntil: isoTime(row.heldUntil),
    };
  }
}

/** Keys of a stored config that another version wrote. They are kept when the other keys change. */
const foreignKeys = (stored: object | null): object =>
  Object.fromEntries(Object.entries(stored ?? {}).filter(([key]) => !(CONFIG_KEYS as readonly string[]).includes(key)));

/** Describes the changes for the audit trail. */
const actionsOf = ({ isActive, isDefault, config }: ChangeProviderDto): string[] => [
  ...(isActive === undefined ? [] : [isActive ? 'switched on' : 'switched off']),
  ...(isDefault ? ['made the default'] : []),
  ...(config ? ['reached otherwise'] : []),
];
