import { Migration } from '@mikro-orm/migrations';

/**
 * Free months, invites by address hash, opt-outs from invite mails, and the referral of a new account until the
 * referrals module has read it.
 */
export class Migration20261121080100_referrals extends Migration {

  override name = 'Migration20261121080100_referrals';

  override up(): void | Promise<void> {
    this.addSql(`create table "referral_opt_outs" ("token" text not null, "address_hash" bytea not null, "opted_out_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("token"));`);
    this.addSql(`create index "referral_opt_outs_address_index" on "referral_opt_outs" ("address_hash");`);

    this.addSql(`create table "referral_credits" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "conversion_id" uuid null, "source_invoice_id" text not null, "state" text not null, "starts_at" timestamptz null, "ends_at" timestamptz null, "balance_txn_id" text null, "cents" int null, "n" int not null default 0, "reason" text null, "earned_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "referral_credits" add constraint "referral_credits_conversion_unique" unique ("conversion_id");`);
    this.addSql(`alter table "referral_credits" add constraint "referral_credits_invoice_unique" unique ("source_invoice_id");`);
    this.addSql(`create index "referral_credits_user_index" on "referral_credits" ("user_id", "earned_at");`);

    this.addSql(`alter table "users" add "referral_refs" jsonb null;`);
    this.addSql(`create index "users_referral_refs_index" on "users" ("created_at") where referral_refs is not null;`);

    this.addSql(`alter table "referral_invites" add "invitee_hash" bytea not null;`);
    this.addSql(`create index "referral_invites_pending_index" on "referral_invites" ("expires_at") where status = 'pending';`);
    this.addSql(`create index "referral_invites_address_index" on "referral_invites" ("invitee_hash", "sent_at");`);

    this.addSql(`alter table "referral_credits" add constraint "referral_credits_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "referral_credits" add constraint "referral_credits_conversion_id_foreign" foreign key ("conversion_id") references "referral_conversions" ("id") on delete set null;`);
    this.addSql(`alter table "referral_credits" add constraint "referral_credits_balance_check" check (state <> 'credited' or (balance_txn_id is not null and cents > 0));`);
    this.addSql(`alter table "referral_credits" add constraint "referral_credits_span_check" check (state <> 'scheduled' or (starts_at is not null and ends_at > starts_at));`);
    this.addSql(`alter table "referral_credits" add constraint "referral_credits_state_check" check (state in ('scheduled', 'credited', 'consumed', 'revoked'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "referral_opt_outs" cascade;`);
    this.addSql(`drop table if exists "referral_credits" cascade;`);

    this.addSql(`drop index "referral_invites_pending_index";`);
    this.addSql(`drop index "referral_invites_address_index";`);
    this.addSql(`alter table "referral_invites" drop column "invitee_hash";`);

    this.addSql(`drop index "users_referral_refs_index";`);
    this.addSql(`alter table "users" drop column "referral_refs";`);
  }

}
