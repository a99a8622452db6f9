import { Migration } from '@mikro-orm/migrations';

const IMPORTS = `
  add column "is_direct" boolean not null default true, add column "stage" text null, add column "goal" text not null default 'done', add column "run" int not null default 0,
  add column "file_name" text null, add column "file_kind" text null, add column "file_info" jsonb not null default '{}', add column "columns" jsonb null, add column "options" jsonb not null default '{}',
  add column "corrections" jsonb not null default '{}', add column "report" jsonb null, add column "lines" int not null default 0, add column "checked" int not null default 0, add column "committed_line" int not null default 0,
  add column "created" int not null default 0, add column "updated" int not null default 0, add column "unchanged" int not null default 0, add column "removed" int not null default 0, add column "kept" jsonb null,
  add column "commit_key" text null, add column "committed_at" timestamptz null, add column "touched_at" timestamptz not null default now()`;
const COLUMNS =
  'is_direct, stage, goal, run, file_name, file_kind, file_info, columns, options, corrections, report, lines, checked, committed_line, created, updated, unchanged, removed, kept, commit_key, committed_at, touched_at';

const TOLD_BEFORE = ['status', 'total', 'added', 'skipped', 'attestation_state'];
const TOLD = [...TOLD_BEFORE, 'stage', 'lines', 'checked', 'removed', 'columns', 'options', 'report'];

const told = (columns: readonly string[]): string =>
  `create trigger contact_imports_account_change_2 after update on contact_imports for each row
   when ((${columns.map((name) => `old.${name}`).join(', ')}) is distinct from (${columns.map((name) => `new.${name}`).join(', ')})) execute function contact_imports_account_change()`;

/**
 * Imports in steps: read, columns, check, commit, undo. Tables with their staged records and lines are unlogged. After
 * a crash of the database the file is read again.
 */
export class Migration20261123040000_import_steps extends Migration {
  override name = 'Migration20261123040000_import_steps';

  override up(): void {
    this.addSql(`alter table "contact_imports" ${IMPORTS};`);
    this.addSql(`alter table "contact_imports" alter column "email_list_id" drop not null;`);
    this.addSql(`alter table "contact_imports" drop constraint "contact_imports_status_check";`);
    this.addSql(
      `alter table "contact_imports" add constraint "contact_imports_status_check" check (status in ('uploading', 'queued', 'reading', 'mapping', 'checking', 'ready', 'running', 'done', 'failed', 'discarded', 'undone')) not valid;`,
    );
    this.addSql(
      `alter table "contact_imports" add constraint "contact_imports_stage_check" check (stage in ('read', 'check', 'commit', 'undo')) not valid;`,
    );
    this.addSql(
      `alter table "contact_imports" add constraint "contact_imports_goal_check" check (goal in ('mapping', 'ready', 'done')) not valid;`,
    );
    for (const name of ['status', 'stage', 'goal'])
      this.addSql(`alter table "contact_imports" validate constraint "contact_imports_${name}_check";`);
    this.addSql(`update "contact_imports" set "touched_at" = "created_at";`);
    this.addSql(`drop trigger contact_imports_account_change_2 on contact_imports;`);
    this.addSql(told(TOLD));

    this.addSql(`alter table "contact_import_rejects" add column "cells" jsonb null;`);
    this.addSql(`alter table "contact_import_rejects" drop constraint "contact_import_rejects_reason_check";`);
    this.addSql(
      `alter table "contact_import_rejects" add constraint "contact_import_rejects_reason_check" check (reason in ('invalid', 'unreadable', 'duplicate', 'exists', 'suppressed', 'disposable', 'list_address', 'no_domain', 'role', 'dropped', 'limit')) not valid;`,
    );
    this.addSql(`alter table "contact_import_rejects" validate constraint "contact_import_rejects_reason_check";`);

    this.addSql(
      `create unlogged table "contact_import_records" ("import_id" uuid not null, "position" int not null, "content" bytea not null, primary key ("import_id", "position"));`,
    );
    this.addSql(`alter table "contact_import_records" alter column "content" set storage external;`);
    this
      .addSql(`create unlogged table "contact_import_rows" ("import_id" uuid not null, "line" int not null, "email" text not null, "email_norm" text null, "email_hash" bytea null, "domain" text null, "refused" text null, "reason" text null,
      "verdict" text null, "marks" text[] not null default '{}', "suggestion" text null, "misfits" text[] not null default '{}', "cells" jsonb not null, "person" jsonb not null, primary key ("import_id", "line")) with (fillfactor = 70);`);
    this.addSql(
      `alter table "contact_import_rows" add constraint "contact_import_rows_verdict_check" check (verdict in ('new', 'updated', 'unchanged', 'left_out'));`,
    );
    this.addSql(`create index "contact_import_rows_hash_index" on "contact_import_rows" ("email_hash", "import_id");`);
    this.addSql(
      `create index "contact_import_rows_shown_index" on "contact_import_rows" ("import_id", "line") where refused is not null or marks <> '{}';`,
    );
    this.addSql(
      `create unlogged table "contact_import_domains" ("import_id" uuid not null, "domain" text not null, "people" int not null, "suggestion" text null, "is_looked_up" boolean not null default false, primary key ("import_id", "domain"));`,
    );
    this.addSql(`create function contact_imports_forget_staged() returns trigger language plpgsql as $body$
begin
  delete from contact_import_records where import_id = old.id;
  delete from contact_import_rows where import_id = old.id;
  delete from contact_import_domains where import_id = old.id;
  return null;
end
$body$`);
    this.addSql(
      `create trigger contact_imports_forget_staged after delete on contact_imports for each row execute function contact_imports_forget_staged()`,
    );
    this.addSql(
      `create table "mail_domains" ("domain" text not null, "takes_mail" boolean not null, "looked_up_at" timestamptz not null default now(), primary key ("domain"));`,
    );
    this.addSql(`create index "mail_domains_age_index" on "mail_domains" ("looked_up_at");`);
    this.addSql(
      `create table "import_mappings" ("owner_id" uuid not null, "header_hash" text not null, "mapping" jsonb not null, "used_at" timestamptz not null default now(), primary key ("owner_id", "header_hash"));`,
    );
    this.addSql(
      `alter table "import_mappings" add constraint "import_mappings_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;`,
    );
  }

  override down(): void {
    this.addSql(`drop trigger contact_imports_forget_staged on contact_imports;`);
    this.addSql(`drop function contact_imports_forget_staged();`);
    for (const table of [
      'import_mappings',
      'mail_domains',
      'contact_import_domains',
      'contact_import_rows',
      'contact_import_records',
    ])
      this.addSql(`drop table if exists "${table}" cascade;`);
    this.addSql(
      `delete from "contact_import_rejects" where reason not in ('invalid', 'duplicate', 'exists', 'suppressed', 'limit');`,
    );
    this.addSql(`alter table "contact_import_rejects" drop constraint "contact_import_rejects_reason_check";`);
    this.addSql(
      `alter table "contact_import_rejects" add constraint "contact_import_rejects_reason_check" check (reason in ('invalid', 'duplicate', 'exists', 'suppressed', 'limit'));`,
    );
    this.addSql(`alter table "contact_import_rejects" drop column "cells";`);
    this.addSql(
      `delete from "contact_imports" where email_list_id is null or status not in ('uploading', 'queued', 'running', 'done', 'failed');`,
    );
    this.addSql(`drop trigger contact_imports_account_change_2 on contact_imports;`);
    this.addSql(told(TOLD_BEFORE));
    for (const name of ['status', 'stage', 'goal'])
      this.addSql(`alter table "contact_imports" drop constraint "contact_imports_${name}_check";`);
    this.addSql(
      `alter table "contact_imports" add constraint "contact_imports_status_check" check (status in ('uploading', 'queued', 'running', 'done', 'failed'));`,
    );
    this.addSql(`alter table "contact_imports" alter column "email_list_id" set not null;`);
    this.addSql(
      `alter table "contact_imports" ${COLUMNS.split(', ')
        .map((name) => `drop column "${name}"`)
        .join(', ')};`,
    );
  }
}
