/** Cache tags: kinds of data. Queries provide them and changes invalidate them. */
export const tagTypes = [
  'Me',
  'Sessions',
  'Audit',
  /** The lists, and what is summed up over them; without an id. */
  'Lists',
  /** Counts of all lists, without the lists themselves. */
  'ListCounts',
  /** Data that list pickers show beside the list names: counts, merge tags, filter terms. */
  'ListChoices',
  /** One list and its figures, by the list's id. */
  'List',
  /** The contacts of one list, by the list's id. */
  'Contacts',
  /** The people of the account, whatever lists they are on; "contacts" on screens. */
  'Profiles',
  /** One person and the timeline, by the profile's id. */
  'Profile',
  'ContactColumns',
  'ContactFields',
  'ContactTags',
  'Segments',
  'DoNotSend',
  'Companies',
  'Import',
  'Imports',
  'History',
  'HistoryEntry',
  'Deliveries',
  'RunningTasks',
  'Scheduled',
  'Drafts',
  'Templates',
  /** Uploaded pictures and documents. */
  'Files',
  'SenderProfile',
  'Testers',
  'Tests',
  'Referrals',
  'Notifications',
  'Plan',
  'AdminUsers',
  'AdminContacts',
  'AdminImports',
  'AdminFiles',
  'AdminSends',
  'Suppressions',
  'Providers',
  'AdminNumbers',
  'AdminAudit',
] as const;
export type Tag = (typeof tagTypes)[number];

export const tagWithId = (type: Tag) => (_result: unknown, _error: unknown, arg: { id: string }) => [
  { type, id: arg.id },
];

interface PreviewedAudience {
  emailListIds?: string[];
  segmentIds?: string[];
  excludeListIds?: string[];
  excludeSegmentIds?: string[];
}

/**
 * A preview depends on the contacts of its lists, the people in its segments, do-not-send rules, and whether the sender
 * is verified.
 */
export const previewCacheTags = (
  _result: unknown,
  _error: unknown,
  { previewSendDto }: { previewSendDto: PreviewedAudience },
): { type: Tag; id?: string }[] => {
  const { emailListIds = [], segmentIds = [], excludeListIds = [], excludeSegmentIds = [] } = previewSendDto;
  const ofLists = (['Contacts', 'List'] as const).flatMap((type) =>
    [...emailListIds, ...excludeListIds].map((id) => ({ type, id })),
  );
  const hasSegments = segmentIds.length + excludeSegmentIds.length > 0;
  return [...ofLists, ...(hasSegments ? allOf('Profiles', 'Segments') : []), ...allOf('DoNotSend', 'Me')];
};

/** A check depends on the same data as a preview, and on the sender's address, the tests of the message and its files. */
export const checkCacheTags = (
  result: unknown,
  error: unknown,
  { checkSendDto }: { checkSendDto: PreviewedAudience },
): { type: Tag; id?: string }[] => [
  ...previewCacheTags(result, error, { previewSendDto: checkSendDto }),
  ...allOf('SenderProfile', 'Tests', 'Files'),
];

const allOf = (...types: Tag[]) => types.map((type) => ({ type }));

/** Tags to invalidate after a mutation, only if it succeeded. */
export const invalidateOnSuccess =
  <Arg>(tags: (arg: Arg) => { type: Tag; id?: string }[]) =>
  (_result: unknown, error: unknown, arg: Arg) =>
    error ? [] : tags(arg);

/**
 * List pickers (`sendable`) show up to a thousand lists. They have a separate tag, which is refetched less often while
 * an import changes the counts.
 */
export const providedByLists = (_result: unknown, _error: unknown, arg: { sendable?: boolean | undefined }) =>
  allOf('Lists', arg.sendable ? 'ListChoices' : 'ListCounts');

export const listContactCacheTags = invalidateOnSuccess((arg: { id: string }) => [
  { type: 'Contacts', id: arg.id },
  { type: 'List', id: arg.id },
  { type: 'Lists' },
  { type: 'Profiles' },
  { type: 'Profile' },
  { type: 'AdminContacts' },
]);
/** After a change to a person: the contacts of that person's lists show the change too. */
export const profileCacheTags = invalidateOnSuccess((arg: { id: string }) => [
  { type: 'Profile', id: arg.id },
  { type: 'Profiles' },
  { type: 'Contacts' },
  { type: 'Lists' },
]);
/** After a person was added or deleted: the members of lists change too. */
export const profileSetCacheTags = invalidateOnSuccess(() => [
  { type: 'Profiles' },
  { type: 'Contacts' },
  { type: 'Lists' },
  { type: 'List' },
]);
/** A segment was created, changed or deleted. */
export const segmentCacheTags = invalidateOnSuccess(() => [{ type: 'Segments' }, { type: 'Profiles' }]);
export const noteCacheTags = invalidateOnSuccess((arg: { id: string }) => [{ type: 'Profile', id: arg.id }]);
/** Contacts show the names of fields, and the values of a deleted field disappear. */
export const contactFieldCacheTags = invalidateOnSuccess(() => [
  { type: 'ContactFields' },
  { type: 'Profiles' },
  { type: 'Profile' },
]);
export const contactTagCacheTags = invalidateOnSuccess(() => [
  { type: 'ContactTags' },
  { type: 'Profiles' },
  { type: 'Profile' },
]);
/** Contacts and companies show the rules that cover them. A person who asked to stop also leaves all lists. */
export const ruleCacheTags = invalidateOnSuccess(() => [
  { type: 'DoNotSend' },
  { type: 'Companies' },
  { type: 'Profile' },
  { type: 'Profiles' },
  { type: 'Contacts' },
  { type: 'List' },
  { type: 'Lists' },
]);
/** A list was deleted or restored. */
export const listSetCacheTags = invalidateOnSuccess((arg: { id: string }) => [
  { type: 'Lists' },
  { type: 'List', id: arg.id },
  { type: 'Contacts', id: arg.id },
  { type: 'AdminContacts' },
]);
export const sendTags = invalidateOnSuccess((arg: { id: string }) => [
  { type: 'HistoryEntry', id: arg.id },
  { type: 'Deliveries', id: arg.id },
  { type: 'History' },
  { type: 'AdminSends' },
  { type: 'RunningTasks' },
  { type: 'Me' },
]);
/** After a change to a scheduled email: the number of emails that count against a day's limit changes too. */
export const scheduledTags = invalidateOnSuccess(() => [{ type: 'Scheduled' }, { type: 'Me' }]);
/** After a change to an import: its lines and the list of imports change too. */
export const importCacheTags = invalidateOnSuccess((arg: { id: string }) => [
  { type: 'Import', id: arg.id },
  { type: 'Imports' },
  { type: 'RunningTasks' },
]);
export const runningTaskTags = invalidateOnSuccess(() => [{ type: 'RunningTasks' }]);
export const draftTags = invalidateOnSuccess(() => [{ type: 'Drafts' }]);
export const templateTags = invalidateOnSuccess(() => [{ type: 'Templates' }]);
export const fileTags = invalidateOnSuccess(() => [{ type: 'Files' }]);
export const noTags = invalidateOnSuccess(() => []);
export const userTags = invalidateOnSuccess(() => [{ type: 'Me' }]);
/** The signed-in user's own name, role, settings or picture changed. */
export const ownAccountTags = invalidateOnSuccess(() => [{ type: 'Me' }, { type: 'Audit' }]);
export const planTags = invalidateOnSuccess(() => [{ type: 'Plan' }, { type: 'Me' }]);
export const sessionTags = invalidateOnSuccess(() => [{ type: 'Sessions' }, { type: 'Audit' }]);

/** Every action of an admin adds an audit event and may change the counts. */
export const adminAction = (...tags: Tag[]) =>
  invalidateOnSuccess(() => [...tags, 'AdminAudit' as const, 'AdminNumbers' as const].map((type) => ({ type })));
export const accountTags = adminAction('AdminUsers', 'Me', 'Audit');
export const allContactTags = adminAction('AdminContacts', 'AdminImports', 'Contacts', 'List', 'Lists');
