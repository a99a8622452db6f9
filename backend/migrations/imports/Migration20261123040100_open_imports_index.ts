import { Migration } from '@mikro-orm/migrations';

const build = (statuses: string): string =>
  `create index concurrently "contact_imports_open_index" on "contact_imports" ("created_at") where status in (${statuses});`;

/** Finds unfinished imports, including those that wait for their user. Built without locking writes. */
export class Migration20261123040100_open_imports_index extends Migration {
  override name = 'Migration20261123040100_open_imports_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`drop index concurrently if exists "contact_imports_open_index";`);
    this.addSql(build(`'uploading', 'queued', 'reading', 'mapping', 'checking', 'ready', 'running'`));
  }

  override down(): void {
    this.addSql(`drop index concurrently if exists "contact_imports_open_index";`);
    this.addSql(build(`'uploading', 'queued', 'running'`));
  }
}
