import type { DefinitionsFromApi, FetchBaseQueryMeta, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { generatedApi } from './endpoints.gen';
import { paged, type Paged } from './paged';

/**
 * The generated client with two things said once, because several features share the calls: which collections are
 * read in pages, and what a change refreshes. Features re-export their hooks from here.
 */
type Generated = DefinitionsFromApi<typeof generatedApi>;
type Collections = 'listAuditEvents' | 'listEmailLists' | 'listContacts' | 'listHistory' | 'listDeliveries' | 'listInvites' | AdminCollections;
type AdminCollections =
  | 'listUsers' | 'listPendingUsers' | 'listSubscriptions' | 'listAttestedImports' | 'listSuppressions' | 'listSends' | 'listMailSenders' | 'listAllAuditEvents';
type RowOf<Definition> = Definition extends { Types?: { ResultType: (infer Row)[] } } ? Row : never;
type PagedDefinitions = {
  [Name in Collections]: OverrideResultType<Generated[Name], Paged<RowOf<NonNullable<Generated[Name]>>>>;
};

export const tagTypes = ['Me', 'Sessions', 'Audit', 'Lists', 'List', 'Contacts', 'Import', 'History', 'HistoryEntry', 'Deliveries', 'RunningTasks', 'Senders', 'Referrals', 'Plan',
  'AdminUsers', 'AdminContacts', 'AdminImports', 'AdminSends', 'Suppressions', 'Providers', 'AdminNumbers', 'AdminAudit'] as const;
export type Tag = (typeof tagTypes)[number];

/** transformResponse of a collection; the generated type says array, the cache holds a page. */
const asPage = { transformResponse: (rows: unknown, meta: unknown) => paged(rows as never[], meta as FetchBaseQueryMeta) };
const of = (type: Tag) => (_result: unknown, _error: unknown, arg: { id: string }) => [{ type, id: arg.id }];

/** Only what succeeded has changed anything. */
const touches =
  <Arg>(tags: (arg: Arg) => { type: Tag; id?: string }[]) =>
  (_result: unknown, error: unknown, arg: Arg) =>
    error ? [] : tags(arg);

const contactsOf = touches((arg: { id: string }) => [{ type: 'Contacts', id: arg.id }, { type: 'List', id: arg.id }, { type: 'Lists' }, { type: 'AdminContacts' }]);
const sendOf = touches((arg: { id: string }) => [
  { type: 'HistoryEntry', id: arg.id }, { type: 'Deliveries', id: arg.id }, { type: 'History' }, { type: 'AdminSends' }, { type: 'RunningTasks' }, { type: 'Me' },
]);
const running = touches(() => [{ type: 'RunningTasks' }]);
const none = touches(() => []);
const senders = touches(() => [{ type: 'Senders' }]);
const me = touches(() => [{ type: 'Me' }]);
const profile = touches(() => [{ type: 'Me' }, { type: 'Audit' }]);
const plan = touches(() => [{ type: 'Plan' }, { type: 'Me' }]);
const sessions = touches(() => [{ type: 'Sessions' }, { type: 'Audit' }]);

/** What an admin does is written down, and may change the numbers above. */
const acts = (...tags: Tag[]) => touches(() => [...tags, 'AdminAudit' as const, 'AdminNumbers' as const].map((type) => ({ type })));
const accounts = acts('AdminUsers', 'Me', 'Audit');
const contactsOfAll = acts('AdminContacts', 'AdminImports', 'Contacts', 'List', 'Lists');

export const client = generatedApi.enhanceEndpoints<Tag, Omit<Generated, Collections> & PagedDefinitions>({
  addTagTypes: tagTypes,
  endpoints: {
    getCurrentUser: { providesTags: ['Me'] },
    login: { invalidatesTags: none },
    register: { invalidatesTags: none },
    logout: { invalidatesTags: none },
    verifyEmail: { invalidatesTags: me },
    disownAccount: { invalidatesTags: me },
    resendVerification: { invalidatesTags: me },
    forgotPassword: { invalidatesTags: none },
    resetPassword: { invalidatesTags: none },
    changeRole: { invalidatesTags: profile },
    changeName: { invalidatesTags: profile },
    changeSettings: { invalidatesTags: profile },
    setAvatar: { invalidatesTags: profile },
    removeAvatar: { invalidatesTags: profile },
    changePassword: { invalidatesTags: sessions },
    listSessions: { providesTags: ['Sessions'] },
    endSession: { invalidatesTags: sessions },
    endOtherSessions: { invalidatesTags: sessions },
    listAuditEvents: { ...asPage, providesTags: ['Audit'] },
    deleteAccount: { invalidatesTags: none },

    listEmailLists: { ...asPage, providesTags: ['Lists'] },
    getEmailList: { providesTags: of('List') },
    createEmailList: { invalidatesTags: touches(() => [{ type: 'Lists' }]) },
    updateEmailList: { invalidatesTags: touches((arg) => [{ type: 'Lists' }, { type: 'List', id: arg.id }]) },
    deleteEmailList: {
      invalidatesTags: touches((arg: { id: string }) => [{ type: 'Lists' }, { type: 'List', id: arg.id }, { type: 'Contacts', id: arg.id }, { type: 'AdminContacts' }]),
    },

    listContacts: { ...asPage, providesTags: of('Contacts') },
    addContact: { invalidatesTags: contactsOf },
    updateContact: { invalidatesTags: contactsOf },
    deleteContact: { invalidatesTags: contactsOf },
    resendConfirmation: { invalidatesTags: none },
    importContacts: { invalidatesTags: running },
    getImport: { providesTags: (_result, _error, { jobId }) => [{ type: 'Import', id: jobId }] },
    getRunningTasks: { providesTags: ['RunningTasks'] },

    // Reading an unsubscribe link acts: nothing may ever ask it again by itself, or undo would be undone.
    readUnsubscribe: { providesTags: [] },
    confirmSubscription: { providesTags: [] },
    subscribe: { invalidatesTags: none },
    listSenders: { providesTags: ['Senders'] },
    unsubscribe: { invalidatesTags: senders },
    unsubscribeEverything: { invalidatesTags: senders },
    leaveSender: { invalidatesTags: senders },
    undoUnsubscribe: { invalidatesTags: senders },

    sendEmail: { invalidatesTags: touches(() => [{ type: 'History' }, { type: 'RunningTasks' }, { type: 'Me' }]) },
    // Its key holds the whole text.
    previewSend: { keepUnusedDataFor: 0 },
    pauseSend: { invalidatesTags: sendOf },
    resumeSend: { invalidatesTags: sendOf },
    cancelSend: { invalidatesTags: sendOf },
    retrySend: { invalidatesTags: sendOf },
    listHistory: { ...asPage, providesTags: ['History'] },
    getHistoryEntry: { providesTags: of('HistoryEntry') },
    // What the dashboard sums up is refreshed by whatever changes the things themselves.
    getDashboardStats: { providesTags: ['Lists', 'History'] },
    getDashboardTrends: { providesTags: ['Lists', 'History'] },
    getDashboardOutcomes: { providesTags: ['History'] },
    listDeliveries: { ...asPage, providesTags: of('Deliveries') },

    getReferrals: { providesTags: ['Referrals'] },
    listInvites: { ...asPage, providesTags: ['Referrals'] },
    sendInvite: { invalidatesTags: touches(() => [{ type: 'Referrals' }]) },
    listUsers: { ...asPage, providesTags: ['AdminUsers'] },
    listPendingUsers: { ...asPage, providesTags: ['AdminUsers'] },
    getUser: { providesTags: ['AdminUsers'] },
    verifyUser: { invalidatesTags: accounts },
    changeUser: { invalidatesTags: accounts },
    listSubscriptions: { ...asPage, providesTags: ['AdminContacts'] },
    findLists: { providesTags: ['Lists'] },
    confirmContact: { invalidatesTags: contactsOfAll },
    listAttestedImports: { ...asPage, providesTags: ['AdminImports'] },
    confirmImport: { invalidatesTags: contactsOfAll },
    declineImport: { invalidatesTags: contactsOfAll },
    listSuppressions: { ...asPage, providesTags: ['Suppressions'] },
    addSuppression: { invalidatesTags: acts('Suppressions', 'AdminContacts', 'Contacts', 'List', 'Lists') },
    liftSuppression: { invalidatesTags: acts('Suppressions', 'AdminContacts', 'Contacts', 'List', 'Lists') },
    listSends: { ...asPage, providesTags: ['AdminSends'] },
    listMailSenders: { ...asPage, providesTags: ['AdminUsers'] },
    listAllAuditEvents: { ...asPage, providesTags: ['AdminAudit'] },
    getOverview: { providesTags: ['AdminNumbers'] },
    listProviders: { providesTags: ['Providers'] },
    listProviderSecrets: { providesTags: [] },
    listProviderRates: { providesTags: ['Providers'] },
    addProvider: { invalidatesTags: acts('Providers') },
    changeProvider: { invalidatesTags: acts('Providers') },
    removeProvider: { invalidatesTags: acts('Providers') },
    testProvider: { invalidatesTags: acts('Providers') },

    noteVisit: { invalidatesTags: none },
    optOutOfInvites: { invalidatesTags: none },

    listPlans: { providesTags: [] },
    stripeConfig: { providesTags: [] },
    subscriptionStatus: { providesTags: ['Plan'] },
    createSubscription: { invalidatesTags: none },
    cancelSubscription: { invalidatesTags: plan },
    reactivateSubscription: { invalidatesTags: plan },
    createPortalSession: { invalidatesTags: none },
  },
});
