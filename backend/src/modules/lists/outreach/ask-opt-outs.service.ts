import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Client } from '../../../shared/http/index.js';
import { hashToken, isTokenShaped, mintToken } from '../../../shared/tokens/tokens.js';
import type { SuppressionReason } from '../../../shared/enums.js';
import { AskOptOut, type AskKind } from '../entities/outreach-ask.entity.js';
import { unknownOptOut } from '../lists.errors.js';
import { type Evidence, Suppressions } from '../unsubscribe/suppressions.service.js';

/** Outbox kinds of mail to strangers. */
export const OPT_IN_MAIL = 'lists.opt-in';
export const INVITE_MAIL = 'referrals.invite';

/** Opt-out link of one mail. */
export interface OptOutLink {
  token: string;
  /** URL of a page with a button; mail programs POST to the same URL (RFC 8058). */
  url: string;
}

/** Mailboxes that opted out of all confirmation mails and invites, from any sender. */
@Injectable()
export class AskOptOuts {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly suppressions: Suppressions,
  ) {}

  /** Creates one link per new mail within the caller's transaction, in the order of recipients. */
  async mint(
    em: EntityManager,
    kind: AskKind,
    recipients: readonly { addressHash: Buffer; mailboxHash: Buffer }[],
  ): Promise<OptOutLink[]> {
    const links = recipients.map((recipient) => ({ ...recipient, token: mintToken() }));
    if (links.length > 0)
      await em.insertMany(
        AskOptOut,
        links.map(({ token, ...hashes }) => ({ ...hashes, token: hashToken(token), kind })),
      );
    return links.map(({ token }) => ({ token, url: `${this.settings.appUrl}/never-ask/${token}` }));
  }

  /**
   * Opts the mailbox out for good. The link of a confirmation mail also unsubscribes the address from everything; the
   * link of an invite keeps existing subscriptions. Idempotent.
   * @throws 404 `token_invalid`
   */
  async optOut(token: string, how: 'page' | 'one-click', client: Client): Promise<AskKind> {
    if (!isTokenShaped(token)) throw unknownOptOut();
    return inTransaction(this.em, async (em) => {
      const [link] = await rows<{ kind: AskKind; addressHash: Buffer; isNew: boolean }>(em, OPT_OUT, [
        hashToken(token),
      ]);
      if (!link) throw unknownOptOut();
      if (!link.isNew || link.kind === 'invite') return link.kind;
      const addressHash = Buffer.from(link.addressHash);
      await this.leaveAll(em, addressHash, 'unsubscribed', { kind: 'withdrawn', how: `never-ask-${how}`, client });
      return link.kind;
    });
  }

  /**
   * Handles a spam complaint about a mail to a stranger as an opt-out. A complaint about a confirmation mail
   * unsubscribes the address from everything; one about an invite ends invites and confirmation mails.
   * @returns false for other system mail
   */
  async noteComplaint(em: EntityManager, mail: { id: string; kind: string; recipientHash: Buffer }): Promise<boolean> {
    const recipientHash = Buffer.from(mail.recipientHash);
    if (mail.kind === INVITE_MAIL) {
      return (
        (await changed(
          em,
          `update referral_opt_outs set opted_out_at = coalesce(opted_out_at, now()) where address_hash = ? and kind = 'invite'`,
          [recipientHash],
        )) > 0
      );
    }
    const [ask] = await rows(em, `select 1 from outreach_asks where id = ?`, [mail.id]);
    if (ask) await this.leaveAll(em, recipientHash, 'complained', { kind: 'withdrawn', how: 'complaint' });
    return ask !== undefined;
  }

  private async leaveAll(
    em: EntityManager,
    addressHash: Buffer,
    reason: SuppressionReason,
    evidence: Evidence,
  ): Promise<void> {
    const [known] = await rows<{ norm: string }>(
      em,
      `select email_norm as norm from subscriptions where email_hash = ? limit 1`,
      [addressHash],
    );
    await this.suppressions.addAll(em, [{ scope: 'all' }], { addressHash, addressNorm: known?.norm, reason }, evidence);
  }
}

const OPT_OUT = `
  with old as (select token, opted_out_at is null as is_new from referral_opt_outs where token = ? for update)
  update referral_opt_outs o set opted_out_at = coalesce(o.opted_out_at, now()) from old where o.token = old.token
  returning o.kind, o.address_hash as "addressHash", old.is_new as "isNew"`;
