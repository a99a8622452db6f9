import type { TagOption } from './tag-labels';

/** The merge tags that every message can use, whatever lists it goes to. */
export const builtInTags: readonly TagOption[] = [
  { tag: 'first_name', label: 'First name', group: 'Contact', example: 'Priya' },
  { tag: 'last_name', label: 'Last name', group: 'Contact', example: 'Patel' },
  { tag: 'full_name', label: 'Full name', group: 'Contact', example: 'Priya Patel' },
  { tag: 'company', label: 'Company', group: 'Contact', example: 'Acme Staffing' },
  { tag: 'email', label: 'Email', group: 'Contact', example: 'priya@acme.example' },
  { tag: 'list_name', label: 'List name', group: 'List' },
  { tag: 'sender_name', label: 'Your name', group: 'You' },
  { tag: 'sender_first_name', label: 'Your first name', group: 'You' },
  { tag: 'sender_email', label: 'Your email', group: 'You' },
  { tag: 'agency_name', label: 'Your agency', group: 'You' },
  { tag: 'today', label: 'Date of sending', group: 'You' },
];
