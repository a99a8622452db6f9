import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/rows.js';
import type { Client } from '../../../shared/http/index.js';
import { hashToken, isTokenShaped, mintToken } from '../../../shared/tokens/tokens.js';
import type { SuppressionReason } from '../../../shared/words/suppression.js';
import { AskOptOut, type AskKind } from '../entities/ask-opt-out.entity.js';
import { unknownOptOut } from '../lists.errors.js';
import { type Evidence, Suppressions } from '../suppressions.service.js';
import { INVITE_MAIL } from './mail-kinds.js';

/** The links of one mail that end all such mail. */
export interface OptOutLink {
  token: string;
  /** The page with the button; a mail program POSTs to the same address (RFC 8058). */
  url: string;
}

/** Mailboxes that said "never ask me again", to confirmation mails and invites alike, whoever sends them. */
@Injectable()
export class AskOptOuts {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly suppressions: Suppressions,
  ) {}

  /** Links for new mails, one each, within the caller's transaction; in the order of the recipients. */
  async mint(em: EntityManager, kind: AskKind, recipients: readonly { addressHash: Buffer; mailboxHash: Buffer }[]): Promise<OptOutLink[]> {
    const links = recipients.map((recipient) => ({ ...recipient, token: mintToken() }));
    if (links.length > 0) await em.insertMany(AskOptOut, links.map(({ token, ...hashes }) => ({ ...hashes, token: hashToken(token), kind })));
    return links.map(({ token }) => ({ token, url: `${this.settings.appUrl}/never-ask/${token}` }));
  }

  /**
   * Nobody asks the mailbox of this link again. The link of a confirmation mail also takes its address off everything, like "leave
   * everything"; that of an invite leaves alone what the person subscribed to. Again changes nothing. @throws 404 `token_invalid`
   */
  async optOut(token: string, how: 'page' | 'one-click', client: Client): Promise<AskKind> {
    if (!isTokenShaped(token)) throw unknownOptOut();
    return this.em.fork().transactional(async (em) => {
      const [link] = await rows<{ kind: AskKind; addressHash: Buffer; isNew: boolean }>(em, OPT_OUT, [hashToken(token)]);
      if (!link) throw unknownOptOut();
      if (!link.isNew || link.kind === 'invite') return link.kind;
      const addressHash = Buffer.from(link.addressHash);
      await this.leaveAll(em, addressHash, 'unsubscribed', { kind: 'withdrawn', how: `never-ask-${how}`, client });
      return link.kind;
    });
  }

  /**
   * A mail to a stranger was reported as spam: whoever reports mail that nobody asked for wants none. A confirmation mail takes the address
   * off everything; an invite ends invites and confirmation mails. @returns false for any other system mail
   */
  async noteComplaint(em: EntityManager, mail: { id: string; kind: string; recipientHash: Buffer }): Promise<boolean> {
    const recipientHash = Buffer.from(mail.recipientHash);
    if (mail.kind === INVITE_MAIL) {
      return (await changed(em, `update referral_opt_outs set opted_out_at = coalesce(opted_out_at, now()) where address_hash = ? and kind = 'invite'`, [recipientHash])) > 0;
    }
    const [ask] = await rows(em, `select 1 from outreach_asks where id = ?`, [mail.id]);
    if (ask) await this.leaveAll(em, recipientHash, 'complained', { kind: 'withdrawn', how: 'complaint' });
    return ask !== undefined;
  }

  private async leaveAll(em: EntityManager, addressHash: Buffer, reason: SuppressionReason, evidence: Evidence): Promise<void> {
    const [known] = await rows<{ norm: string }>(em, `select email_norm as norm from subscriptions where email_hash = ? limit 1`, [addressHash]);
    await this.suppressions.addAll(em, [{ scope: 'all' }], { addressHash, addressNorm: known?.norm, reason }, evidence);
  }
}

const OPT_OUT = `
  with old as (select token, opted_out_at is null as is_new from referral_opt_outs where token = ? for update)
  update referral_opt_outs o set opted_out_at = coalesce(o.opted_out_at, now()) from old where o.token = old.token
  returning o.kind, o.address_hash as "addressHash", old.is_new as "isNew"`;
