import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { newId } from '../../../shared/database/columns.js';
import { rows } from '../../../shared/database/rows.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { composeMessage } from '../../../shared/mail/bulk-transport.js';
import type { MailAccount } from '../../../shared/mail/mail-accounts.js';
import { SmtpPool } from '../../../shared/mail/smtp-pool.js';
import { PRODUCT_NAME } from '../../../shared/words/product.js';
import { type Actor, AuditTrail } from '../../auth/index.js';
import type { ProviderTestDto } from '../dto/provider.dto.js';
import { badTestAddress, secretMissing, unknownProvider } from '../sending.errors.js';
import { type SmtpFault, verdictOf } from '../smtp-verdict.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import type { ProviderConfig } from './provider-config.js';

const PATIENCE_MS = 15_000;

/** Sends one mail by one account, active or not, and tells what the server said. */
@Injectable()
export class ProviderTest {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly accounts: ProviderAccounts,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws 404 for an unknown account, 400 for an address that cannot be mailed or a secret that is not configured */
  async send(id: string, to: string, actor?: Actor): Promise<ProviderTestDto> {
    const address = parseAddress(to)?.address;
    if (!address) throw badTestAddress();
    const [row] = await rows<{ id: string; name: string; apiKeyRef: string; config: ProviderConfig | null }>(
      this.em,
      `select id, name, api_key_ref as "apiKeyRef", config from email_providers where id = ?`,
      [id],
    );
    if (!row) throw unknownProvider();
    const account = this.accounts.accountOf(row);
    if (!account) throw secretMissing(row.apiKeyRef);
    const { ok, answer } = await this.handOver(row.name, account, address);
    if (actor) await this.audit.recordAct(this.em.fork(), actor, { kind: 'provider.tested', detail: `${row.name}, to ${address}, ${ok ? 'accepted' : 'refused'}: ${answer.slice(0, 200)}` });
    return { ok, answer };
  }

  private async handOver(name: string, account: MailAccount, address: string): Promise<ProviderTestDto> {
    const pool = new SmtpPool({ ...account.options, maxConnections: 1, connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS });
    try {
      const { response } = await pool.send(await this.message(name, address));
      this.accounts.worked(account);
      return { ok: true, answer: response };
    } catch (error) {
      this.accounts.failed(account, error as Error);
      const { reason, response, code } = verdictOf(error as SmtpFault);
      return { ok: false, answer: response ?? (code ? `${reason} (${code})` : reason) };
    } finally {
      pool.close();
    }
  }

  private message(name: string, to: string) {
    const { mailFrom, mailDomain } = this.settings;
    return composeMessage({
      from: { name: PRODUCT_NAME, address: mailFrom },
      to: { name: '', address: to },
      envelope: { from: mailFrom, to: [to] },
      subject: `Test mail by the account "${name}"`,
      text: `This mail went out by the mail account "${name}" of ${PRODUCT_NAME}.\nIts headers show whether SPF, DKIM and DMARC pass.\n`,
      messageId: `<${newId()}@${mailDomain}>`,
      xMailer: false, disableFileAccess: true, disableUrlAccess: true,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    });
  }
}
