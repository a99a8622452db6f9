import { Migration } from '@mikro-orm/migrations';

/** Enables trigram search in addresses. The extension is trusted, so the database's owner may create it. */
export class Migration20261121000000_extensions extends Migration {
  override name = 'Migration20261121000000_extensions';

  override up(): void {
    this.addSql('create extension if not exists pg_trgm');
  }

  override down(): void {
    this.addSql('drop extension if exists pg_trgm');
  }
}
