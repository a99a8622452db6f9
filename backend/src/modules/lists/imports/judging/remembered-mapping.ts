import { createHash } from 'node:crypto';
import { headerName } from './header-names.js';
import type { ColumnTarget } from './targets.js';

/** Targets of the columns in an account's last file with the same headers, by normalised header. */
export type RememberedMapping = Record<string, ColumnTarget>;

/** SHA-256 in hex of a set of headers, whatever their order and spelling. */
export function headerHash(header: readonly string[]): string {
  const names = [...new Set(header.map(headerName))].sort();
  return createHash('sha256').update(names.join('\n')).digest('hex');
}

/** The mapping in its stored form. Of several columns with the same name, the first one counts. */
export function rememberable(header: readonly string[], targets: readonly ColumnTarget[]): RememberedMapping {
  const mapping = new Map<string, ColumnTarget>();
  header.forEach((label, column) => {
    const name = headerName(label);
    if (name !== '' && !mapping.has(name)) mapping.set(name, targets[column] ?? 'ignore');
  });
  return Object.fromEntries(mapping);
}
