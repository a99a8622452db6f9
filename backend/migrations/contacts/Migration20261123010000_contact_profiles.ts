import { Migration } from '@mikro-orm/migrations';

const TABLES = [
  'contact_bulk_jobs',
  'contact_preparations',
  'contact_activity',
  'contact_notes',
  'contact_tags',
  'profile_fields',
  'contact_profiles',
];

/**
 * Sends one notification per account and statement; with the profile's id if only one profile of the account changed.
 */
const notifyProfiles = (rows: string, column: string): string =>
  `perform pg_notify('account_changes', concat_ws(' ', owner_id, 'profile', case when count(*) = 1 then min(${column}::text) else '-' end))
  from ${rows} group by owner_id;`;

const fn = (name: string, body: string): string => `
create function ${name}() returns trigger language plpgsql as $body$
begin
  ${body}
  return null;
end
$body$`;

const statementTrigger = (table: string, event: string, rows: string, body: string): string[] => {
  const name = `${table}_account_change_${event}`;
  return [
    fn(name, body),
    `create trigger ${name} after ${event} on ${table} referencing ${event === 'delete' ? 'old' : 'new'} table as ${rows} for each statement execute function ${name}()`,
  ];
};

/**
 * What an account knows of each address, whatever lists it is on: profiles with fields, tags, notes and activity, and
 * bulk changes of many profiles.
 */
export class Migration20261123010000_contact_profiles extends Migration {
  override name = 'Migration20261123010000_contact_profiles';

  override up(): void {
    this.addSql(`create table "contact_profiles" ("id" uuid not null default gen_random_uuid(), "owner_id" uuid not null, "email" text not null, "email_norm" text not null, "email_hash" bytea not null,
      "first_name" text null, "last_name" text null, "company" text null, "company_domain" text null, "job_title" text null, "phone" text null, "phone_e164" text null, "city" text null, "region" text null,
      "country" text null, "time_zone" text null, "time_zone_source" text null, "tag_ids" int[] not null default '{}', "skill_ids" int[] not null default '{}', "fields" jsonb not null default '{}',
      "source" text not null, "import_id" uuid null, "import_line" int null, "earlier_addresses" jsonb not null default '[]', "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "contact_profiles" add constraint "contact_profiles_address_unique" unique ("owner_id", "email_hash");`);
    this.addSql(`create index "contact_profiles_created_index" on "contact_profiles" ("owner_id", "created_at", "id");`);
    this.addSql(`create index "contact_profiles_domain_index" on "contact_profiles" ("owner_id", "company_domain") where company_domain is not null;`);
    this.addSql(`create index "contact_profiles_name_index" on "contact_profiles" ("owner_id", (lower(coalesce(last_name, first_name, '')) collate "C"), "id");`);
    this.addSql(`create index "contact_profiles_first_name_index" on "contact_profiles" ("owner_id", (lower(first_name) collate "C")) where first_name is not null;`);
    this.addSql(`create index "contact_profiles_company_index" on "contact_profiles" ("owner_id", (lower(coalesce(company, '')) collate "C"), "id");`);
    this.addSql(`create index "contact_profiles_email_index" on "contact_profiles" ("owner_id", (email_norm collate "C"));`);
    this.addSql(`create index "contact_profiles_bucket_index" on "contact_profiles" ("owner_id", (get_byte(email_hash, 0)));`);
    this.addSql(`create index "contact_profiles_hash_index" on "contact_profiles" ("email_hash");`);
    this.addSql(`create index "contact_profiles_tags_index" on "contact_profiles" using gin ("tag_ids") where tag_ids <> '{}';`);
    this.addSql(`create index "contact_profiles_skills_index" on "contact_profiles" using gin ("skill_ids") where skill_ids <> '{}';`);
    this.addSql(`alter table "contact_profiles" add constraint "contact_profiles_source_check" check (source in ('owner', 'import', 'public', 'admin'));`);
    this.addSql(`alter table "contact_profiles" add constraint "contact_profiles_zone_source_check" check (time_zone_source in ('hand', 'person', 'file', 'place', 'region'));`);
    this.addSql(`alter table "contact_profiles" add constraint "contact_profiles_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "profile_fields" ("id" uuid not null default gen_random_uuid(), "owner_id" uuid not null, "key" text not null, "label" text not null, "type" text not null, "options" jsonb not null default '[]', "position" int not null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`alter table "profile_fields" add constraint "profile_fields_key_unique" unique ("owner_id", "key");`);
    this.addSql(`alter table "profile_fields" add constraint "profile_fields_type_check" check (type in ('text', 'number', 'date', 'yes_no', 'choice', 'choices', 'url'));`);
    this.addSql(`alter table "profile_fields" add constraint "profile_fields_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "contact_tags" ("id" int not null, "owner_id" uuid not null, "name" text not null, "colour" text null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create unique index "contact_tags_name_unique" on "contact_tags" ("owner_id", lower(name));`);
    this.addSql(`alter table "contact_tags" add constraint "contact_tags_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "contact_notes" ("id" uuid not null default gen_random_uuid(), "profile_id" uuid not null, "owner_id" uuid not null, "body" text not null, "created_at" timestamptz not null default now(), primary key ("id"));`);
    this.addSql(`create index "contact_notes_profile_index" on "contact_notes" ("profile_id", "created_at", "id");`);
    this.addSql(`create index "contact_notes_owner_index" on "contact_notes" ("owner_id", "id");`);
    this.addSql(`alter table "contact_notes" add constraint "contact_notes_profile_id_foreign" foreign key ("profile_id") references "contact_profiles" ("id") on delete cascade;`);
    this.addSql(`alter table "contact_notes" add constraint "contact_notes_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    this.addSql(`create table "contact_activity" ("profile_id" uuid not null, "last_mailed_at" timestamptz null, "mailed_count" int not null default 0, "last_bounced_at" timestamptz null, "last_replied_at" timestamptz null, primary key ("profile_id")) with (fillfactor = 50);`);
    this.addSql(`alter table "contact_activity" add constraint "contact_activity_profile_id_foreign" foreign key ("profile_id") references "contact_profiles" ("id") on update cascade on delete cascade;`);

    this.addSql(`create table "contact_preparations" ("owner_id" uuid not null, "done" int not null default 0, "total" int not null default 0, "finished_at" timestamptz null, primary key ("owner_id"));`);
    this.addSql(`create index "contact_preparations_open_index" on "contact_preparations" ("owner_id") where finished_at is null;`);
    this.addSql(`alter table "contact_preparations" add constraint "contact_preparations_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on update cascade on delete cascade;`);
    this.addSql(`insert into "contact_preparations" ("owner_id", "total") select owner_id, sum(contact_count)::int from "email_lists" where owner_id is not null and not is_default group by owner_id having sum(contact_count) > 0;`);

    this.addSql(`create table "contact_bulk_jobs" ("id" uuid not null default gen_random_uuid(), "owner_id" uuid not null, "action" text not null, "params" jsonb not null default '{}', "selection" jsonb not null, "status" text not null default 'queued',
      "total" int not null default 0, "done" int not null default 0, "refused" jsonb not null default '[]', "refused_unlisted" int not null default 0, "last_id" uuid null, "lease_until" timestamptz null, "attempts" int not null default 0,
      "created_at" timestamptz not null default now(), "finished_at" timestamptz null, primary key ("id"));`);
    this.addSql(`create index "contact_bulk_jobs_owner_index" on "contact_bulk_jobs" ("owner_id", "created_at");`);
    this.addSql(`create index "contact_bulk_jobs_open_index" on "contact_bulk_jobs" ("created_at") where status in ('queued', 'running');`);
    this.addSql(`create index "contact_bulk_jobs_finished_index" on "contact_bulk_jobs" ("finished_at") where finished_at is not null;`);
    this.addSql(`alter table "contact_bulk_jobs" add constraint "contact_bulk_jobs_action_check" check (action in ('addTags', 'removeTags', 'addToList', 'removeFromList', 'setField', 'delete'));`);
    this.addSql(`alter table "contact_bulk_jobs" add constraint "contact_bulk_jobs_status_check" check (status in ('queued', 'running', 'done', 'failed'));`);
    this.addSql(`alter table "contact_bulk_jobs" add constraint "contact_bulk_jobs_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`);

    for (const event of ['insert', 'update', 'delete'])
      for (const statement of statementTrigger('contact_profiles', event, 'changed_rows', notifyProfiles('changed_rows', 'id')))
        this.addSql(statement);
    for (const event of ['insert', 'delete'])
      for (const statement of statementTrigger('contact_notes', event, 'changed_rows', notifyProfiles('changed_rows', 'profile_id')))
        this.addSql(statement);
    for (const event of ['insert', 'update'])
      for (const statement of statementTrigger('contact_bulk_jobs', event, 'changed_rows', `perform pg_notify('account_changes', concat_ws(' ', owner_id, 'bulk', id)) from changed_rows;`))
        this.addSql(statement);
    for (const statement of statementTrigger('contact_preparations', 'update', 'changed_rows', `perform pg_notify('account_changes', concat_ws(' ', owner_id, 'profile', '-')) from changed_rows;`))
      this.addSql(statement);
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop table if exists "${table}" cascade;`);
    for (const name of ['contact_profiles_account_change_insert', 'contact_profiles_account_change_update', 'contact_profiles_account_change_delete', 'contact_notes_account_change_insert', 'contact_notes_account_change_delete', 'contact_bulk_jobs_account_change_insert', 'contact_bulk_jobs_account_change_update', 'contact_preparations_account_change_update'])
      this.addSql(`drop function if exists ${name}();`);
  }
}
