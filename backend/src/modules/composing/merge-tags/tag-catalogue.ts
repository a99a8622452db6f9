import { LIST_NAME, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import type { CustomField } from '../../lists/index.js';

export const TAG_GROUPS = ['Contact', 'Custom fields', 'List', 'You'] as const;
export type TagGroup = (typeof TAG_GROUPS)[number];

/** A tag that a message may use. */
export interface KnownTag {
  tag: string;
  label: string;
  group: TagGroup;
  example: string;
  /** Whether the tag's value differs between contacts. */
  perContact: boolean;
  /** Labels of the list columns that hold the tag's value; absent for built-in fields of the contact. */
  labels?: string[];
  /** Place of the value in profiles, for `profileValueSql`; absent if profiles do not hold the value. */
  profile?: string;
  /** Whether the tag is an older name of another tag. Texts may use it, but menus do not offer it. */
  isAlias?: boolean;
  /** The tag's value, if it is the same for all recipients; absent for contact tags and for the list's name. */
  value?: string;
}

/** The tags that one composition may use, by name. */
export type TagCatalogue = ReadonlyMap<string, KnownTag>;

/** Facts about the sender, which are the same for all recipients. */
export interface SenderFacts {
  firstName: string;
  lastName: string;
  email: string;
  agencyName: string | null;
  timeZone: string;
}

/** Keys of columns that hold the company. */
const COMPANY_KEYS = new Set(['company', 'company_name', 'organization', 'organisation', 'employer']);

export const isCompany = ({ key }: Pick<CustomField, 'key'>): boolean => COMPANY_KEYS.has(key);

const CONTACT: KnownTag[] = (
  [
    ['first_name', 'First name', 'Priya'],
    ['last_name', 'Last name', 'Patel'],
    ['full_name', 'Full name', 'Priya Patel'],
    ['company', 'Company', 'Acme Staffing'],
    ['email', 'Email', 'priya@acme.example'],
  ] as const
).map(([tag, label, example]) => ({ tag, label, example, group: 'Contact', perContact: true }));

/** All tags that a message to these lists may use. */
export function tagCatalogue(
  sender: SenderFacts,
  listNames: readonly string[],
  fields: readonly CustomField[],
  now: Date,
): TagCatalogue {
  const company = fields.filter(isCompany).flatMap(({ labels }) => labels);
  const tags: KnownTag[] = [
    ...CONTACT.map((tag) => (tag.tag === 'company' ? { ...tag, labels: company } : tag)),
    ...fields.map(({ key, label, labels, profile, isAlias }): KnownTag => ({
      tag: `field.${key}`,
      label,
      group: 'Custom fields',
      example: '',
      perContact: true,
      labels,
      ...(profile && { profile }),
      ...(isAlias && { isAlias }),
    })),
    { tag: LIST_NAME, label: 'List name', group: 'List', example: listNames[0] ?? '', perContact: false },
    ...constants(sender, now),
  ];
  return new Map(tags.map((tag) => [tag.tag, tag]));
}

function constants(sender: SenderFacts, now: Date): KnownTag[] {
  const values = [
    ['sender_name', 'Your name', `${sender.firstName} ${sender.lastName}`],
    ['sender_first_name', 'Your first name', sender.firstName],
    ['sender_email', 'Your email', sender.email],
    ['agency_name', 'Your agency', sender.agencyName ?? ''],
    ['today', 'Date of sending', dateIn(now, sender.timeZone)],
  ] as const;
  return values.map(([tag, label, value]) => ({ tag, label, group: 'You', example: value, perContact: false, value }));
}

const dateIn = (now: Date, timeZone: string): string =>
  now.toLocaleDateString('en-US', { timeZone, year: 'numeric', month: 'long', day: 'numeric' });

/** Label of a tag on screens. */
export const labelOf = ({ tag }: TagPiece, catalogue: TagCatalogue): string => catalogue.get(tag)?.label ?? tag;
