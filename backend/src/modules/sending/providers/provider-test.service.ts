import { EntityManager } from '@mikro-orm/postgresql';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { newId } from '../../../shared/database/columns.js';
import { rows } from '../../../shared/database/rows.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { composeMessage } from '../../../shared/mail/bulk-transport.js';
import { SmtpPool } from '../../../shared/mail/smtp-pool.js';
import { PRODUCT_NAME } from '../../../shared/words/product.js';
import { type Actor, AuditTrail } from '../../auth/index.js';
import type { ProviderTestDto } from '../dto/provider.dto.js';
import { badTestAddress, secretMissing, unknownProvider } from '../sending.errors.js';
import { type SmtpFault, verdictOf } from '../smtp-verdict.js';
import { SendingTuning } from '../sending-tuning.js';
import { ProviderAccounts, type ServedAccount } from './provider-accounts.service.js';
import type { ProviderConfig } from './provider-config.js';

/** The one answer to every failed test: what went wrong would tell an admin's thief which ports of which hosts are open. */
const FAILED = 'The mail server did not take the test mail. The log says why.';

/** Sends one mail by one account, active or not. What went wrong stands in the log alone. */
@Injectable()
export class ProviderTest {
  private readonly log = new Logger(ProviderTest.name);

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly accounts: ProviderAccounts,
    private readonly audit: AuditTrail,
    private readonly tuning: SendingTuning,
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

  /** Failures at a host that an admin named all take the same time, however soon they are known. */
  private async handOver(name: string, account: ServedAccount, address: string): Promise<ProviderTestDto> {
    const limit = this.tuning.testMailMs;
    const pool = new SmtpPool({ ...account.options, maxConnections: 1, connectionTimeout: limit, greetingTimeout: limit, socketTimeout: limit });
    const end = pause(limit, undefined, { ref: false });
    try {
      const sent = pool.send(await this.message(name, address));
      const { response } = await (account.namedBy === 'admin' ? Promise.race([sent, end.then(() => Promise.reject(tooSlow()))]) : sent);
      this.accounts.worked(account);
      return { ok: true, answer: response };
    } catch (error) {
      this.accounts.failed(account, error as Error);
      const { reason, response, code } = verdictOf(error as SmtpFault);
      this.log.warn({ provider: name, answer: response ?? reason, smtpCode: code, err: error, code: 'test_mail_refused' }, 'a test mail was not taken');
      if (account.namedBy === 'admin') await end;
      return { ok: false, answer: FAILED };
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

const tooSlow = (): Error => Object.assign(new Error('the mail server was too slow'), { code: 'ETIMEDOUT', command: 'CONN' });
