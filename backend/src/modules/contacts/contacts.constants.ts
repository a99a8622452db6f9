/** How the account got an address; the same values as a contact's source on a list. */
export const PROFILE_SOURCES = ['owner', 'import', 'public', 'admin'] as const;
export type ProfileSource = (typeof PROFILE_SOURCES)[number];

/** Origins of a time zone, the most reliable first. */
export const TIME_ZONE_SOURCES = ['hand', 'person', 'file', 'place', 'region'] as const;
export type TimeZoneSource = (typeof TIME_ZONE_SOURCES)[number];

export const FIELD_TYPES = ['text', 'number', 'date', 'yes_no', 'choice', 'choices', 'url'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Consent of a person, over all own lists of the account. */
export const PROFILE_CONSENTS = ['mailable', 'pending', 'left', 'bounced', 'complained', 'none'] as const;
export type ProfileConsent = (typeof PROFILE_CONSENTS)[number];

export const BULK_ACTIONS = ['addTags', 'removeTags', 'addToList', 'removeFromList', 'setField', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Clean-ups after a tag or field that many contacts have was deleted, or after a field became a text. */
export const CLEANUP_ACTIONS = ['forgetTag', 'forgetField', 'fieldToText'] as const;
export type CleanupAction = (typeof CLEANUP_ACTIONS)[number];

export const JOB_ACTIONS = [...BULK_ACTIONS, ...CLEANUP_ACTIONS] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** States of a bulk change; done and failed are final. */
export const BULK_STATUSES = ['queued', 'running', 'done', 'failed'] as const;
export type BulkStatus = (typeof BULK_STATUSES)[number];

/** Why a bulk change left a contact unchanged. */
export const BULK_REFUSALS = ['exists', 'suppressed', 'too_many_tags', 'plan_limit'] as const;
export type BulkRefusal = (typeof BULK_REFUSALS)[number];

/** Columns that the contacts page can show besides the name. The web app labels the same names in `column-names.ts`. */
export const PROFILE_COLUMNS = [
  'company',
  'jobTitle',
  'lists',
  'tags',
  'consent',
  'lastMailedAt',
  'createdAt',
  'phone',
  'city',
  'region',
  'country',
  'timeZone',
] as const;
export type ProfileColumn = (typeof PROFILE_COLUMNS)[number];
/** Columns that an account sees until it has chosen its own. */
export const DEFAULT_COLUMNS: readonly ProfileColumn[] = [
  'company',
  'jobTitle',
  'lists',
  'tags',
  'consent',
  'lastMailedAt',
];
/** Kinds of do-not-send rules, by the thing that a rule applies to. */
export const RULE_KINDS = ['address', 'domain'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** Reasons for do-not-send rules. */
export const RULE_REASONS = ['own_agency', 'end_client', 'competitor', 'present_employer', 'other'] as const;
export type RuleReason = (typeof RULE_REASONS)[number];

/**
 * Reasons in the do-not-send screens: the reasons for rules, and a person's own request to stop, which is stored as a
 * withdrawal of consent and not as a rule.
 */
export const DO_NOT_SEND_REASONS = [...RULE_REASONS, 'asked_to_stop'] as const;
export type DoNotSendReason = (typeof DO_NOT_SEND_REASONS)[number];

/** Relation of a company to the account. */
export const COMPANY_KINDS = ['vendor', 'end_client', 'own_agency', 'competitor', 'other'] as const;
export type CompanyKind = (typeof COMPANY_KINDS)[number];

/** Keys that a custom field must not have, because they name built-in parts of a profile. */
export const BUILT_IN_KEYS: ReadonlySet<string> = new Set([
  'id',
  'email',
  'name',
  'first_name',
  'last_name',
  'full_name',
  'company',
  'company_domain',
  'job_title',
  'phone',
  'city',
  'region',
  'country',
  'time_zone',
  'skills',
  'tags',
  'fields',
  'consent',
  'last_mailed_at',
  'created_at',
]);

/** Maximum number of characters of a profile's texts. */
export const PROFILE_LENGTHS = {
  name: 200,
  firstName: 100,
  lastName: 100,
  company: 200,
  jobTitle: 200,
  phone: 50,
  city: 100,
  region: 100,
} as const;

/** Limits of the product, the same on all plans. */
export const CONTACT_LIMITS = {
  fields: 100,
  tags: 1_000,
  tagsPerContact: 50,
  tagName: 50,
  note: 5_000,
  notesPerContact: 500,
  textValue: 1_000,
  urlValue: 2_048,
  options: 200,
  bulkIds: 1_000,
  segments: 500,
  rules: 5_000,
  ruleNote: 500,
  companyCap: 50,
} as const;
