/** Cache tags: what data is of, and what a change makes stale. */
export const tagTypes = [
  'Me',
  'Sessions',
  'Audit',
  'Lists',
  /** The counts of all lists, apart from which lists there are. */
  'ListCounts',
  /** What choices show beside the names of lists: counts, merge tags, terms of filters. */
  'ListChoices',
  'List',
  'Contacts',
  'Profiles',
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

/** A preview counts who is on the lists, whoever fits the segments, and leaves out by rules; whether its sender is verified counts too. */
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

/** A check counts as a preview does; it also looks at the sender's address, at the tests of the message and at its files. */
export const checkCacheTags = (
  result: unknown,
  error: unknown,
  { checkSendDto }: { checkSendDto: PreviewedAudience },
): { type: Tag; id?: string }[] => [
  ...previewCacheTags(result, error, { previewSendDto: checkSendDto }),
  ...allOf('SenderProfile', 'Tests', 'Files'),
];

const allOf = (...types: Tag[]) => types.map((type) => ({ type }));

/** Tags to invalidate after a mutation that succeeded. */
export const invalidateOnSuccess =
  <Arg>(tags: (arg: Arg) => { type: Tag; id?: string }[]) =>
  (_result: unknown, error: unknown, arg: Arg) =>
    error ? [] : tags(arg);

/** The lists of a choice are up to a thousand: counts that move, as during an import, are asked for again less often. */
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
/** A person changed, and with it the contacts of the lists that the person is on. */
export const profileCacheTags = invalidateOnSuccess((arg: { id: string }) => [
  { type: 'Profile', id: arg.id },
  { type: 'Profiles' },
  { type: 'Contacts' },
  { type: 'Lists' },
]);
/** A person was added or deleted, and with it members of lists. */
export const profileSetCacheTags = invalidateOnSuccess(() => [
  { type: 'Profiles' },
  { type: 'Contacts' },
  { type: 'Lists' },
  { type: 'List' },
]);
/** A segment was made, changed or deleted. */
export const segmentCacheTags = invalidateOnSuccess(() => [{ type: 'Segments' }, { type: 'Profiles' }]);
export const noteCacheTags = invalidateOnSuccess((arg: { id: string }) => [{ type: 'Profile', id: arg.id }]);
/** Fields and tags are shown by their names; without one its values are gone. */
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
/** A rule is shown with what it covers: contacts and companies. Somebody who asked to stop leaves all lists. */
export const ruleCacheTags = invalidateOnSuccess(() => [
  { type: 'DoNotSend' },
  { type: 'Companies' },
  { type: 'Profile' },
  { type: 'Profiles' },
  { type: 'Contacts' },
  { type: 'List' },
  { type: 'Lists' },
]);
export const staleAfterListRemoval = invalidateOnSuccess((arg: { id: string }) => [
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
/** A scheduled email changed, and with it the places of its day that are held. */
export const scheduledTags = invalidateOnSuccess(() => [{ type: 'Scheduled' }, { type: 'Me' }]);
/** An import changed, and with it its lines and the list of imports. */
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
export const profileTags = invalidateOnSuccess(() => [{ type: 'Me' }, { type: 'Audit' }]);
export const planTags = invalidateOnSuccess(() => [{ type: 'Plan' }, { type: 'Me' }]);
export const sessionTags = invalidateOnSuccess(() => [{ type: 'Sessions' }, { type: 'Audit' }]);

/** Every action of an admin adds an audit event and may change the counts. */
export const adminAction = (...tags: Tag[]) =>
  invalidateOnSuccess(() => [...tags, 'AdminAudit' as const, 'AdminNumbers' as const].map((type) => ({ type })));
export const accountTags = adminAction('AdminUsers', 'Me', 'Audit');
export const allContactTags = adminAction('AdminContacts', 'AdminImports', 'Contacts', 'List', 'Lists');
