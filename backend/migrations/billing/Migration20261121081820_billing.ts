import { Migration } from '@mikro-orm/migrations';

const FEATURES = JSON.stringify({ texts: ['Unlimited emails per day', 'Custom email lists', 'Email history tracking', 'Priority support'] });

/**
 * Stripe events, the facts that an entitlement is computed from, the two plans, and paid terms that outlive their
 * account until Stripe has ended them.
 */
export class Migration20261121081820_billing extends Migration {

  override name = 'Migration20261121081820_billing';

  override up(): void | Promise<void> {
    this.addSql(`create table "stripe_events" ("id" text not null, "type" text not null, "customer_id" text null, "received_at" timestamptz not null default now(), "processed_at" timestamptz null, "outcome" text null, primary key ("id"));`);

    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_plan_id_foreign";`);
    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_user_id_foreign";`);

    this.addSql(`alter table "users" add "plan_access_until" timestamptz null, add "referral_access_from" timestamptz null, add "referral_month_ends" jsonb not null default '[]', add "referral_months_credited" int not null default 0;`);
    this.addSql(`alter table "users" add constraint "users_stripe_customer_unique" unique ("stripe_customer_id");`);

    this.addSql(`alter table "user_subscriptions" add "started_at" timestamptz null;`);
    this.addSql(`alter table "user_subscriptions" alter column "plan_id" drop not null;`);
    this.addSql(`alter table "user_subscriptions" alter column "user_id" drop not null;`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_plan_id_foreign" foreign key ("plan_id") references "subscription_plans" ("id") on delete set null;`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null;`);
    this.addSql(`create index "user_subscriptions_customer_index" on "user_subscriptions" ("stripe_customer_id");`);

    this.addSql(`insert into subscription_plans (code, name, description, price_cents, billing_interval, features) values
      ('pro_monthly', 'Pro', 'Paid every month', 1000, 'month', '${FEATURES}'), ('pro_yearly', 'Pro', 'Paid every year', 9600, 'year', '${FEATURES}') on conflict (code) do nothing;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "stripe_events" cascade;`);

    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_user_id_foreign";`);
    this.addSql(`alter table "user_subscriptions" drop constraint "user_subscriptions_plan_id_foreign";`);

    this.addSql(`drop index "user_subscriptions_customer_index";`);
    this.addSql(`alter table "user_subscriptions" drop column "started_at";`);
    this.addSql(`alter table "user_subscriptions" alter column "user_id" set not null;`);
    this.addSql(`alter table "user_subscriptions" alter column "plan_id" set not null;`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "user_subscriptions" add constraint "user_subscriptions_plan_id_foreign" foreign key ("plan_id") references "subscription_plans" ("id");`);

    this.addSql(`alter table "users" drop constraint "users_stripe_customer_unique";`);
    this.addSql(`alter table "users" drop column "plan_access_until", drop column "referral_access_from", drop column "referral_month_ends", drop column "referral_months_credited";`);
  }

}
