import { PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { oneOf } from '../../../shared/database/columns.js';
import { ContactImport } from './contact-import.entity.js';

/** Why a line did not go in (contract.md, import). */
export const REJECT_REASONS = ['invalid', 'duplicate', 'exists', 'suppressed', 'limit'] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** A line of an import that did not go in. */
@Entity({ tableName: 'contact_import_rejects' })
@Check({ name: 'contact_import_rejects_reason_check', expression: oneOf('reason', REJECT_REASONS) })
export class ContactImportReject {
  @ManyToOne(() => ContactImport, { mapToPk: true, primary: true, fieldName: 'import_id', deleteRule: 'cascade' })
  importId: string;

  /** Line number in the file, from 1. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  line: number;

  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text' })
  reason: RejectReason;

  [PrimaryKeyProp]?: ['importId', 'line'];
}
