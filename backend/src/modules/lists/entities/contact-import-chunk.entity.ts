import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { ContactImport } from './contact-import.entity.js';

/** A piece of an import's file; removed when the import is done. */
@Entity({ tableName: 'contact_import_chunks' })
export class ContactImportChunk {
  @ManyToOne(() => ContactImport, { mapToPk: true, primary: true, fieldName: 'import_id', deleteRule: 'cascade' })
  importId: string;

  @PrimaryKey({ type: 'integer', autoincrement: false })
  position: number;

  @Property({ type: 'blob', columnType: 'bytea' })
  content: Uint8Array;

  [PrimaryKeyProp]?: ['importId', 'position'];
}
