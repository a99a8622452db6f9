import { type Address, hostOf, localPartOf, parseAddress } from '../../../../shared/mail/address.js';
import { asOneLine } from '../../../../shared/text/one-line.js';
import type { FieldDefinition } from '../../../contacts/index.js';
import type { ImportRecord } from '../reading/record-source.js';
import { type AddressCell, readAddressCell } from './address-cell.js';
import { isDisposable, isListAddress, isRole } from './address-kinds.js';
import { DomainTypos } from './domain-typos.js';
import type { ContentRefusal, Mark } from './groups.js';
import { rowValues, type RowValues, type ValuePlan } from './row-values.js';
import type { ColumnTarget } from './targets.js';

/** The user's decision about all addresses at a domain. */
export type DomainFix = { to: string } | { drop: true } | { keep: true };

export interface JudgingOptions {
  targets: readonly ColumnTarget[];
  /** Labels of the columns, used to name columns whose values do not fit. */
  header?: readonly string[];
  fields: readonly FieldDefinition[];
  /** Whether serial numbers of dates count from 1904; null if numbers are never dates. */
  uses1904: boolean | null;
  /** ISO code of the country of phone numbers that have no country prefix. */
  country?: string;
  /** The largest company domains of the account. */
  ownDomains: readonly string[];
  /** Addresses corrected by hand, by line. */
  corrections?: ReadonlyMap<number, string>;
  domainFixes?: ReadonlyMap<string, DomainFix>;
  roles: 'keep' | 'drop';
  /** Whether whole names stay as they are; otherwise titles and credentials are removed and capitals normalised. */
  keepsNames?: boolean;
  /** Whether the account's do-not-send rules cover a normalised address. */
  isNotSentTo?: (norm: string) => boolean;
}

/** Rules and data for judging rows; prepared once for a file. */
export interface JudgingPlan extends ValuePlan {
  header: readonly string[];
  emailColumn: number;
  corrections: ReadonlyMap<number, string>;
  domainFixes: ReadonlyMap<string, DomainFix>;
  dropsRoles: boolean;
  typos: DomainTypos;
  isNotSentTo: (norm: string) => boolean;
}

export interface JudgedAddress {
  /** The text that was read as the address, on one line, for display. */
  email: string;
  address: Address | null;
  /** Why the row is left out because of its content; null if it may be imported. */
  refused: ContentRefusal | null;
  marks: Mark[];
  /** Domain that was probably intended, if the address looks mistyped. */
  suggestion: string | null;
}

export interface JudgedRow extends JudgedAddress {
  line: number;
  /** Labels of the columns whose values did not fit; the row is imported without these values. */
  misfits: string[];
  values: RowValues;
}

const MAX_SHOWN_LENGTH = 320;

export function judgingPlan(options: JudgingOptions): JudgingPlan {
  return {
    targets: options.targets,
    header: options.header ?? [],
    fields: new Map(options.fields.map((field) => [field.key, field])),
    uses1904: options.uses1904,
    phoneCountry: options.country,
    emailColumn: options.targets.indexOf('email'),
    corrections: options.corrections ?? new Map(),
    domainFixes: options.domainFixes ?? new Map(),
    dropsRoles: options.roles === 'drop',
    typos: new DomainTypos(options.ownDomains),
    keepsNames: options.keepsNames ?? false,
    isNotSentTo: options.isNotSentTo ?? (() => false),
  };
}

/** Judges a row by its content. The database decides about duplicates, suppressions and limits. */
export function judgeRow({ line, cells, refused }: ImportRecord, plan: JudgingPlan): JudgedRow {
  const given = readAddressCell(plan.corrections.get(line) ?? cells[plan.emailColumn] ?? '');
  const judged: JudgedAddress = refused
    ? { email: shown(given.address), address: null, refused: 'unreadable', marks: [], suggestion: null }
    : judgeCell(given, plan);
  const { values, misfits } = rowValues(refused ? [] : cells, plan, given.name);
  if (misfits.length > 0 && judged.refused === null) judged.marks.push('misfit');
  return { line, ...judged, misfits: misfits.map((column) => plan.header[column] || `Column ${column + 1}`), values };
}

/** Judges a single address that was typed by hand. */
export const judgeAddress = (text: string, plan: JudgingPlan): JudgedAddress => judgeCell(readAddressCell(text), plan);

function judgeCell({ address: text }: AddressCell, plan: JudgingPlan): JudgedAddress {
  const parsed = parseAddress(text);
  const fix = parsed && plan.domainFixes.get(hostOf(parsed.norm));
  const address = parsed && fix && 'to' in fix ? parseAddress(`${localPartOf(parsed.address)}@${fix.to}`) : parsed;
  const judged: JudgedAddress = {
    email: shown(address?.address ?? text),
    address,
    refused: null,
    marks: [],
    suggestion: null,
  };
  if (!address) return { ...judged, refused: 'invalid' };
  const { norm } = address;
  if (fix && 'drop' in fix) return { ...judged, refused: 'dropped' };
  if (isListAddress(norm)) return { ...judged, refused: 'list_address' };
  const suggestion = fix ? null : plan.typos.suggest(hostOf(norm));
  // The list of disposable domains contains misspellings of large providers. An address at such a misspelling counts as
  // that of a real person until the user decides otherwise.
  if (suggestion === null && isDisposable(norm)) return { ...judged, refused: 'disposable' };
  if (isRole(norm)) {
    if (plan.dropsRoles) return { ...judged, refused: 'role' };
    judged.marks.push('role');
  }
  judged.suggestion = suggestion;
  if (judged.suggestion !== null) judged.marks.push('mistyped');
  if (plan.isNotSentTo(norm)) judged.marks.push('do_not_send');
  return judged;
}

const shown = (text: string): string => asOneLine(text.slice(0, 2 * MAX_SHOWN_LENGTH)).slice(0, MAX_SHOWN_LENGTH);
