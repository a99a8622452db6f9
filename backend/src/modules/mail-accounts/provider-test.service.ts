import { EntityManager } from '@mikro-orm/postgresql';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { newId } from '../../shared/database/queries/columns.js';
import { rows } from '../../shared/database/queries/rows.js';
import { parseAddress } from '../../shared/mail/address.js';
import { composeMessage } from '../../shared/mail/smtp/bulk-transport.js';
import { accountTransport } from '../../shared/mail/smtp/account-transport.js';
import { PRODUCT_NAME } from '../../shared/enums.js';
import { type Actor, AuditTrail } from '../auth/index.js';
import type { ProviderTestDto } from './provider.dto.js';
import { badTestAddress, secretMissing, unknownProvider } from './mail-account.errors.js';
import { type SmtpFault, verdictOf } from '../../shared/mail/smtp/smtp-verdict.js';
import { ProviderAccounts, type ServedAccount } from './provider-accounts.service.js';
import type { ProviderConfig } from './provider-config.js';

/** Timings of the mail accounts. Tests replace this provider. */
@Injectable()
export class MailAccountTuning {
  /**
   * Maximum duration of a test mail in ms. A failed test at a host that an admin named always takes exactly this long.
   */
  readonly testMailMs: number = 15_000;
}

/**
 * The only answer to a failed test. Detail would tell whoever stole an admin's session which ports of which hosts are
 * open.
 */
const FAILED = 'The mail server did not take the test mail. The log says why.';

/** Sends one test mail through one account, active or not. The cause of a failure is only logged. */
@Injectable()
export class ProviderTest {
  private readonly log = new Logger(ProviderTest.name);

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly accounts: ProviderAccounts,
    private readonly audit: AuditTrail,
    private readonly tuning: MailAccountTuning,
  ) {}

  /** @throws 404 for an unknown account; 400 for an invalid address or if the secret is not configured */
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
    const { ok, answer } = await this.sendTest(row.name, account, address);
    if (actor)
      await this.audit.recordAction(this.em.fork(), actor, {
        kind: 'provider.tested',
        detail: `${row.name}, to ${address}, ${ok ? 'accepted' : 'refused'}: ${answer.slice(0, 200)}`,
      });
    return { ok, answer };
  }

  /** All failures at a host that an admin named take the same time, so that timing reveals nothing about the host. */
  private async sendTest(name: string, account: ServedAccount, address: string): Promise<ProviderTestDto> {
    const limit = this.tuning.testMailMs;
    const transport = accountTransport({
      ...account.options,
      maxConnections: 1,
      connectionTimeout: limit,
      greetingTimeout: limit,
      socketTimeout: limit,
    });
    const end = pause(limit, undefined, { ref: false });
    try {
      const sent = transport.send(await this.message(name, address));
      const { response } = await (account.namedBy === 'admin'
        ? Promise.race([sent, end.then(() => Promise.reject(tooSlow()))])
        : sent);
      this.accounts.worked(account);
      return { ok: true, answer: response };
    } catch (error) {
      this.accounts.failed(account, error as Error);
      const { reason, response, code } = verdictOf(error as SmtpFault);
      this.log.warn(
        { provider: name, answer: response ?? reason, smtpCode: code, err: error, code: 'test_mail_refused' },
        'a test mail was refused',
      );
      if (account.namedBy === 'admin') await end;
      return { ok: false, answer: FAILED };
    } finally {
      transport.close();
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
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    });
  }
}

const tooSlow = (): Error =>
  Object.assign(new Error('the mail server was too slow'), { code: 'ETIMEDOUT', command: 'CONN' });
