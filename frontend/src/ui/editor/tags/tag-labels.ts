/** A merge tag that a person can insert. */
export interface TagOption {
  tag: string;
  label: string;
  /** Its heading in the menu: 'Contact', 'You', ... */
  group: string;
  example?: string | null;
  /** Number of chosen recipients with a value, and of all chosen recipients; absent if this is not counted. */
  filled?: number;
  total?: number;
}

const labels: Record<string, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  full_name: 'Full name',
  company: 'Company',
  email: 'Email',
  list_name: 'List name',
  sender_name: 'Your name',
  sender_first_name: 'Your first name',
  sender_title: 'Your title',
  sender_phone: 'Your phone',
  sender_email: 'Your email',
  agency_name: 'Your agency',
  today: 'Date of sending',
};

/** Whether a tag may exist. Only the server knows which custom fields exist. */
export const isKnownTag = (tag: string) => Object.hasOwn(labels, tag) || tag.startsWith('field.');

/** 'First name'; 'Visa status' for a custom field. */
export function tagLabel(tag: string): string {
  if (Object.hasOwn(labels, tag)) return labels[tag] ?? tag;
  const words = tag
    .replace(/^field\./, '')
    .replaceAll('_', ' ')
    .replaceAll('.', ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Initial fallback of a tag, because a greeting must never read 'Hi ,'. */
export const firstFallback = (tag: string): string | null => (tag === 'first_name' ? 'there' : null);

/** Tags that match the text after `{{`, or in the menu's search. */
export const findTags = (options: readonly TagOption[], typed: string): TagOption[] => {
  const words = typed.trim().toLowerCase();
  return options.filter(({ tag, label, group }) => `${label} ${tag} ${group}`.toLowerCase().includes(words));
};
