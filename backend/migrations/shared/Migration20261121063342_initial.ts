import { Migration } from '@mikro-orm/migrations';

export class Migration20261121063342_initial extends Migration {

  override name = 'Migration20261121063342_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table "consent_events" ("id" uuid not null default gen_random_uuid(), "address_hash" bytea not null, "address_norm" text null, "contact_id" uuid null, "email_list_id" uuid null, "owner_id" uuid null, "kind" text not null, "how" text not null, "wording_version" text null, "form" text null, "ip" text null, "user_agent" text null, "details" jsonb null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "consent_events_list_index" on "consent_events" ("email_list_id", "created_at");`);
    this.addSql(`create index "consent_events_address_index" on "consent_events" ("address_hash", "created_at");`);

    this.addSql(`create table "email_providers" ("id" uuid not null default gen_random_uuid(), "name" text not null, "api_key_ref" text not null, "config" jsonb null, "is_default" boolean not null default false, "is_active" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "email_providers" add constraint "email_providers_name_unique" unique ("name");`);
    this.addSql(`create unique index "email_providers_one_default" on "email_providers" ("is_default") where is_default;`);

    this.addSql(`create table "subscription_plans" ("id" uuid not null default gen_random_uuid(), "code" text not null, "name" text not null, "description" text null, "price_cents" int not null, "billing_interval" text not null, "stripe_price_id" text null, "features" jsonb null, "is_active" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "subscription_plans" add constraint "subscription_plans_code_unique" unique ("code");`);

    this.addSql(`create table "retired_unsubscribe_links" ("token" text not null, "email" text not null, "email_norm" text not null, "email_hash" bytea not null, "owner_id" uuid null, "email_list_id" uuid not null, "list_name" text not null, "created_at" timestamptz not null default now(), primary key ("token"));`);

    this.addSql(`create table "system_mails" ("id" uuid not null default gen_random_uuid(), "kind" text not null, "recipient_hash" bytea not null, "subject_id" uuid null, "payload" bytea null, "status" text not null default 'queued', "attempts" int not null default 0, "next_attempt_at" timestamptz not null default now(), "lease_until" timestamptz null, "last_error" text null, "created_at" timestamptz not null default now(), "sent_at" timestamptz null, primary key ("id"));`);
    this.addSql(`create index "system_mails_recipient_index" on "system_mails" ("recipient_hash", "kind", "created_at");`);
    this.addSql(`create index "system_mails_due_index" on "system_mails" ("next_attempt_at", "id") where status in ('queued', 'sending');`);

    this.addSql(`create table "users" ("id" uuid not null default gen_random_uuid(), "email" text not null, "email_norm" text not null, "first_name" text not null, "last_name" text not null, "agency_name" text null, "profile_image_url" text null, "role" text not null default 'recruiter', "time_zone" text not null default 'UTC', "tier" text not null default 'free', "is_admin" boolean not null default false, "custom_daily_limit" text null, "referral_code" text not null, "stripe_customer_id" text null, "stripe_subscription_id" text null, "subscription_status" text null, "subscription_end_date" timestamptz null, "referral_credits_months" text not null default '0', "referral_access_until" timestamptz null, "suspended_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "users" add constraint "users_email_unique" unique ("email_norm");`);
    this.addSql(`alter table "users" add constraint "users_referral_code_unique" unique ("referral_code");`);

    this.addSql(`create table "suppressions" ("id" uuid not null default gen_random_uuid(), "scope" text not null, "owner_id" uuid null, "address_hash" bytea not null, "address_norm" text null, "reason" text not null, "source_delivery_id" uuid null, "created_at" timestamptz not null default now(), "expires_at" timestamptz null, primary key ("id"));`);
    this.addSql(`create unique index "suppressions_unique" on "suppressions" ("address_hash", "scope", "owner_id") nulls not distinct;`);

    this.addSql(`create table "referral_invites" ("id" uuid not null default gen_random_uuid(), "inviter_user_id" uuid not null, "invitee_email" text not null, "token" text not null, "status" text not null default 'pending', "sent_at" timestamptz not null default now(), "accepted_at" timestamptz null, "expires_at" timestamptz not null, primary key ("id"));`);
    this.addSql(`alter table "referral_invites" add constraint "referral_invites_token_unique" unique ("token");`);
    this.addSql(`create index "referral_invites_inviter_index" on "referral_invites" ("inviter_user_id", "sent_at");`);

    this.addSql(`create table "referral_conversions" ("id" uuid not null default gen_random_uuid(), "referrer_user_id" uuid not null, "invite_id" uuid null, "referred_user_id" uuid not null, "conversion_type" text not null, "converted_at" timestamptz not null default now(), "metadata" jsonb null, primary key ("id"));`);
    this.addSql(`create index "referral_conversions_referrer_index" on "referral_conversions" ("referrer_user_id");`);
    this.addSql(`alter table "referral_conversions" add constraint "referral_conversions_once" unique ("referred_user_id", "conversion_type");`);

    this.addSql(`create table "user_subscriptions" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "plan_id" uuid not null, "stripe_customer_id" text null, "stripe_subscription_id" text null, "status" text not null default 'active', "current_period_start" timestamptz null, "current_period_end" timestamptz null, "cancel_at_period_end" boolean not null default false, "canceled_at" timestamptz null, "upgraded_from_plan_id" uuid null, "referral_invite_id" uuid null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "user_subscriptions_user_index" on "user_subscriptions" ("user_id");`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_stripe_unique" unique ("stripe_subscription_id");`);

    this.addSql(`create table "email_lists" ("id" uuid not null default gen_random_uuid(), "name" text not null, "slug" text not null, "description" text null, "agency_name" text null, "agency_logo" text null, "owner_name" text null, "owner_id" uuid null, "is_default" boolean not null default false, "contact_count" int not null default 0, "confirmed_count" int not null default 0, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "email_lists" add constraint "email_lists_slug_unique" unique ("slug");`);
    this.addSql(`create index "email_lists_owner_index" on "email_lists" ("owner_id", "updated_at", "id");`);
    this.addSql(`create unique index "email_lists_one_default" on "email_lists" ("is_default") where is_default;`);

    this.addSql(`create table "email_history" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "email_list_id" uuid null, "subject" text not null, "content" text not null, "email_type" text not null, "recipient_count" int not null default 0, "status" text not null default 'sent', "sent_at" timestamptz not null default now(), "settled_at" timestamptz null, "usage_date" date not null, "idempotency_key" text null, "content_hash" text not null, "sender_name" text not null, "sender_agency" text null, "reply_to" text not null, primary key ("id"));`);
    this.addSql(`create index "email_history_repeat_index" on "email_history" ("user_id", "content_hash", "sent_at");`);
    this.addSql(`create index "email_history_pending_index" on "email_history" ("sent_at") where status = 'pending';`);
    this.addSql(`create index "email_history_user_index" on "email_history" ("user_id", "sent_at" desc, "id" desc);`);
    this.addSql(`create unique index "email_history_key_unique" on "email_history" ("user_id", "idempotency_key") where idempotency_key is not null;`);

    this.addSql(`create table "email_history_lists" ("history_id" uuid not null, "position" int not null, "email_list_id" uuid null, "name" text not null, primary key ("history_id", "position"));`);

    this.addSql(`create table "subscriptions" ("id" uuid not null default gen_random_uuid(), "email" text not null, "email_norm" text not null, "email_hash" bytea not null, "name" text null, "subscription_type" text not null, "confirmed" boolean not null default false, "confirmation_token" text null, "confirmation_token_expires" timestamptz null, "unsubscribe_token" text not null, "email_list_id" uuid not null, "source" text not null default 'owner', "opt_in_state" text not null default 'due', "opt_in_due_at" timestamptz not null default now(), "confirmation_sent_at" timestamptz null, "confirmation_resent_at" timestamptz null, "confirmed_at" timestamptz null, "unsubscribed_at" timestamptz null, "suppressed" text null, "introduction_due" boolean not null default false, "import_id" uuid null, "consent" jsonb null, "attributes" jsonb null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "subscriptions" add constraint "subscriptions_unsubscribe_unique" unique ("unsubscribe_token");`);
    this.addSql(`create unique index "subscriptions_confirmation_index" on "subscriptions" ("confirmation_token") where confirmation_token is not null;`);
    this.addSql(`create index "subscriptions_import_index" on "subscriptions" ("import_id") where import_id is not null;`);
    this.addSql(`create index "subscriptions_opt_in_due" on "subscriptions" ("opt_in_due_at", "id") where opt_in_state = 'due';`);
    this.addSql(`create index "subscriptions_email_trigram" on "subscriptions" using gin ("email_norm" gin_trgm_ops);`);
    this.addSql(`create index "subscriptions_hash_index" on "subscriptions" ("email_hash");`);
    this.addSql(`create index "subscriptions_list_created_index" on "subscriptions" ("email_list_id", "created_at", "id");`);
    this.addSql(`alter table "subscriptions" add constraint "subscriptions_list_email_unique" unique ("email_list_id", "email_norm");`);

    this.addSql(`create table "email_delivery_logs" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "history_id" uuid not null, "position" int not null, "provider_id" uuid null, "contact_id" uuid not null, "email_list_id" uuid not null, "masked" boolean not null default false, "recipient_email" text not null, "recipient_name" text null, "subject" text not null, "message_id" text null, "status" text not null default 'sent', "metadata" jsonb null, "attempt" int not null default 0, "deferrals" int not null default 0, "ambiguous" int not null default 0, "transmitting" boolean not null default false, "lease_until" timestamptz null, "next_attempt_at" timestamptz null, "sent_at" timestamptz null, "delivered_at" timestamptz null, "unsubscribed_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "email_delivery_logs_contact_index" on "email_delivery_logs" ("contact_id", "sent_at");`);
    this.addSql(`create index "email_delivery_logs_open_index" on "email_delivery_logs" ("history_id", "position") where status in ('queued', 'sending', 'deferred');`);
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_position_unique" unique ("history_id", "position");`);

    this.addSql(`create table "usage_tracking" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "date" date not null, "time_zone" text not null default 'UTC', "emails_sent" int not null default 0, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "usage_tracking" add constraint "usage_tracking_user_date_unique" unique ("user_id", "date");`);

    this.addSql(`create table "contact_imports" ("id" uuid not null default gen_random_uuid(), "email_list_id" uuid not null, "user_id" uuid not null, "status" text not null default 'queued', "format" text not null default 'lines', "total" int not null default 0, "added" int not null default 0, "skipped" int not null default 0, "bytes_total" int not null default 0, "bytes_done" int not null default 0, "attestation" text null, "attestation_state" text null, "lease_until" timestamptz null, "error" text null, "created_at" timestamptz not null default now(), "finished_at" timestamptz null, primary key ("id"));`);
    this.addSql(`create index "contact_imports_attested_index" on "contact_imports" ("attestation_state", "created_at") where attestation_state is not null;`);
    this.addSql(`create index "contact_imports_open_index" on "contact_imports" ("created_at") where status in ('queued', 'running');`);
    this.addSql(`create index "contact_imports_list_index" on "contact_imports" ("email_list_id", "created_at");`);

    this.addSql(`create table "contact_import_rejects" ("import_id" uuid not null, "line" int not null, "email" text not null, "reason" text not null, primary key ("import_id", "line"));`);

    this.addSql(`create table "contact_import_chunks" ("import_id" uuid not null, "position" int not null, "content" bytea not null, primary key ("import_id", "position"));`);

    this.addSql(`create table "auth_sessions" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "session_token" text not null, "previous_token" text null, "rotated_at" timestamptz null, "expires_at" timestamptz not null, "user_agent" text null, "ip_address" text null, "created_at" timestamptz not null default now(), "last_seen_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "auth_sessions_user_index" on "auth_sessions" ("user_id");`);
    this.addSql(`alter table "auth_sessions" add constraint "auth_sessions_token_unique" unique ("session_token");`);
    this.addSql(`create index "auth_sessions_previous_index" on "auth_sessions" ("previous_token");`);
    this.addSql(`create index "auth_sessions_expires_index" on "auth_sessions" ("expires_at");`);

    this.addSql(`create table "auth_credentials" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "email" text not null, "password_hash" text not null, "is_verified" boolean not null default false, "verification_token" text null, "verification_token_expires" timestamptz null, "verified_at" timestamptz null, "disown_token" text null, "reset_token" text null, "reset_token_expires" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "auth_credentials" add constraint "auth_credentials_user_unique" unique ("user_id");`);
    this.addSql(`alter table "auth_credentials" add constraint "auth_credentials_email_unique" unique ("email");`);
    this.addSql(`alter table "auth_credentials" add constraint "auth_credentials_verification_unique" unique ("verification_token");`);
    this.addSql(`alter table "auth_credentials" add constraint "auth_credentials_disown_unique" unique ("disown_token");`);
    this.addSql(`alter table "auth_credentials" add constraint "auth_credentials_reset_unique" unique ("reset_token");`);

    this.addSql(`create table "sessions" ("sid" text not null, "sess" jsonb not null, "expire" timestamptz not null, primary key ("sid"));`);
    this.addSql(`create index "sessions_expire_index" on "sessions" ("expire");`);

    this.addSql(`alter table "consent_events" add constraint "consent_events_kind_check" check (kind in ('requested', 'confirmed', 'unconfirmed', 'attested', 'declined', 'withdrawn', 'restored'));`);

    this.addSql(`alter table "subscription_plans" add constraint "subscription_plans_price_check" check (price_cents >= 0);`);
    this.addSql(`alter table "subscription_plans" add constraint "subscription_plans_interval_check" check (billing_interval in ('month', 'year'));`);

    this.addSql(`alter table "system_mails" add constraint "system_mails_status_check" check (status in ('queued', 'sending', 'sent', 'failed'));`);

    this.addSql(`alter table "users" add constraint "users_credits_check" check (referral_credits_months ~ '^[0-9]+\$');`);
    this.addSql(`alter table "users" add constraint "users_daily_limit_check" check (custom_daily_limit ~ '^[0-9]+\$');`);
    this.addSql(`alter table "users" add constraint "users_role_check" check (role in ('recruiter', 'bench-sales'));`);

    this.addSql(`alter table "suppressions" add constraint "suppressions_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "suppressions" add constraint "suppressions_owner_check" check ((scope = 'owner') = (owner_id is not null));`);
    this.addSql(`alter table "suppressions" add constraint "suppressions_reason_check" check (reason in ('unsubscribed', 'bounced', 'complained'));`);
    this.addSql(`alter table "suppressions" add constraint "suppressions_scope_check" check (scope in ('owner', 'network', 'all'));`);

    this.addSql(`alter table "referral_invites" add constraint "referral_invites_inviter_user_id_foreign" foreign key ("inviter_user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "referral_invites" add constraint "referral_invites_status_check" check (status in ('pending', 'accepted', 'expired'));`);

    this.addSql(`alter table "referral_conversions" add constraint "referral_conversions_referrer_user_id_foreign" foreign key ("referrer_user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "referral_conversions" add constraint "referral_conversions_invite_id_foreign" foreign key ("invite_id") references "referral_invites" ("id") on delete set null;`);
    this.addSql(`alter table "referral_conversions" add constraint "referral_conversions_referred_user_id_foreign" foreign key ("referred_user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "referral_conversions" add constraint "referral_conversions_self_check" check (referrer_user_id <> referred_user_id);`);
    this.addSql(`alter table "referral_conversions" add constraint "referral_conversions_type_check" check (conversion_type in ('signup', 'paid'));`);

    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_plan_id_foreign" foreign key ("plan_id") references "subscription_plans" ("id");`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_upgraded_from_plan_id_foreign" foreign key ("upgraded_from_plan_id") references "subscription_plans" ("id") on delete set null;`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_referral_invite_id_foreign" foreign key ("referral_invite_id") references "referral_invites" ("id") on delete set null;`);

    this.addSql(`alter table "email_lists" add constraint "email_lists_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "email_lists" add constraint "email_lists_owner_check" check (is_default or owner_id is not null);`);

    this.addSql(`alter table "email_history" add constraint "email_history_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "email_history" add constraint "email_history_email_list_id_foreign" foreign key ("email_list_id") references "email_lists" ("id") on delete set null;`);
    this.addSql(`alter table "email_history" add constraint "email_history_status_check" check (status in ('pending', 'sent', 'failed'));`);
    this.addSql(`alter table "email_history" add constraint "email_history_type_check" check (email_type in ('job-post', 'candidate-list'));`);

    this.addSql(`alter table "email_history_lists" add constraint "email_history_lists_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);
    this.addSql(`alter table "email_history_lists" add constraint "email_history_lists_email_list_id_foreign" foreign key ("email_list_id") references "email_lists" ("id") on delete set null;`);

    this.addSql(`alter table "subscriptions" add constraint "subscriptions_email_list_id_foreign" foreign key ("email_list_id") references "email_lists" ("id") on delete cascade;`);
    this.addSql(`alter table "subscriptions" add constraint "subscriptions_suppressed_check" check (suppressed in ('unsubscribed', 'bounced', 'complained'));`);
    this.addSql(`alter table "subscriptions" add constraint "subscriptions_opt_in_check" check (opt_in_state in ('due', 'held', 'sent', 'none'));`);
    this.addSql(`alter table "subscriptions" add constraint "subscriptions_source_check" check (source in ('owner', 'import', 'public', 'admin'));`);
    this.addSql(`alter table "subscriptions" add constraint "subscriptions_type_check" check (subscription_type in ('job-posts', 'candidate-lists'));`);

    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_history_id_foreign" foreign key ("history_id") references "email_history" ("id") on delete cascade;`);
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_provider_id_foreign" foreign key ("provider_id") references "email_providers" ("id") on delete set null;`);
    this.addSql(`alter table "email_delivery_logs" add constraint "email_delivery_logs_status_check" check (status in ('queued', 'sending', 'deferred', 'sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained'));`);

    this.addSql(`alter table "usage_tracking" add constraint "usage_tracking_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "usage_tracking" add constraint "usage_tracking_count_check" check (emails_sent >= 0);`);

    this.addSql(`alter table "contact_imports" add constraint "contact_imports_email_list_id_foreign" foreign key ("email_list_id") references "email_lists" ("id") on delete cascade;`);
    this.addSql(`alter table "contact_imports" add constraint "contact_imports_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "contact_imports" add constraint "contact_imports_attestation_check" check (attestation_state in ('waiting', 'confirmed', 'declined'));`);
    this.addSql(`alter table "contact_imports" add constraint "contact_imports_status_check" check (status in ('queued', 'running', 'done', 'failed'));`);

    this.addSql(`alter table "contact_import_rejects" add constraint "contact_import_rejects_import_id_foreign" foreign key ("import_id") references "contact_imports" ("id") on delete cascade;`);
    this.addSql(`alter table "contact_import_rejects" add constraint "contact_import_rejects_reason_check" check (reason in ('invalid', 'duplicate', 'exists', 'suppressed', 'limit'));`);

    this.addSql(`alter table "contact_import_chunks" add constraint "contact_import_chunks_import_id_foreign" foreign key ("import_id") references "contact_imports" ("id") on delete cascade;`);

    this.addSql(`alter table "auth_sessions" add constraint "auth_sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`alter table "auth_credentials" add constraint "auth_credentials_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "email_delivery_logs" drop constraint "email_delivery_logs_provider_id_foreign";`);
    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_plan_id_foreign";`);
    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_upgraded_from_plan_id_foreign";`);
    this.addSql(`alter table "suppressions" drop constraint "suppressions_owner_id_foreign";`);
    this.addSql(`alter table "referral_invites" drop constraint "referral_invites_inviter_user_id_foreign";`);
    this.addSql(`alter table "referral_conversions" drop constraint "referral_conversions_referrer_user_id_foreign";`);
    this.addSql(`alter table "referral_conversions" drop constraint "referral_conversions_referred_user_id_foreign";`);
    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_user_id_foreign";`);
    this.addSql(`alter table "email_lists" drop constraint "email_lists_owner_id_foreign";`);
    this.addSql(`alter table "email_history" drop constraint "email_history_user_id_foreign";`);
    this.addSql(`alter table "email_delivery_logs" drop constraint "email_delivery_logs_user_id_foreign";`);
    this.addSql(`alter table "usage_tracking" drop constraint "usage_tracking_user_id_foreign";`);
    this.addSql(`alter table "contact_imports" drop constraint "contact_imports_user_id_foreign";`);
    this.addSql(`alter table "auth_sessions" drop constraint "auth_sessions_user_id_foreign";`);
    this.addSql(`alter table "auth_credentials" drop constraint "auth_credentials_user_id_foreign";`);
    this.addSql(`alter table "referral_conversions" drop constraint "referral_conversions_invite_id_foreign";`);
    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_referral_invite_id_foreign";`);
    this.addSql(`alter table "email_history" drop constraint "email_history_email_list_id_foreign";`);
    this.addSql(`alter table "email_history_lists" drop constraint "email_history_lists_email_list_id_foreign";`);
    this.addSql(`alter table "subscriptions" drop constraint "subscriptions_email_list_id_foreign";`);
    this.addSql(`alter table "contact_imports" drop constraint "contact_imports_email_list_id_foreign";`);
    this.addSql(`alter table "email_history_lists" drop constraint "email_history_lists_history_id_foreign";`);
    this.addSql(`alter table "email_delivery_logs" drop constraint "email_delivery_logs_history_id_foreign";`);
    this.addSql(`alter table "contact_import_rejects" drop constraint "contact_import_rejects_import_id_foreign";`);
    this.addSql(`alter table "contact_import_chunks" drop constraint "contact_import_chunks_import_id_foreign";`);

    this.addSql(`drop table if exists "consent_events" cascade;`);
    this.addSql(`drop table if exists "email_providers" cascade;`);
    this.addSql(`drop table if exists "subscription_plans" cascade;`);
    this.addSql(`drop table if exists "retired_unsubscribe_links" cascade;`);
    this.addSql(`drop table if exists "system_mails" cascade;`);
    this.addSql(`drop table if exists "users" cascade;`);
    this.addSql(`drop table if exists "suppressions" cascade;`);
    this.addSql(`drop table if exists "referral_invites" cascade;`);
    this.addSql(`drop table if exists "referral_conversions" cascade;`);
    this.addSql(`drop table if exists "user_subscriptions" cascade;`);
    this.addSql(`drop table if exists "email_lists" cascade;`);
    this.addSql(`drop table if exists "email_history" cascade;`);
    this.addSql(`drop table if exists "email_history_lists" cascade;`);
    this.addSql(`drop table if exists "subscriptions" cascade;`);
    this.addSql(`drop table if exists "email_delivery_logs" cascade;`);
    this.addSql(`drop table if exists "usage_tracking" cascade;`);
    this.addSql(`drop table if exists "contact_imports" cascade;`);
    this.addSql(`drop table if exists "contact_import_rejects" cascade;`);
    this.addSql(`drop table if exists "contact_import_chunks" cascade;`);
    this.addSql(`drop table if exists "auth_sessions" cascade;`);
    this.addSql(`drop table if exists "auth_credentials" cascade;`);
    this.addSql(`drop table if exists "sessions" cascade;`);
  }

}
