import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/database/queries/columns.js';
import { rows } from '../shared/database/queries/rows.js';
import type { DemoAccounts } from './demo-accounts.js';
import { isoTimeSql } from '../shared/text/formats.js';

/** Creates invites in every state, three referred colleagues, and a free month that one of them earned. */
export async function seedReferrals(em: EntityManager, { demo, colleagues }: DemoAccounts): Promise<void> {
  await rows(
    em,
    `insert into referral_invites (inviter_user_id, invitee_email, invitee_hash, token, status, sent_at, accepted_at, expires_at)
     select ?::uuid, email, sha256(email::bytea), encode(sha256(gen_random_uuid()::text::bytea), 'hex'), status, now() - make_interval(days => days),
       case when status = 'accepted' then now() - make_interval(days => days - 1) end, now() - make_interval(days => days) + interval '30 days'
     from (values ('marcus.hale@brightbench.example', 'accepted', 42), ('irene.osei@brightbench.example', 'accepted', 34), ('paul.kern@talentworks.example', 'expired', 40),
       ('leo.tran@harborline.example', 'accepted', 13), ('sara.lind@codebridge.example', 'pending', 5), ('omar.aziz@nexthire.example', 'pending', 1)) as i(email, status, days)`,
    [demo],
  );
  await rows(
    em,
    `insert into referral_conversions (referrer_user_id, referred_user_id, conversion_type, converted_at, invite_id)
     select ?::uuid, u.id, 'signup', u.created_at, i.id from users u left join referral_invites i on i.invitee_email = u.email_norm
     where u.id in (select jsonb_array_elements_text(?::jsonb)::uuid)`,
    [demo, JSON.stringify(colleagues)],
  );
  const paid = newId();
  await rows(
    em,
    `insert into referral_conversions (id, referrer_user_id, referred_user_id, conversion_type, converted_at) values (?, ?, ?, 'paid', now() - interval '6 days')`,
    [paid, demo, colleagues[0]!],
  );
  await rows(
    em,
    `insert into referral_credits (user_id, conversion_id, source_invoice_id, state, starts_at, ends_at, earned_at)
     values (?, ?, 'demo-invoice', 'scheduled', now() - interval '6 days', now() + interval '24 days', now() - interval '6 days')`,
    [demo, paid],
  );
  await rows(
    em,
    `update users set referral_credits_months = '1', referral_access_from = now() - interval '6 days', referral_access_until = now() + interval '24 days',
       referral_month_ends = jsonb_build_array(${isoTimeSql("(now() + interval '24 days')")}), tier = 'pro' where id = ?`,
    [demo],
  );
}
