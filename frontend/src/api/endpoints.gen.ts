import { baseApi as api } from './base-api';
export const addTagTypes = [
  'admin',
  'auth',
  'billing',
  'diagnostics',
  'contacts',
  'History',
  'Composing',
  'lists',
  'Events',
  'Files',
  'health',
  'imports',
  'consent',
  'notifications',
  'referrals',
  'Scheduled sends',
  'segments',
  'Sending',
  'Webhooks',
] as const;
const injectedRtkApi = api
  .enhanceEndpoints({
    addTagTypes,
  })
  .injectEndpoints({
    endpoints: (build) => ({
      listAllAuditEvents: build.query<ListAllAuditEventsApiResponse, ListAllAuditEventsApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/audit`,
          params: {
            kind: queryArg.kind,
            userId: queryArg.userId,
            actorId: queryArg.actorId,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      listReportedFiles: build.query<ListReportedFilesApiResponse, ListReportedFilesApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/files`,
          params: {
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      dismissFileReports: build.mutation<DismissFileReportsApiResponse, DismissFileReportsApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/files/${encodeURIComponent(String(queryArg.id))}/dismiss`,
          method: 'POST',
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ['admin'],
      }),
      takeDownFile: build.mutation<TakeDownFileApiResponse, TakeDownFileApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/files/${encodeURIComponent(String(queryArg.id))}/take-down`,
          method: 'POST',
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ['admin'],
      }),
      listAttestedImports: build.query<ListAttestedImportsApiResponse, ListAttestedImportsApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/imports`,
          params: {
            state: queryArg.state,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      confirmImport: build.mutation<ConfirmImportApiResponse, ConfirmImportApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/imports/${encodeURIComponent(String(queryArg.jobId))}/confirm`,
          method: 'POST',
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ['admin'],
      }),
      declineImport: build.mutation<DeclineImportApiResponse, DeclineImportApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/imports/${encodeURIComponent(String(queryArg.jobId))}/decline`,
          method: 'POST',
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ['admin'],
      }),
      findLists: build.query<FindListsApiResponse, FindListsApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/lists`,
          params: {
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      getOverview: build.query<GetOverviewApiResponse, GetOverviewApiArg>({
        query: () => ({ url: `/api/admin/overview` }),
        providesTags: ['admin'],
      }),
      listPendingUsers: build.query<ListPendingUsersApiResponse, ListPendingUsersApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/pending-users`,
          params: {
            role: queryArg.role,
            isAdmin: queryArg.isAdmin,
            isVerified: queryArg.isVerified,
            suspended: queryArg.suspended,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      listProviderRates: build.query<ListProviderRatesApiResponse, ListProviderRatesApiArg>({
        query: () => ({ url: `/api/admin/provider-rates` }),
        providesTags: ['admin'],
      }),
      listProviderSecrets: build.query<ListProviderSecretsApiResponse, ListProviderSecretsApiArg>({
        query: () => ({ url: `/api/admin/provider-secrets` }),
        providesTags: ['admin'],
      }),
      listProviders: build.query<ListProvidersApiResponse, ListProvidersApiArg>({
        query: () => ({ url: `/api/admin/providers` }),
        providesTags: ['admin'],
      }),
      addProvider: build.mutation<AddProviderApiResponse, AddProviderApiArg>({
        query: (queryArg) => ({ url: `/api/admin/providers`, method: 'POST', body: queryArg.addProviderDto }),
        invalidatesTags: ['admin'],
      }),
      changeProvider: build.mutation<ChangeProviderApiResponse, ChangeProviderApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/providers/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.changeProviderDto,
        }),
        invalidatesTags: ['admin'],
      }),
      removeProvider: build.mutation<RemoveProviderApiResponse, RemoveProviderApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/providers/${encodeURIComponent(String(queryArg.id))}`,
          method: 'DELETE',
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ['admin'],
      }),
      testProvider: build.mutation<TestProviderApiResponse, TestProviderApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/providers/${encodeURIComponent(String(queryArg.id))}/test`,
          method: 'POST',
          body: queryArg.testProviderDto,
        }),
        invalidatesTags: ['admin'],
      }),
      listMailSenders: build.query<ListMailSendersApiResponse, ListMailSendersApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/senders`,
          params: {
            only: queryArg.only,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      listSends: build.query<ListSendsApiResponse, ListSendsApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/sends`,
          params: {
            status: queryArg.status,
            userId: queryArg.userId,
            today: queryArg.today,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      listSubscriptions: build.query<ListSubscriptionsApiResponse, ListSubscriptionsApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/subscriptions`,
          params: {
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            emailListId: queryArg.emailListId,
            confirmed: queryArg.confirmed,
            status: queryArg.status,
          },
        }),
        providesTags: ['admin'],
      }),
      confirmContact: build.mutation<ConfirmContactApiResponse, ConfirmContactApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/subscriptions/${encodeURIComponent(String(queryArg.id))}/confirm`,
          method: 'PATCH',
          body: queryArg.confirmContactDto,
        }),
        invalidatesTags: ['admin'],
      }),
      listSuppressions: build.query<ListSuppressionsApiResponse, ListSuppressionsApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/suppressions`,
          params: {
            cause: queryArg.cause,
            scope: queryArg.scope,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      addSuppression: build.mutation<AddSuppressionApiResponse, AddSuppressionApiArg>({
        query: (queryArg) => ({ url: `/api/admin/suppressions`, method: 'POST', body: queryArg.addSuppressionDto }),
        invalidatesTags: ['admin'],
      }),
      liftSuppression: build.mutation<LiftSuppressionApiResponse, LiftSuppressionApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/suppressions/${encodeURIComponent(String(queryArg.id))}`,
          method: 'DELETE',
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ['admin'],
      }),
      listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/users`,
          params: {
            role: queryArg.role,
            isAdmin: queryArg.isAdmin,
            isVerified: queryArg.isVerified,
            suspended: queryArg.suspended,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['admin'],
      }),
      getUser: build.query<GetUserApiResponse, GetUserApiArg>({
        query: (queryArg) => ({ url: `/api/admin/users/${encodeURIComponent(String(queryArg.userId))}` }),
        providesTags: ['admin'],
      }),
      changeUser: build.mutation<ChangeUserApiResponse, ChangeUserApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/users/${encodeURIComponent(String(queryArg.userId))}`,
          method: 'PATCH',
          body: queryArg.changeUserDto,
        }),
        invalidatesTags: ['admin'],
      }),
      verifyUser: build.mutation<VerifyUserApiResponse, VerifyUserApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/verify-user/${encodeURIComponent(String(queryArg.userId))}`,
          method: 'POST',
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ['admin'],
      }),
      listAuditEvents: build.query<ListAuditEventsApiResponse, ListAuditEventsApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/audit`,
          params: {
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['auth'],
      }),
      changePassword: build.mutation<ChangePasswordApiResponse, ChangePasswordApiArg>({
        query: (queryArg) => ({ url: `/api/auth/change-password`, method: 'POST', body: queryArg.changePasswordDto }),
        invalidatesTags: ['auth'],
      }),
      deleteAccount: build.mutation<DeleteAccountApiResponse, DeleteAccountApiArg>({
        query: (queryArg) => ({ url: `/api/auth/delete-account`, method: 'POST', body: queryArg.deleteAccountDto }),
        invalidatesTags: ['auth'],
      }),
      disownAccount: build.mutation<DisownAccountApiResponse, DisownAccountApiArg>({
        query: (queryArg) => ({ url: `/api/auth/disown`, method: 'POST', body: queryArg.tokenDto }),
        invalidatesTags: ['auth'],
      }),
      exportAccount: build.query<ExportAccountApiResponse, ExportAccountApiArg>({
        query: () => ({ url: `/api/auth/export` }),
        providesTags: ['auth'],
      }),
      forgotPassword: build.mutation<ForgotPasswordApiResponse, ForgotPasswordApiArg>({
        query: (queryArg) => ({ url: `/api/auth/forgot-password`, method: 'POST', body: queryArg.forgotPasswordDto }),
        invalidatesTags: ['auth'],
      }),
      login: build.mutation<LoginApiResponse, LoginApiArg>({
        query: (queryArg) => ({ url: `/api/auth/login`, method: 'POST', body: queryArg.loginDto }),
        invalidatesTags: ['auth'],
      }),
      logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
        query: () => ({ url: `/api/auth/logout`, method: 'POST' }),
        invalidatesTags: ['auth'],
      }),
      getMe: build.query<GetMeApiResponse, GetMeApiArg>({
        query: () => ({ url: `/api/auth/me` }),
        providesTags: ['auth'],
      }),
      register: build.mutation<RegisterApiResponse, RegisterApiArg>({
        query: (queryArg) => ({ url: `/api/auth/register`, method: 'POST', body: queryArg.registerDto }),
        invalidatesTags: ['auth'],
      }),
      resendVerification: build.mutation<ResendVerificationApiResponse, ResendVerificationApiArg>({
        query: () => ({ url: `/api/auth/resend-verification`, method: 'POST' }),
        invalidatesTags: ['auth'],
      }),
      resetPassword: build.mutation<ResetPasswordApiResponse, ResetPasswordApiArg>({
        query: (queryArg) => ({ url: `/api/auth/reset-password`, method: 'POST', body: queryArg.resetPasswordDto }),
        invalidatesTags: ['auth'],
      }),
      listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
        query: () => ({ url: `/api/auth/sessions` }),
        providesTags: ['auth'],
      }),
      endOtherSessions: build.mutation<EndOtherSessionsApiResponse, EndOtherSessionsApiArg>({
        query: () => ({ url: `/api/auth/sessions`, method: 'DELETE' }),
        invalidatesTags: ['auth'],
      }),
      endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/sessions/${encodeURIComponent(String(queryArg.id))}`,
          method: 'DELETE',
        }),
        invalidatesTags: ['auth'],
      }),
      createToken: build.mutation<CreateTokenApiResponse, CreateTokenApiArg>({
        query: (queryArg) => ({ url: `/api/auth/token`, method: 'POST', body: queryArg.loginDto }),
        invalidatesTags: ['auth'],
      }),
      getCurrentUser: build.query<GetCurrentUserApiResponse, GetCurrentUserApiArg>({
        query: () => ({ url: `/api/auth/user` }),
        providesTags: ['auth'],
      }),
      setAvatar: build.mutation<SetAvatarApiResponse, SetAvatarApiArg>({
        query: (queryArg) => ({ url: `/api/auth/user/avatar`, method: 'PUT', body: queryArg.body }),
        invalidatesTags: ['auth'],
      }),
      removeAvatar: build.mutation<RemoveAvatarApiResponse, RemoveAvatarApiArg>({
        query: () => ({ url: `/api/auth/user/avatar`, method: 'DELETE' }),
        invalidatesTags: ['auth'],
      }),
      changeName: build.mutation<ChangeNameApiResponse, ChangeNameApiArg>({
        query: (queryArg) => ({ url: `/api/auth/user/name`, method: 'PATCH', body: queryArg.changeNameDto }),
        invalidatesTags: ['auth'],
      }),
      changeRole: build.mutation<ChangeRoleApiResponse, ChangeRoleApiArg>({
        query: (queryArg) => ({ url: `/api/auth/user/role`, method: 'PATCH', body: queryArg.changeRoleDto }),
        invalidatesTags: ['auth'],
      }),
      changeSettings: build.mutation<ChangeSettingsApiResponse, ChangeSettingsApiArg>({
        query: (queryArg) => ({ url: `/api/auth/user/settings`, method: 'PATCH', body: queryArg.changeSettingsDto }),
        invalidatesTags: ['auth'],
      }),
      verifyEmail: build.mutation<VerifyEmailApiResponse, VerifyEmailApiArg>({
        query: (queryArg) => ({ url: `/api/auth/verify-email`, method: 'POST', body: queryArg.tokenDto }),
        invalidatesTags: ['auth'],
      }),
      getAvatar: build.query<GetAvatarApiResponse, GetAvatarApiArg>({
        query: (queryArg) => ({ url: `/api/avatars/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['auth'],
      }),
      listPlans: build.query<ListPlansApiResponse, ListPlansApiArg>({
        query: () => ({ url: `/api/billing/plans` }),
        providesTags: ['billing'],
      }),
      reportClientError: build.mutation<ReportClientErrorApiResponse, ReportClientErrorApiArg>({
        query: (queryArg) => ({ url: `/api/client-errors`, method: 'POST', body: queryArg.clientErrorDto }),
        invalidatesTags: ['diagnostics'],
      }),
      listCompanies: build.query<ListCompaniesApiResponse, ListCompaniesApiArg>({
        query: (queryArg) => ({
          url: `/api/companies`,
          params: {
            kind: queryArg.kind,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['contacts'],
      }),
      updateCompany: build.mutation<UpdateCompanyApiResponse, UpdateCompanyApiArg>({
        query: (queryArg) => ({
          url: `/api/companies/${encodeURIComponent(String(queryArg.domain))}`,
          method: 'PATCH',
          body: queryArg.updateCompanyDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      getContactColumns: build.query<GetContactColumnsApiResponse, GetContactColumnsApiArg>({
        query: () => ({ url: `/api/contact-columns` }),
        providesTags: ['contacts'],
      }),
      setContactColumns: build.mutation<SetContactColumnsApiResponse, SetContactColumnsApiArg>({
        query: (queryArg) => ({ url: `/api/contact-columns`, method: 'PUT', body: queryArg.contactColumnsDto }),
        invalidatesTags: ['contacts'],
      }),
      listContactFields: build.query<ListContactFieldsApiResponse, ListContactFieldsApiArg>({
        query: () => ({ url: `/api/contact-fields` }),
        providesTags: ['contacts'],
      }),
      addContactField: build.mutation<AddContactFieldApiResponse, AddContactFieldApiArg>({
        query: (queryArg) => ({ url: `/api/contact-fields`, method: 'POST', body: queryArg.createContactFieldDto }),
        invalidatesTags: ['contacts'],
      }),
      updateContactField: build.mutation<UpdateContactFieldApiResponse, UpdateContactFieldApiArg>({
        query: (queryArg) => ({
          url: `/api/contact-fields/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateContactFieldDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      deleteContactField: build.mutation<DeleteContactFieldApiResponse, DeleteContactFieldApiArg>({
        query: (queryArg) => ({
          url: `/api/contact-fields/${encodeURIComponent(String(queryArg.id))}`,
          method: 'DELETE',
        }),
        invalidatesTags: ['contacts'],
      }),
      getContactFieldUsage: build.query<GetContactFieldUsageApiResponse, GetContactFieldUsageApiArg>({
        query: (queryArg) => ({ url: `/api/contact-fields/${encodeURIComponent(String(queryArg.id))}/usage` }),
        providesTags: ['contacts'],
      }),
      listContactTags: build.query<ListContactTagsApiResponse, ListContactTagsApiArg>({
        query: () => ({ url: `/api/contact-tags` }),
        providesTags: ['contacts'],
      }),
      addContactTag: build.mutation<AddContactTagApiResponse, AddContactTagApiArg>({
        query: (queryArg) => ({ url: `/api/contact-tags`, method: 'POST', body: queryArg.createContactTagDto }),
        invalidatesTags: ['contacts'],
      }),
      updateContactTag: build.mutation<UpdateContactTagApiResponse, UpdateContactTagApiArg>({
        query: (queryArg) => ({
          url: `/api/contact-tags/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateContactTagDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      deleteContactTag: build.mutation<DeleteContactTagApiResponse, DeleteContactTagApiArg>({
        query: (queryArg) => ({
          url: `/api/contact-tags/${encodeURIComponent(String(queryArg.id))}`,
          method: 'DELETE',
        }),
        invalidatesTags: ['contacts'],
      }),
      getContactTagUsage: build.query<GetContactTagUsageApiResponse, GetContactTagUsageApiArg>({
        query: (queryArg) => ({ url: `/api/contact-tags/${encodeURIComponent(String(queryArg.id))}/usage` }),
        providesTags: ['contacts'],
      }),
      listProfiles: build.query<ListProfilesApiResponse, ListProfilesApiArg>({
        query: (queryArg) => ({
          url: `/api/contacts`,
          params: {
            list: queryArg.list,
            tag: queryArg.tag,
            consent: queryArg.consent,
            domain: queryArg.domain,
            import: queryArg['import'],
            segment: queryArg.segment,
            search: queryArg.search,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            sort: queryArg.sort,
          },
        }),
        providesTags: ['contacts'],
      }),
      addProfile: build.mutation<AddProfileApiResponse, AddProfileApiArg>({
        query: (queryArg) => ({ url: `/api/contacts`, method: 'POST', body: queryArg.createProfileDto }),
        invalidatesTags: ['contacts'],
      }),
      startBulk: build.mutation<StartBulkApiResponse, StartBulkApiArg>({
        query: (queryArg) => ({ url: `/api/contacts/bulk`, method: 'POST', body: queryArg.bulkRequestDto }),
        invalidatesTags: ['contacts'],
      }),
      getBulk: build.query<GetBulkApiResponse, GetBulkApiArg>({
        query: (queryArg) => ({ url: `/api/contacts/bulk/${encodeURIComponent(String(queryArg.jobId))}` }),
        providesTags: ['contacts'],
      }),
      getPreparation: build.query<GetPreparationApiResponse, GetPreparationApiArg>({
        query: () => ({ url: `/api/contacts/preparation` }),
        providesTags: ['contacts'],
      }),
      getProfile: build.query<GetProfileApiResponse, GetProfileApiArg>({
        query: (queryArg) => ({ url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['contacts'],
      }),
      updateProfile: build.mutation<UpdateProfileApiResponse, UpdateProfileApiArg>({
        query: (queryArg) => ({
          url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateProfileDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      deleteProfile: build.mutation<DeleteProfileApiResponse, DeleteProfileApiArg>({
        query: (queryArg) => ({ url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
        invalidatesTags: ['contacts'],
      }),
      changeProfileAddress: build.mutation<ChangeProfileAddressApiResponse, ChangeProfileAddressApiArg>({
        query: (queryArg) => ({
          url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}/address`,
          method: 'POST',
          body: queryArg.profileAddressDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      getEvidence: build.query<GetEvidenceApiResponse, GetEvidenceApiArg>({
        query: (queryArg) => ({ url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}/evidence` }),
        providesTags: ['contacts'],
      }),
      addNote: build.mutation<AddNoteApiResponse, AddNoteApiArg>({
        query: (queryArg) => ({
          url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}/notes`,
          method: 'POST',
          body: queryArg.createNoteDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      deleteNote: build.mutation<DeleteNoteApiResponse, DeleteNoteApiArg>({
        query: (queryArg) => ({
          url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}/notes/${encodeURIComponent(String(queryArg.noteId))}`,
          method: 'DELETE',
        }),
        invalidatesTags: ['contacts'],
      }),
      getTimeline: build.query<GetTimelineApiResponse, GetTimelineApiArg>({
        query: (queryArg) => ({
          url: `/api/contacts/${encodeURIComponent(String(queryArg.id))}/timeline`,
          params: {
            kind: queryArg.kind,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['contacts'],
      }),
      getOnboarding: build.query<GetOnboardingApiResponse, GetOnboardingApiArg>({
        query: () => ({ url: `/api/dashboard/onboarding` }),
        providesTags: ['History'],
      }),
      dismissOnboarding: build.mutation<DismissOnboardingApiResponse, DismissOnboardingApiArg>({
        query: () => ({ url: `/api/dashboard/onboarding/dismiss`, method: 'POST' }),
        invalidatesTags: ['History'],
      }),
      getDashboardOutcomes: build.query<GetDashboardOutcomesApiResponse, GetDashboardOutcomesApiArg>({
        query: () => ({ url: `/api/dashboard/outcomes` }),
        providesTags: ['History'],
      }),
      getDashboardStats: build.query<GetDashboardStatsApiResponse, GetDashboardStatsApiArg>({
        query: () => ({ url: `/api/dashboard/stats` }),
        providesTags: ['History'],
      }),
      getDashboardTrends: build.query<GetDashboardTrendsApiResponse, GetDashboardTrendsApiArg>({
        query: () => ({ url: `/api/dashboard/trends` }),
        providesTags: ['History'],
      }),
      listDoNotSend: build.query<ListDoNotSendApiResponse, ListDoNotSendApiArg>({
        query: (queryArg) => ({
          url: `/api/do-not-send`,
          params: {
            reason: queryArg.reason,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['contacts'],
      }),
      addDoNotSend: build.mutation<AddDoNotSendApiResponse, AddDoNotSendApiArg>({
        query: (queryArg) => ({ url: `/api/do-not-send`, method: 'POST', body: queryArg.createDoNotSendDto }),
        invalidatesTags: ['contacts'],
      }),
      exportDoNotSend: build.query<ExportDoNotSendApiResponse, ExportDoNotSendApiArg>({
        query: () => ({ url: `/api/do-not-send.csv` }),
        providesTags: ['contacts'],
      }),
      addManyDoNotSend: build.mutation<AddManyDoNotSendApiResponse, AddManyDoNotSendApiArg>({
        query: (queryArg) => ({ url: `/api/do-not-send/bulk`, method: 'POST', body: queryArg.bulkDoNotSendDto }),
        invalidatesTags: ['contacts'],
      }),
      getDoNotSendSuggestion: build.query<GetDoNotSendSuggestionApiResponse, GetDoNotSendSuggestionApiArg>({
        query: () => ({ url: `/api/do-not-send/suggestion` }),
        providesTags: ['contacts'],
      }),
      updateDoNotSend: build.mutation<UpdateDoNotSendApiResponse, UpdateDoNotSendApiArg>({
        query: (queryArg) => ({
          url: `/api/do-not-send/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateDoNotSendDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      deleteDoNotSend: build.mutation<DeleteDoNotSendApiResponse, DeleteDoNotSendApiArg>({
        query: (queryArg) => ({ url: `/api/do-not-send/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
        invalidatesTags: ['contacts'],
      }),
      listDrafts: build.query<ListDraftsApiResponse, ListDraftsApiArg>({
        query: (queryArg) => ({
          url: `/api/drafts`,
          params: {
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['Composing'],
      }),
      createDraft: build.mutation<CreateDraftApiResponse, CreateDraftApiArg>({
        query: (queryArg) => ({ url: `/api/drafts`, method: 'POST', body: queryArg.createDraftDto }),
        invalidatesTags: ['Composing'],
      }),
      getDraft: build.query<GetDraftApiResponse, GetDraftApiArg>({
        query: (queryArg) => ({ url: `/api/drafts/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['Composing'],
      }),
      saveDraft: build.mutation<SaveDraftApiResponse, SaveDraftApiArg>({
        query: (queryArg) => ({
          url: `/api/drafts/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PUT',
          body: queryArg.saveDraftDto,
          headers: {
            'If-Match': queryArg['If-Match'],
          },
        }),
        invalidatesTags: ['Composing'],
      }),
      deleteDraft: build.mutation<DeleteDraftApiResponse, DeleteDraftApiArg>({
        query: (queryArg) => ({ url: `/api/drafts/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
        invalidatesTags: ['Composing'],
      }),
      listHistory: build.query<ListHistoryApiResponse, ListHistoryApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history`,
          params: {
            type: queryArg['type'],
            status: queryArg.status,
            from: queryArg['from'],
            to: queryArg.to,
            outcome: queryArg.outcome,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['History'],
      }),
      getHistoryEntry: build.query<GetHistoryEntryApiResponse, GetHistoryEntryApiArg>({
        query: (queryArg) => ({ url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['History'],
      }),
      cancelSend: build.mutation<CancelSendApiResponse, CancelSendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/cancel`,
          method: 'POST',
        }),
        invalidatesTags: ['History'],
      }),
      listDeliveries: build.query<ListDeliveriesApiResponse, ListDeliveriesApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/deliveries`,
          params: {
            status: queryArg.status,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['History'],
      }),
      exportDeliveries: build.query<ExportDeliveriesApiResponse, ExportDeliveriesApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/deliveries.csv`,
          params: {
            status: queryArg.status,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['History'],
      }),
      getDeliveryMessage: build.query<GetDeliveryMessageApiResponse, GetDeliveryMessageApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/deliveries/${encodeURIComponent(String(queryArg.deliveryId))}/message`,
        }),
        providesTags: ['History'],
      }),
      listLeftOut: build.query<ListLeftOutApiResponse, ListLeftOutApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/left-out`,
          params: {
            reason: queryArg.reason,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['History'],
      }),
      exportLeftOut: build.query<ExportLeftOutApiResponse, ExportLeftOutApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/left-out.csv`,
          params: {
            reason: queryArg.reason,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['History'],
      }),
      pauseSend: build.mutation<PauseSendApiResponse, PauseSendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/pause`,
          method: 'POST',
        }),
        invalidatesTags: ['History'],
      }),
      streamProgress: build.query<StreamProgressApiResponse, StreamProgressApiArg>({
        query: (queryArg) => ({ url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/progress` }),
        providesTags: ['History'],
      }),
      resumeSend: build.mutation<ResumeSendApiResponse, ResumeSendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/resume`,
          method: 'POST',
        }),
        invalidatesTags: ['History'],
      }),
      retrySend: build.mutation<RetrySendApiResponse, RetrySendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/retry`,
          method: 'POST',
        }),
        invalidatesTags: ['History'],
      }),
      listEmailLists: build.query<ListEmailListsApiResponse, ListEmailListsApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists`,
          params: {
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            sendable: queryArg.sendable,
          },
        }),
        providesTags: ['lists'],
      }),
      createEmailList: build.mutation<CreateEmailListApiResponse, CreateEmailListApiArg>({
        query: (queryArg) => ({ url: `/api/email-lists`, method: 'POST', body: queryArg.createEmailListDto }),
        invalidatesTags: ['lists'],
      }),
      findContacts: build.query<FindContactsApiResponse, FindContactsApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/contacts`,
          params: {
            search: queryArg.search,
          },
        }),
        providesTags: ['contacts'],
      }),
      getPublicList: build.query<GetPublicListApiResponse, GetPublicListApiArg>({
        query: (queryArg) => ({ url: `/api/email-lists/slug/${encodeURIComponent(String(queryArg.slug))}` }),
        providesTags: ['lists'],
      }),
      getEmailList: build.query<GetEmailListApiResponse, GetEmailListApiArg>({
        query: (queryArg) => ({ url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['lists'],
      }),
      updateEmailList: build.mutation<UpdateEmailListApiResponse, UpdateEmailListApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateEmailListDto,
        }),
        invalidatesTags: ['lists'],
      }),
      deleteEmailList: build.mutation<DeleteEmailListApiResponse, DeleteEmailListApiArg>({
        query: (queryArg) => ({ url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
        invalidatesTags: ['lists'],
      }),
      getListFigures: build.query<GetListFiguresApiResponse, GetListFiguresApiArg>({
        query: (queryArg) => ({ url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/figures` }),
        providesTags: ['lists'],
      }),
      restoreEmailList: build.mutation<RestoreEmailListApiResponse, RestoreEmailListApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/restore`,
          method: 'POST',
        }),
        invalidatesTags: ['lists'],
      }),
      listContacts: build.query<ListContactsApiResponse, ListContactsApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers`,
          params: {
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            status: queryArg.status,
          },
        }),
        providesTags: ['contacts'],
      }),
      addContact: build.mutation<AddContactApiResponse, AddContactApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers`,
          method: 'POST',
          body: queryArg.addContactDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      exportContacts: build.query<ExportContactsApiResponse, ExportContactsApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/export`,
        }),
        providesTags: ['contacts'],
      }),
      importContacts: build.mutation<ImportContactsApiResponse, ImportContactsApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/import`,
          method: 'POST',
          body: queryArg.importContactsDto,
          headers: {
            'X-Import-Attestation': queryArg['X-Import-Attestation'],
          },
        }),
        invalidatesTags: ['contacts'],
      }),
      getImport: build.query<GetImportApiResponse, GetImportApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/import/${encodeURIComponent(String(queryArg.jobId))}`,
        }),
        providesTags: ['contacts'],
      }),
      downloadRejectedRows: build.query<DownloadRejectedRowsApiResponse, DownloadRejectedRowsApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/import/${encodeURIComponent(String(queryArg.jobId))}/rejected.csv`,
        }),
        providesTags: ['contacts'],
      }),
      updateContact: build.mutation<UpdateContactApiResponse, UpdateContactApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/${encodeURIComponent(String(queryArg.contactId))}`,
          method: 'PATCH',
          body: queryArg.updateContactDto,
        }),
        invalidatesTags: ['contacts'],
      }),
      deleteContact: build.mutation<DeleteContactApiResponse, DeleteContactApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/${encodeURIComponent(String(queryArg.contactId))}`,
          method: 'DELETE',
        }),
        invalidatesTags: ['contacts'],
      }),
      resendConfirmation: build.mutation<ResendConfirmationApiResponse, ResendConfirmationApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/${encodeURIComponent(String(queryArg.contactId))}/resend-confirmation`,
          method: 'POST',
        }),
        invalidatesTags: ['contacts'],
      }),
      restoreContact: build.mutation<RestoreContactApiResponse, RestoreContactApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/${encodeURIComponent(String(queryArg.contactId))}/restore`,
          method: 'POST',
        }),
        invalidatesTags: ['contacts'],
      }),
      listTemplates: build.query<ListTemplatesApiResponse, ListTemplatesApiArg>({
        query: (queryArg) => ({
          url: `/api/email-templates`,
          params: {
            type: queryArg['type'],
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['Composing'],
      }),
      createTemplate: build.mutation<CreateTemplateApiResponse, CreateTemplateApiArg>({
        query: (queryArg) => ({ url: `/api/email-templates`, method: 'POST', body: queryArg.createTemplateDto }),
        invalidatesTags: ['Composing'],
      }),
      getTemplate: build.query<GetTemplateApiResponse, GetTemplateApiArg>({
        query: (queryArg) => ({ url: `/api/email-templates/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['Composing'],
      }),
      updateTemplate: build.mutation<UpdateTemplateApiResponse, UpdateTemplateApiArg>({
        query: (queryArg) => ({
          url: `/api/email-templates/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateTemplateDto,
          headers: {
            'If-Match': queryArg['If-Match'],
          },
        }),
        invalidatesTags: ['Composing'],
      }),
      deleteTemplate: build.mutation<DeleteTemplateApiResponse, DeleteTemplateApiArg>({
        query: (queryArg) => ({
          url: `/api/email-templates/${encodeURIComponent(String(queryArg.id))}`,
          method: 'DELETE',
        }),
        invalidatesTags: ['Composing'],
      }),
      duplicateTemplate: build.mutation<DuplicateTemplateApiResponse, DuplicateTemplateApiArg>({
        query: (queryArg) => ({
          url: `/api/email-templates/${encodeURIComponent(String(queryArg.id))}/duplicate`,
          method: 'POST',
        }),
        invalidatesTags: ['Composing'],
      }),
      applyTemplate: build.mutation<ApplyTemplateApiResponse, ApplyTemplateApiArg>({
        query: (queryArg) => ({
          url: `/api/email-templates/${encodeURIComponent(String(queryArg.id))}/use`,
          method: 'POST',
        }),
        invalidatesTags: ['Composing'],
      }),
      streamEvents: build.query<StreamEventsApiResponse, StreamEventsApiArg>({
        query: (queryArg) => ({
          url: `/api/events`,
          params: {
            age: queryArg.age,
          },
        }),
        providesTags: ['Events'],
      }),
      changeFileLink: build.mutation<ChangeFileLinkApiResponse, ChangeFileLinkApiArg>({
        query: (queryArg) => ({
          url: `/api/file-links/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.changeFileLinkDto,
        }),
        invalidatesTags: ['Composing'],
      }),
      uploadFile: build.mutation<UploadFileApiResponse, UploadFileApiArg>({
        query: (queryArg) => ({ url: `/api/files`, method: 'POST', body: queryArg.body }),
        invalidatesTags: ['Composing'],
      }),
      listFiles: build.query<ListFilesApiResponse, ListFilesApiArg>({
        query: (queryArg) => ({
          url: `/api/files`,
          params: {
            kind: queryArg.kind,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['Composing'],
      }),
      getSharedFile: build.query<GetSharedFileApiResponse, GetSharedFileApiArg>({
        query: (queryArg) => ({ url: `/api/files/links/${encodeURIComponent(String(queryArg.token))}` }),
        providesTags: ['Files'],
      }),
      downloadSharedFile: build.mutation<DownloadSharedFileApiResponse, DownloadSharedFileApiArg>({
        query: (queryArg) => ({
          url: `/api/files/links/${encodeURIComponent(String(queryArg.token))}/download`,
          method: 'POST',
        }),
        invalidatesTags: ['Files'],
      }),
      reportSharedFile: build.mutation<ReportSharedFileApiResponse, ReportSharedFileApiArg>({
        query: (queryArg) => ({
          url: `/api/files/links/${encodeURIComponent(String(queryArg.token))}/report`,
          method: 'POST',
        }),
        invalidatesTags: ['Files'],
      }),
      getFileSpace: build.query<GetFileSpaceApiResponse, GetFileSpaceApiArg>({
        query: () => ({ url: `/api/files/space` }),
        providesTags: ['Composing'],
      }),
      getFile: build.query<GetFileApiResponse, GetFileApiArg>({
        query: (queryArg) => ({ url: `/api/files/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['Composing'],
      }),
      renameFile: build.mutation<RenameFileApiResponse, RenameFileApiArg>({
        query: (queryArg) => ({
          url: `/api/files/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.renameFileDto,
        }),
        invalidatesTags: ['Composing'],
      }),
      deleteFile: build.mutation<DeleteFileApiResponse, DeleteFileApiArg>({
        query: (queryArg) => ({ url: `/api/files/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
        invalidatesTags: ['Composing'],
      }),
      replaceFile: build.mutation<ReplaceFileApiResponse, ReplaceFileApiArg>({
        query: (queryArg) => ({
          url: `/api/files/${encodeURIComponent(String(queryArg.id))}/replace`,
          method: 'POST',
          body: queryArg.replaceFileDto,
        }),
        invalidatesTags: ['Composing'],
      }),
      getLive: build.query<GetLiveApiResponse, GetLiveApiArg>({
        query: () => ({ url: `/api/health/live` }),
        providesTags: ['health'],
      }),
      getReady: build.query<GetReadyApiResponse, GetReadyApiArg>({
        query: () => ({ url: `/api/health/ready` }),
        providesTags: ['health'],
      }),
      createImport: build.mutation<CreateImportApiResponse, CreateImportApiArg>({
        query: (queryArg) => ({ url: `/api/imports`, method: 'POST', body: queryArg.pastedTextDto }),
        invalidatesTags: ['imports'],
      }),
      listImports: build.query<ListImportsApiResponse, ListImportsApiArg>({
        query: (queryArg) => ({
          url: `/api/imports`,
          params: {
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['imports'],
      }),
      getAccountImport: build.query<GetAccountImportApiResponse, GetAccountImportApiArg>({
        query: (queryArg) => ({ url: `/api/imports/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['imports'],
      }),
      updateImport: build.mutation<UpdateImportApiResponse, UpdateImportApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateImportDto,
        }),
        invalidatesTags: ['imports'],
      }),
      checkImport: build.mutation<CheckImportApiResponse, CheckImportApiArg>({
        query: (queryArg) => ({ url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/check`, method: 'POST' }),
        invalidatesTags: ['imports'],
      }),
      commitImport: build.mutation<CommitImportApiResponse, CommitImportApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/commit`,
          method: 'POST',
          headers: {
            'Idempotency-Key': queryArg['Idempotency-Key'],
          },
        }),
        invalidatesTags: ['imports'],
      }),
      discardImport: build.mutation<DiscardImportApiResponse, DiscardImportApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/discard`,
          method: 'POST',
        }),
        invalidatesTags: ['imports'],
      }),
      fixImportDomain: build.mutation<FixImportDomainApiResponse, FixImportDomainApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/fix-domain`,
          method: 'POST',
          body: queryArg.fixDomainDto,
        }),
        invalidatesTags: ['imports'],
      }),
      downloadLeftOutLines: build.query<DownloadLeftOutLinesApiResponse, DownloadLeftOutLinesApiArg>({
        query: (queryArg) => ({ url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/rejected.csv` }),
        providesTags: ['imports'],
      }),
      listImportRows: build.query<ListImportRowsApiResponse, ListImportRowsApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/rows`,
          params: {
            group: queryArg.group,
            verdict: queryArg.verdict,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['imports'],
      }),
      correctImportRow: build.mutation<CorrectImportRowApiResponse, CorrectImportRowApiArg>({
        query: (queryArg) => ({
          url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/rows/${encodeURIComponent(String(queryArg.line))}`,
          method: 'PATCH',
          body: queryArg.correctLineDto,
        }),
        invalidatesTags: ['imports'],
      }),
      undoImport: build.mutation<UndoImportApiResponse, UndoImportApiArg>({
        query: (queryArg) => ({ url: `/api/imports/${encodeURIComponent(String(queryArg.id))}/undo`, method: 'POST' }),
        invalidatesTags: ['imports'],
      }),
      listMergeTags: build.query<ListMergeTagsApiResponse, ListMergeTagsApiArg>({
        query: (queryArg) => ({
          url: `/api/merge-tags`,
          params: {
            emailListIds: queryArg.emailListIds,
            counts: queryArg.counts,
          },
        }),
        providesTags: ['Composing'],
      }),
      neverAsk: build.mutation<NeverAskApiResponse, NeverAskApiArg>({
        query: (queryArg) => ({ url: `/api/never-ask/${encodeURIComponent(String(queryArg.token))}`, method: 'POST' }),
        invalidatesTags: ['consent'],
      }),
      endNotificationMail: build.mutation<EndNotificationMailApiResponse, EndNotificationMailApiArg>({
        query: (queryArg) => ({
          url: `/api/notification-opt-out/${encodeURIComponent(String(queryArg.token))}`,
          method: 'POST',
          body: queryArg.notificationOptOutDto,
        }),
        invalidatesTags: ['notifications'],
      }),
      getNotificationSettings: build.query<GetNotificationSettingsApiResponse, GetNotificationSettingsApiArg>({
        query: () => ({ url: `/api/notification-settings` }),
        providesTags: ['notifications'],
      }),
      changeNotificationSettings: build.mutation<
        ChangeNotificationSettingsApiResponse,
        ChangeNotificationSettingsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/notification-settings`,
          method: 'PUT',
          body: queryArg.changeNotificationSettingsDto,
        }),
        invalidatesTags: ['notifications'],
      }),
      listNotifications: build.query<ListNotificationsApiResponse, ListNotificationsApiArg>({
        query: (queryArg) => ({
          url: `/api/notifications`,
          params: {
            unread: queryArg.unread,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['notifications'],
      }),
      readNotifications: build.mutation<ReadNotificationsApiResponse, ReadNotificationsApiArg>({
        query: (queryArg) => ({ url: `/api/notifications/read`, method: 'POST', body: queryArg.readNotificationsDto }),
        invalidatesTags: ['notifications'],
      }),
      getReferrals: build.query<GetReferralsApiResponse, GetReferralsApiArg>({
        query: () => ({ url: `/api/referrals` }),
        providesTags: ['referrals'],
      }),
      getReferralCode: build.query<GetReferralCodeApiResponse, GetReferralCodeApiArg>({
        query: () => ({ url: `/api/referrals/code` }),
        providesTags: ['referrals'],
      }),
      sendInvite: build.mutation<SendInviteApiResponse, SendInviteApiArg>({
        query: (queryArg) => ({ url: `/api/referrals/invite`, method: 'POST', body: queryArg.inviteDto }),
        invalidatesTags: ['referrals'],
      }),
      listInvites: build.query<ListInvitesApiResponse, ListInvitesApiArg>({
        query: (queryArg) => ({
          url: `/api/referrals/invites`,
          params: {
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['referrals'],
      }),
      optOutOfInvites: build.mutation<OptOutOfInvitesApiResponse, OptOutOfInvitesApiArg>({
        query: (queryArg) => ({ url: `/api/referrals/opt-out`, method: 'POST', body: queryArg.optOutDto }),
        invalidatesTags: ['referrals'],
      }),
      noteVisit: build.mutation<NoteVisitApiResponse, NoteVisitApiArg>({
        query: (queryArg) => ({ url: `/api/referrals/visit`, method: 'POST', body: queryArg.visitDto }),
        invalidatesTags: ['referrals'],
      }),
      composeRequirement: build.query<ComposeRequirementApiResponse, ComposeRequirementApiArg>({
        query: (queryArg) => ({
          url: `/api/requirements/compose`,
          method: 'POST',
          body: queryArg.composeRequirementDto,
        }),
        providesTags: ['Composing'],
      }),
      readRequirement: build.query<ReadRequirementApiResponse, ReadRequirementApiArg>({
        query: (queryArg) => ({ url: `/api/requirements/read`, method: 'POST', body: queryArg.readRequirementDto }),
        providesTags: ['Composing'],
      }),
      getRunningTasks: build.query<GetRunningTasksApiResponse, GetRunningTasksApiArg>({
        query: () => ({ url: `/api/running-tasks` }),
        providesTags: ['Events'],
      }),
      listScheduled: build.query<ListScheduledApiResponse, ListScheduledApiArg>({
        query: (queryArg) => ({
          url: `/api/scheduled-sends`,
          params: {
            state: queryArg.state,
            listId: queryArg.listId,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['Scheduled sends'],
      }),
      scheduleSend: build.mutation<ScheduleSendApiResponse, ScheduleSendApiArg>({
        query: (queryArg) => ({
          url: `/api/scheduled-sends`,
          method: 'POST',
          body: queryArg.scheduleSendDto,
          headers: {
            'Idempotency-Key': queryArg['Idempotency-Key'],
          },
        }),
        invalidatesTags: ['Scheduled sends'],
      }),
      getScheduled: build.query<GetScheduledApiResponse, GetScheduledApiArg>({
        query: (queryArg) => ({ url: `/api/scheduled-sends/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['Scheduled sends'],
      }),
      changeScheduled: build.mutation<ChangeScheduledApiResponse, ChangeScheduledApiArg>({
        query: (queryArg) => ({
          url: `/api/scheduled-sends/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.changeScheduledDto,
        }),
        invalidatesTags: ['Scheduled sends'],
      }),
      cancelScheduled: build.mutation<CancelScheduledApiResponse, CancelScheduledApiArg>({
        query: (queryArg) => ({
          url: `/api/scheduled-sends/${encodeURIComponent(String(queryArg.id))}/cancel`,
          method: 'POST',
        }),
        invalidatesTags: ['Scheduled sends'],
      }),
      sendScheduledNow: build.mutation<SendScheduledNowApiResponse, SendScheduledNowApiArg>({
        query: (queryArg) => ({
          url: `/api/scheduled-sends/${encodeURIComponent(String(queryArg.id))}/send-now`,
          method: 'POST',
        }),
        invalidatesTags: ['Scheduled sends'],
      }),
      listSegments: build.query<ListSegmentsApiResponse, ListSegmentsApiArg>({
        query: (queryArg) => ({
          url: `/api/segments`,
          params: {
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ['segments'],
      }),
      createSegment: build.mutation<CreateSegmentApiResponse, CreateSegmentApiArg>({
        query: (queryArg) => ({ url: `/api/segments`, method: 'POST', body: queryArg.createSegmentDto }),
        invalidatesTags: ['segments'],
      }),
      countSegment: build.query<CountSegmentApiResponse, CountSegmentApiArg>({
        query: (queryArg) => ({ url: `/api/segments/count`, method: 'POST', body: queryArg.countRequestDto }),
        providesTags: ['segments'],
      }),
      listSegmentTerms: build.query<ListSegmentTermsApiResponse, ListSegmentTermsApiArg>({
        query: () => ({ url: `/api/segments/terms` }),
        providesTags: ['segments'],
      }),
      getSegment: build.query<GetSegmentApiResponse, GetSegmentApiArg>({
        query: (queryArg) => ({ url: `/api/segments/${encodeURIComponent(String(queryArg.id))}` }),
        providesTags: ['segments'],
      }),
      updateSegment: build.mutation<UpdateSegmentApiResponse, UpdateSegmentApiArg>({
        query: (queryArg) => ({
          url: `/api/segments/${encodeURIComponent(String(queryArg.id))}`,
          method: 'PATCH',
          body: queryArg.updateSegmentDto,
        }),
        invalidatesTags: ['segments'],
      }),
      deleteSegment: build.mutation<DeleteSegmentApiResponse, DeleteSegmentApiArg>({
        query: (queryArg) => ({ url: `/api/segments/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
        invalidatesTags: ['segments'],
      }),
      exportSegment: build.query<ExportSegmentApiResponse, ExportSegmentApiArg>({
        query: (queryArg) => ({ url: `/api/segments/${encodeURIComponent(String(queryArg.id))}/export` }),
        providesTags: ['segments'],
      }),
      sendEmail: build.mutation<SendEmailApiResponse, SendEmailApiArg>({
        query: (queryArg) => ({
          url: `/api/send-email`,
          method: 'POST',
          body: queryArg.sendEmailDto,
          headers: {
            'Idempotency-Key': queryArg['Idempotency-Key'],
          },
        }),
        invalidatesTags: ['Sending'],
      }),
      checkSend: build.query<CheckSendApiResponse, CheckSendApiArg>({
        query: (queryArg) => ({ url: `/api/send-email/check`, method: 'POST', body: queryArg.checkSendDto }),
        providesTags: ['Sending'],
      }),
      previewSend: build.query<PreviewSendApiResponse, PreviewSendApiArg>({
        query: (queryArg) => ({ url: `/api/send-email/preview`, method: 'POST', body: queryArg.previewSendDto }),
        providesTags: ['Sending'],
      }),
      renderSend: build.query<RenderSendApiResponse, RenderSendApiArg>({
        query: (queryArg) => ({ url: `/api/send-email/render`, method: 'POST', body: queryArg.renderSendDto }),
        providesTags: ['Sending'],
      }),
      sendTest: build.mutation<SendTestApiResponse, SendTestApiArg>({
        query: (queryArg) => ({ url: `/api/send-email/test`, method: 'POST', body: queryArg.testSendDto }),
        invalidatesTags: ['Sending'],
      }),
      listTests: build.query<ListTestsApiResponse, ListTestsApiArg>({
        query: () => ({ url: `/api/send-email/tests` }),
        providesTags: ['Sending'],
      }),
      getSenderProfile: build.query<GetSenderProfileApiResponse, GetSenderProfileApiArg>({
        query: () => ({ url: `/api/sender-profile` }),
        providesTags: ['Composing'],
      }),
      saveSenderProfile: build.mutation<SaveSenderProfileApiResponse, SaveSenderProfileApiArg>({
        query: (queryArg) => ({
          url: `/api/sender-profile`,
          method: 'PUT',
          body: queryArg.saveSenderProfileDto,
          headers: {
            'If-Match': queryArg['If-Match'],
          },
        }),
        invalidatesTags: ['Composing'],
      }),
      previewSenderProfile: build.query<PreviewSenderProfileApiResponse, PreviewSenderProfileApiArg>({
        query: (queryArg) => ({
          url: `/api/sender-profile/preview`,
          method: 'POST',
          body: queryArg.saveSenderProfileDto,
        }),
        providesTags: ['Sending'],
      }),
      cancelSubscription: build.mutation<CancelSubscriptionApiResponse, CancelSubscriptionApiArg>({
        query: (queryArg) => ({
          url: `/api/stripe/cancel-subscription`,
          method: 'POST',
          body: queryArg.cancelSubscriptionDto,
        }),
        invalidatesTags: ['billing'],
      }),
      stripeConfig: build.query<StripeConfigApiResponse, StripeConfigApiArg>({
        query: () => ({ url: `/api/stripe/config` }),
        providesTags: ['billing'],
      }),
      createPortalSession: build.mutation<CreatePortalSessionApiResponse, CreatePortalSessionApiArg>({
        query: () => ({ url: `/api/stripe/create-portal-session`, method: 'POST' }),
        invalidatesTags: ['billing'],
      }),
      createSubscription: build.mutation<CreateSubscriptionApiResponse, CreateSubscriptionApiArg>({
        query: (queryArg) => ({
          url: `/api/stripe/create-subscription`,
          method: 'POST',
          body: queryArg.createSubscriptionDto,
        }),
        invalidatesTags: ['billing'],
      }),
      reactivateSubscription: build.mutation<ReactivateSubscriptionApiResponse, ReactivateSubscriptionApiArg>({
        query: () => ({ url: `/api/stripe/reactivate-subscription`, method: 'POST' }),
        invalidatesTags: ['billing'],
      }),
      subscriptionStatus: build.query<SubscriptionStatusApiResponse, SubscriptionStatusApiArg>({
        query: () => ({ url: `/api/stripe/subscription-status` }),
        providesTags: ['billing'],
      }),
      receiveStripeEvent: build.mutation<ReceiveStripeEventApiResponse, ReceiveStripeEventApiArg>({
        query: (queryArg) => ({
          url: `/api/stripe/webhook`,
          method: 'POST',
          headers: {
            'stripe-signature': queryArg['stripe-signature'],
          },
        }),
        invalidatesTags: ['billing'],
      }),
      subscribe: build.mutation<SubscribeApiResponse, SubscribeApiArg>({
        query: (queryArg) => ({ url: `/api/subscribe`, method: 'POST', body: queryArg.subscribeDto }),
        invalidatesTags: ['consent'],
      }),
      confirmSubscription: build.query<ConfirmSubscriptionApiResponse, ConfirmSubscriptionApiArg>({
        query: (queryArg) => ({ url: `/api/subscribe/confirm/${encodeURIComponent(String(queryArg.token))}` }),
        providesTags: ['consent'],
      }),
      listTesters: build.query<ListTestersApiResponse, ListTestersApiArg>({
        query: () => ({ url: `/api/testers` }),
        providesTags: ['Composing'],
      }),
      addTester: build.mutation<AddTesterApiResponse, AddTesterApiArg>({
        query: (queryArg) => ({ url: `/api/testers`, method: 'POST', body: queryArg.addTesterDto }),
        invalidatesTags: ['Composing'],
      }),
      confirmTester: build.mutation<ConfirmTesterApiResponse, ConfirmTesterApiArg>({
        query: (queryArg) => ({ url: `/api/testers/confirm`, method: 'POST', body: queryArg.confirmTesterDto }),
        invalidatesTags: ['Composing'],
      }),
      removeTester: build.mutation<RemoveTesterApiResponse, RemoveTesterApiArg>({
        query: (queryArg) => ({ url: `/api/testers/${encodeURIComponent(String(queryArg.id))}`, method: 'DELETE' }),
        invalidatesTags: ['Composing'],
      }),
      readUnsubscribe: build.query<ReadUnsubscribeApiResponse, ReadUnsubscribeApiArg>({
        query: (queryArg) => ({ url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}` }),
        providesTags: ['consent'],
      }),
      unsubscribe: build.mutation<UnsubscribeApiResponse, UnsubscribeApiArg>({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}`,
          method: 'POST',
        }),
        invalidatesTags: ['consent'],
      }),
      unsubscribeEverything: build.mutation<UnsubscribeEverythingApiResponse, UnsubscribeEverythingApiArg>({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/all`,
          method: 'POST',
        }),
        invalidatesTags: ['consent'],
      }),
      leaveSender: build.mutation<LeaveSenderApiResponse, LeaveSenderApiArg>({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/leave`,
          method: 'POST',
          body: queryArg.leaveSenderDto,
        }),
        invalidatesTags: ['consent'],
      }),
      listSenders: build.query<ListSendersApiResponse, ListSendersApiArg>({
        query: (queryArg) => ({ url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/senders` }),
        providesTags: ['consent'],
      }),
      undoUnsubscribe: build.mutation<UndoUnsubscribeApiResponse, UndoUnsubscribeApiArg>({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/undo`,
          method: 'POST',
          body: queryArg.undoDto,
        }),
        invalidatesTags: ['consent'],
      }),
      getUsageToday: build.query<GetUsageTodayApiResponse, GetUsageTodayApiArg>({
        query: () => ({ url: `/api/usage/today` }),
        providesTags: ['History'],
      }),
      receiveMailReport: build.mutation<ReceiveMailReportApiResponse, ReceiveMailReportApiArg>({
        query: (queryArg) => ({
          url: `/api/webhooks/mail`,
          method: 'POST',
          body: queryArg.body,
          headers: {
            'X-Signature': queryArg['X-Signature'],
          },
        }),
        invalidatesTags: ['Webhooks'],
      }),
      endNotificationMailOneClick: build.mutation<
        EndNotificationMailOneClickApiResponse,
        EndNotificationMailOneClickApiArg
      >({
        query: (queryArg) => ({ url: `/mail-settings/${encodeURIComponent(String(queryArg.token))}`, method: 'POST' }),
        invalidatesTags: ['notifications'],
      }),
      neverAskOneClick: build.mutation<NeverAskOneClickApiResponse, NeverAskOneClickApiArg>({
        query: (queryArg) => ({ url: `/never-ask/${encodeURIComponent(String(queryArg.token))}`, method: 'POST' }),
        invalidatesTags: ['consent'],
      }),
      unsubscribeOneClick: build.mutation<UnsubscribeOneClickApiResponse, UnsubscribeOneClickApiArg>({
        query: (queryArg) => ({ url: `/unsubscribe/${encodeURIComponent(String(queryArg.token))}`, method: 'POST' }),
        invalidatesTags: ['consent'],
      }),
    }),
    overrideExisting: false,
  });
export { injectedRtkApi as generatedApi };
export type ListAllAuditEventsApiResponse = /** status 200  */ AdminAuditDto[];
export type ListAllAuditEventsApiArg = {
  /** Only events of this kind */
  kind?:
    | 'account.deleted'
    | 'account.registered'
    | 'account.reinstated'
    | 'account.suspended'
    | 'account.verified'
    | 'admin.granted'
    | 'admin.revoked'
    | 'contact.confirmed'
    | 'contact.unconfirmed'
    | 'data.exported'
    | 'file.report_dismissed'
    | 'file.taken_down'
    | 'import.confirmed'
    | 'import.declined'
    | 'limit.changed'
    | 'network.changed'
    | 'network.contact_added'
    | 'network.contact_changed'
    | 'network.contact_removed'
    | 'network.imported'
    | 'password.changed'
    | 'password.reset'
    | 'password.reset_requested'
    | 'picture.changed'
    | 'picture.removed'
    | 'profile.changed'
    | 'provider.added'
    | 'provider.changed'
    | 'provider.removed'
    | 'provider.tested'
    | 'queue.changed'
    | 'role.changed'
    | 'session.ended'
    | 'session.ended_others'
    | 'session.opened'
    | 'session.refused'
    | 'session.reused'
    | 'session.signed_out'
    | 'suppression.added'
    | 'suppression.lifted';
  /** Only about this account */
  userId?: string;
  /** Only what this person did */
  actorId?: string;
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ListReportedFilesApiResponse = /** status 200  */ ReportedFileDto[];
export type ListReportedFilesApiArg = {
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type DismissFileReportsApiResponse = unknown;
export type DismissFileReportsApiArg = {
  id: string;
  reasonDto: ReasonDto;
};
export type TakeDownFileApiResponse = /** status 200  */ ReportedFileDto;
export type TakeDownFileApiArg = {
  id: string;
  reasonDto: ReasonDto;
};
export type ListAttestedImportsApiResponse = /** status 200  */ AdminImportDto[];
export type ListAttestedImportsApiArg = {
  /** Only imports in this state */
  state?: 'confirmed' | 'declined' | 'waiting';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ConfirmImportApiResponse = /** status 200  */ ImportConfirmedDto;
export type ConfirmImportApiArg = {
  jobId: string;
  reasonDto: ReasonDto;
};
export type DeclineImportApiResponse = /** status 200  */ ImportDeclinedDto;
export type DeclineImportApiArg = {
  jobId: string;
  reasonDto: ReasonDto;
};
export type FindListsApiResponse = /** status 200  */ AdminListDto[];
export type FindListsApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetOverviewApiResponse = /** status 200  */ AdminOverviewDto;
export type GetOverviewApiArg = void;
export type ListPendingUsersApiResponse = /** status 200  */ PendingUserDto[];
export type ListPendingUsersApiArg = {
  /** Only people in this role */
  role?: 'bench-sales' | 'recruiter';
  /** Only admins, or only others */
  isAdmin?: boolean;
  /** Only verified ones, or only others */
  isVerified?: boolean;
  /** Only suspended ones, or only others */
  suspended?: boolean;
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ListProviderRatesApiResponse = /** status 200  */ ProviderBacklogDto[];
export type ListProviderRatesApiArg = void;
export type ListProviderSecretsApiResponse = /** status 200  */ MailSecretDto[];
export type ListProviderSecretsApiArg = void;
export type ListProvidersApiResponse = /** status 200  */ ProviderDto[];
export type ListProvidersApiArg = void;
export type AddProviderApiResponse = /** status 201  */ ProviderDto;
export type AddProviderApiArg = {
  addProviderDto: AddProviderDto;
};
export type ChangeProviderApiResponse = /** status 200  */ ProviderDto;
export type ChangeProviderApiArg = {
  id: string;
  changeProviderDto: ChangeProviderDto;
};
export type RemoveProviderApiResponse = unknown;
export type RemoveProviderApiArg = {
  id: string;
  reasonDto: ReasonDto;
};
export type TestProviderApiResponse = /** status 200  */ ProviderTestDto;
export type TestProviderApiArg = {
  id: string;
  testProviderDto: TestProviderDto;
};
export type ListMailSendersApiResponse = /** status 200  */ AdminSenderDto[];
export type ListMailSendersApiArg = {
  /** flagged: only those above a threshold */
  only?: 'flagged';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ListSendsApiResponse = /** status 200  */ AdminSendDto[];
export type ListSendsApiArg = {
  /** Only those with this status */
  status?: 'failed' | 'pending' | 'sent';
  /** Only those of this user */
  userId?: string;
  /** Only today's, by the caller's time zone */
  today?: boolean;
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ListSubscriptionsApiResponse = /** status 200  */ AdminContactDto[];
export type ListSubscriptionsApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
  /** Only contacts of this list */
  emailListId?: string;
  /** Only confirmed ones, or only pending ones */
  confirmed?: boolean;
  /** Only contacts who have left in this way; they are not shown in any list's table */
  status?: 'unsubscribed';
};
export type ConfirmContactApiResponse = /** status 200  */ AdminContactDto;
export type ConfirmContactApiArg = {
  id: string;
  confirmContactDto: ConfirmContactDto;
};
export type ListSuppressionsApiResponse = /** status 200  */ SuppressionDto[];
export type ListSuppressionsApiArg = {
  /** Only those with this reason */
  cause?: 'bounced' | 'complained' | 'unsubscribed';
  /** Only those with this scope */
  scope?: 'all' | 'network' | 'owner';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type AddSuppressionApiResponse = /** status 201  */ SuppressionDto;
export type AddSuppressionApiArg = {
  addSuppressionDto: AddSuppressionDto;
};
export type LiftSuppressionApiResponse = unknown;
export type LiftSuppressionApiArg = {
  id: string;
  reasonDto: ReasonDto;
};
export type ListUsersApiResponse = /** status 200  */ AdminUserDto[];
export type ListUsersApiArg = {
  /** Only people in this role */
  role?: 'bench-sales' | 'recruiter';
  /** Only admins, or only others */
  isAdmin?: boolean;
  /** Only verified ones, or only others */
  isVerified?: boolean;
  /** Only suspended ones, or only others */
  suspended?: boolean;
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetUserApiResponse = /** status 200  */ AdminUserDetailDto;
export type GetUserApiArg = {
  userId: string;
};
export type ChangeUserApiResponse = /** status 200  */ AdminUserDto;
export type ChangeUserApiArg = {
  userId: string;
  changeUserDto: ChangeUserDto;
};
export type VerifyUserApiResponse = /** status 200  */ MessageDto;
export type VerifyUserApiArg = {
  userId: string;
  reasonDto: ReasonDto;
};
export type ListAuditEventsApiResponse = /** status 200  */ AuditEventDto[];
export type ListAuditEventsApiArg = {
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ChangePasswordApiResponse = /** status 200  */ MessageDto;
export type ChangePasswordApiArg = {
  changePasswordDto: ChangePasswordDto;
};
export type DeleteAccountApiResponse = /** status 200  */ MessageDto;
export type DeleteAccountApiArg = {
  deleteAccountDto: DeleteAccountDto;
};
export type DisownAccountApiResponse = /** status 200  */ MessageDto;
export type DisownAccountApiArg = {
  tokenDto: TokenDto;
};
export type ExportAccountApiResponse = /** status 200  */ Blob;
export type ExportAccountApiArg = void;
export type ForgotPasswordApiResponse = /** status 200  */ MessageDto;
export type ForgotPasswordApiArg = {
  forgotPasswordDto: ForgotPasswordDto;
};
export type LoginApiResponse = /** status 200  */ SignedInDto;
export type LoginApiArg = {
  loginDto: LoginDto;
};
export type LogoutApiResponse = /** status 200  */ MessageDto;
export type LogoutApiArg = void;
export type GetMeApiResponse = /** status 200  */ CurrentUserDto;
export type GetMeApiArg = void;
export type RegisterApiResponse = /** status 201  */ SignedInDto;
export type RegisterApiArg = {
  registerDto: RegisterDto;
};
export type ResendVerificationApiResponse = /** status 200  */ ResentDto;
export type ResendVerificationApiArg = void;
export type ResetPasswordApiResponse = /** status 200  */ MessageDto;
export type ResetPasswordApiArg = {
  resetPasswordDto: ResetPasswordDto;
};
export type ListSessionsApiResponse = /** status 200  */ DeviceSessionDto[];
export type ListSessionsApiArg = void;
export type EndOtherSessionsApiResponse = unknown;
export type EndOtherSessionsApiArg = void;
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = {
  id: string;
};
export type CreateTokenApiResponse = /** status 200  */ AccessTokenDto;
export type CreateTokenApiArg = {
  loginDto: LoginDto;
};
export type GetCurrentUserApiResponse = /** status 200  */ CurrentUserDto;
export type GetCurrentUserApiArg = void;
export type SetAvatarApiResponse = /** status 200  */ CurrentUserDto;
export type SetAvatarApiArg = {
  body: Blob;
};
export type RemoveAvatarApiResponse = /** status 200  */ CurrentUserDto;
export type RemoveAvatarApiArg = void;
export type ChangeNameApiResponse = /** status 200  */ CurrentUserDto;
export type ChangeNameApiArg = {
  changeNameDto: ChangeNameDto;
};
export type ChangeRoleApiResponse = /** status 200  */ CurrentUserDto;
export type ChangeRoleApiArg = {
  changeRoleDto: ChangeRoleDto;
};
export type ChangeSettingsApiResponse = /** status 200  */ CurrentUserDto;
export type ChangeSettingsApiArg = {
  changeSettingsDto: ChangeSettingsDto;
};
export type VerifyEmailApiResponse = /** status 200  */ MessageDto;
export type VerifyEmailApiArg = {
  tokenDto: TokenDto;
};
export type GetAvatarApiResponse = /** status 200  */ Blob;
export type GetAvatarApiArg = {
  id: string;
};
export type ListPlansApiResponse = /** status 200  */ PlanDto[];
export type ListPlansApiArg = void;
export type ReportClientErrorApiResponse = unknown;
export type ReportClientErrorApiArg = {
  clientErrorDto: ClientErrorDto;
};
export type ListCompaniesApiResponse = /** status 200  */ CompanyDto[];
export type ListCompaniesApiArg = {
  /** Only companies of this kind */
  kind?: 'competitor' | 'end_client' | 'other' | 'own_agency' | 'vendor';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type UpdateCompanyApiResponse = /** status 200  */ CompanyDto;
export type UpdateCompanyApiArg = {
  domain: string;
  updateCompanyDto: UpdateCompanyDto;
};
export type GetContactColumnsApiResponse = /** status 200  */ ContactColumnsDto;
export type GetContactColumnsApiArg = void;
export type SetContactColumnsApiResponse = /** status 200  */ ContactColumnsDto;
export type SetContactColumnsApiArg = {
  contactColumnsDto: ContactColumnsDto;
};
export type ListContactFieldsApiResponse = /** status 200  */ ContactFieldDto[];
export type ListContactFieldsApiArg = void;
export type AddContactFieldApiResponse = /** status 201  */ ContactFieldDto;
export type AddContactFieldApiArg = {
  createContactFieldDto: CreateContactFieldDto;
};
export type UpdateContactFieldApiResponse = /** status 200  */ ContactFieldDto;
export type UpdateContactFieldApiArg = {
  id: string;
  updateContactFieldDto: UpdateContactFieldDto;
};
export type DeleteContactFieldApiResponse = unknown;
export type DeleteContactFieldApiArg = {
  id: string;
};
export type GetContactFieldUsageApiResponse = /** status 200  */ ContactUsageDto;
export type GetContactFieldUsageApiArg = {
  id: string;
};
export type ListContactTagsApiResponse = /** status 200  */ ContactTagDto[];
export type ListContactTagsApiArg = void;
export type AddContactTagApiResponse = /** status 201  */ ContactTagDto;
export type AddContactTagApiArg = {
  createContactTagDto: CreateContactTagDto;
};
export type UpdateContactTagApiResponse = /** status 200  */ ContactTagDto;
export type UpdateContactTagApiArg = {
  id: number;
  updateContactTagDto: UpdateContactTagDto;
};
export type DeleteContactTagApiResponse = unknown;
export type DeleteContactTagApiArg = {
  id: number;
};
export type GetContactTagUsageApiResponse = /** status 200  */ ContactUsageDto;
export type GetContactTagUsageApiArg = {
  id: number;
};
export type ListProfilesApiResponse = /** status 200  */ ProfileDto[];
export type ListProfilesApiArg = {
  /** Id of an own list */
  list?: string;
  /** Id of a tag */
  tag?: number;
  /** What may be sent */
  consent?: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** Company domain */
  domain?: string;
  /** Id of the import that added the contact */
  import?: string;
  /** Id of a saved segment */
  segment?: string;
  /** A part of the address, or the start of first name, last name or company */
  search?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
};
export type AddProfileApiResponse = /** status 201  */ ProfileDetailDto;
export type AddProfileApiArg = {
  createProfileDto: CreateProfileDto;
};
export type StartBulkApiResponse = /** status 202  */ BulkStartedDto;
export type StartBulkApiArg = {
  bulkRequestDto: BulkRequestDto;
};
export type GetBulkApiResponse = /** status 200  */ BulkJobDto;
export type GetBulkApiArg = {
  jobId: string;
};
export type GetPreparationApiResponse = /** status 200  */ PreparationDto;
export type GetPreparationApiArg = void;
export type GetProfileApiResponse = /** status 200  */ ProfileDetailDto;
export type GetProfileApiArg = {
  id: string;
};
export type UpdateProfileApiResponse = /** status 200  */ ProfileDetailDto;
export type UpdateProfileApiArg = {
  id: string;
  updateProfileDto: UpdateProfileDto;
};
export type DeleteProfileApiResponse = unknown;
export type DeleteProfileApiArg = {
  id: string;
};
export type ChangeProfileAddressApiResponse = /** status 200  */ ProfileDetailDto;
export type ChangeProfileAddressApiArg = {
  id: string;
  profileAddressDto: ProfileAddressDto;
};
export type GetEvidenceApiResponse = /** status 200  */ {
  [key: string]: unknown;
};
export type GetEvidenceApiArg = {
  id: string;
};
export type AddNoteApiResponse = /** status 201  */ ContactNoteDto;
export type AddNoteApiArg = {
  id: string;
  createNoteDto: CreateNoteDto;
};
export type DeleteNoteApiResponse = unknown;
export type DeleteNoteApiArg = {
  id: string;
  noteId: string;
};
export type GetTimelineApiResponse = /** status 200  */ TimelineEntryDto[];
export type GetTimelineApiArg = {
  id: string;
  /** Only entries of this kind */
  kind?: 'consent' | 'messages' | 'notes' | 'replies';
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetOnboardingApiResponse = /** status 200  */ OnboardingDto;
export type GetOnboardingApiArg = void;
export type DismissOnboardingApiResponse = unknown;
export type DismissOnboardingApiArg = void;
export type GetDashboardOutcomesApiResponse = /** status 200  */ SendOutcomeDto[];
export type GetDashboardOutcomesApiArg = void;
export type GetDashboardStatsApiResponse = /** status 200  */ DashboardStatsDto;
export type GetDashboardStatsApiArg = void;
export type GetDashboardTrendsApiResponse = /** status 200  */ TrendDayDto[];
export type GetDashboardTrendsApiArg = void;
export type ListDoNotSendApiResponse = /** status 200  */ DoNotSendRuleDto[];
export type ListDoNotSendApiArg = {
  /** Only rules for this reason */
  reason?: 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type AddDoNotSendApiResponse = /** status 201  */ DoNotSendAddedDto;
export type AddDoNotSendApiArg = {
  createDoNotSendDto: CreateDoNotSendDto;
};
export type ExportDoNotSendApiResponse = /** status 200  */ string;
export type ExportDoNotSendApiArg = void;
export type AddManyDoNotSendApiResponse = /** status 200  */ BulkDoNotSendResultDto;
export type AddManyDoNotSendApiArg = {
  bulkDoNotSendDto: BulkDoNotSendDto;
};
export type GetDoNotSendSuggestionApiResponse = /** status 200  */ DoNotSendSuggestionDto;
export type GetDoNotSendSuggestionApiArg = void;
export type UpdateDoNotSendApiResponse = /** status 200  */ DoNotSendRuleDto;
export type UpdateDoNotSendApiArg = {
  id: string;
  updateDoNotSendDto: UpdateDoNotSendDto;
};
export type DeleteDoNotSendApiResponse = unknown;
export type DeleteDoNotSendApiArg = {
  id: string;
};
export type ListDraftsApiResponse = /** status 200  */ DraftSummaryDto[];
export type ListDraftsApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type CreateDraftApiResponse = /** status 201  */ DraftDto;
export type CreateDraftApiArg = {
  createDraftDto: CreateDraftDto;
};
export type GetDraftApiResponse = /** status 200  */ DraftDto;
export type GetDraftApiArg = {
  id: string;
};
export type SaveDraftApiResponse = /** status 200  */ DraftSavedDto;
export type SaveDraftApiArg = {
  id: string;
  /** The ETag of the version that is changed */
  'If-Match': string;
  saveDraftDto: SaveDraftDto;
};
export type DeleteDraftApiResponse = unknown;
export type DeleteDraftApiArg = {
  id: string;
};
export type ListHistoryApiResponse = /** status 200  */ HistoryRowDto[];
export type ListHistoryApiArg = {
  /** Only sends of this type. */
  type?: 'candidate-list' | 'job-post';
  /** Only sends with this status. A cancelled send that has ended is found by `cancelled` alone. */
  status?: 'cancelled' | 'failed' | 'pending' | 'sent';
  /** Only sends of this day of the caller's time zone, and later ones. */
  from?: string;
  /** Only sends of this day and earlier ones. */
  to?: string;
  /** true adds to each send the names of its lists and what became of its messages so far. */
  outcome?: 'true';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetHistoryEntryApiResponse = /** status 200  */ HistoryEntryDto;
export type GetHistoryEntryApiArg = {
  id: string;
};
export type CancelSendApiResponse = /** status 200  */ HistoryEntryDto;
export type CancelSendApiArg = {
  id: string;
};
export type ListDeliveriesApiResponse = /** status 200  */ DeliveryDto[];
export type ListDeliveriesApiArg = {
  id: string;
  /** Only deliveries with this status; unsubscribed: those whose recipient unsubscribed through this message. */
  status?:
    | 'bounced'
    | 'complained'
    | 'deferred'
    | 'failed'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'skipped'
    | 'unconfirmed'
    | 'unsubscribed';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ExportDeliveriesApiResponse = /** status 200  */ string;
export type ExportDeliveriesApiArg = {
  id: string;
  /** Only deliveries with this status; unsubscribed: those whose recipient unsubscribed through this message. */
  status?:
    | 'bounced'
    | 'complained'
    | 'deferred'
    | 'failed'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'skipped'
    | 'unconfirmed'
    | 'unsubscribed';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetDeliveryMessageApiResponse = /** status 200  */ RenderedMessageDto;
export type GetDeliveryMessageApiArg = {
  id: string;
  deliveryId: string;
};
export type ListLeftOutApiResponse = /** status 200  */ LeftOutDto[];
export type ListLeftOutApiArg = {
  id: string;
  /** Only those left out for this reason */
  reason?: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ExportLeftOutApiResponse = /** status 200  */ string;
export type ExportLeftOutApiArg = {
  id: string;
  /** Only those left out for this reason */
  reason?: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type PauseSendApiResponse = /** status 200  */ HistoryEntryDto;
export type PauseSendApiArg = {
  id: string;
};
export type StreamProgressApiResponse = /** status 200  */ SendProgressDto;
export type StreamProgressApiArg = {
  id: string;
};
export type ResumeSendApiResponse = /** status 200  */ HistoryEntryDto;
export type ResumeSendApiArg = {
  id: string;
};
export type RetrySendApiResponse = /** status 200  */ RetriedDto;
export type RetrySendApiArg = {
  id: string;
};
export type ListEmailListsApiResponse = /** status 200  */ EmailListDto[];
export type ListEmailListsApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
  /** Adds the shared network, which everybody may send to */
  sendable?: boolean;
};
export type CreateEmailListApiResponse = /** status 201  */ EmailListDto;
export type CreateEmailListApiArg = {
  createEmailListDto: CreateEmailListDto;
};
export type FindContactsApiResponse = /** status 200  */ FoundContactDto[];
export type FindContactsApiArg = {
  /** A part of the address */
  search: string;
};
export type GetPublicListApiResponse = /** status 200  */ PublicListDto;
export type GetPublicListApiArg = {
  slug: string;
};
export type GetEmailListApiResponse = /** status 200  */ EmailListDetailDto;
export type GetEmailListApiArg = {
  id: string;
};
export type UpdateEmailListApiResponse = /** status 200  */ EmailListDto;
export type UpdateEmailListApiArg = {
  id: string;
  updateEmailListDto: UpdateEmailListDto;
};
export type DeleteEmailListApiResponse = unknown;
export type DeleteEmailListApiArg = {
  id: string;
};
export type GetListFiguresApiResponse = /** status 200  */ ListFiguresDto;
export type GetListFiguresApiArg = {
  id: string;
};
export type RestoreEmailListApiResponse = /** status 200  */ EmailListDto;
export type RestoreEmailListApiArg = {
  id: string;
};
export type ListContactsApiResponse = /** status 200  */ ContactDto[];
export type ListContactsApiArg = {
  id: string;
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
  /** Only contacts of this status; without it Pending and Confirmed ones */
  status?: 'confirmed' | 'pending' | 'unsubscribed';
};
export type AddContactApiResponse = /** status 201  */ ContactDto;
export type AddContactApiArg = {
  id: string;
  addContactDto: AddContactDto;
};
export type ExportContactsApiResponse = /** status 200  */ Blob;
export type ExportContactsApiArg = {
  id: string;
};
export type ImportContactsApiResponse = /** status 202  */ ImportStartedDto;
export type ImportContactsApiArg = {
  id: string;
  /** The attestation of a text/csv body, percent-encoded where it is not ASCII */
  'X-Import-Attestation'?: string;
  importContactsDto: ImportContactsDto;
};
export type GetImportApiResponse = /** status 200  */ ImportDto;
export type GetImportApiArg = {
  id: string;
  jobId: string;
};
export type DownloadRejectedRowsApiResponse = /** status 200  */ Blob;
export type DownloadRejectedRowsApiArg = {
  id: string;
  jobId: string;
};
export type UpdateContactApiResponse = /** status 200  */ ContactDto;
export type UpdateContactApiArg = {
  id: string;
  contactId: string;
  updateContactDto: UpdateContactDto;
};
export type DeleteContactApiResponse = unknown;
export type DeleteContactApiArg = {
  id: string;
  contactId: string;
};
export type ResendConfirmationApiResponse = /** status 202  */ MessageDto;
export type ResendConfirmationApiArg = {
  id: string;
  contactId: string;
};
export type RestoreContactApiResponse = /** status 200  */ ContactDto;
export type RestoreContactApiArg = {
  id: string;
  contactId: string;
};
export type ListTemplatesApiResponse = /** status 200  */ TemplateSummaryDto[];
export type ListTemplatesApiArg = {
  /** Only templates of this type. */
  type?: 'candidate-list' | 'job-post';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type CreateTemplateApiResponse = /** status 201  */ TemplateDto;
export type CreateTemplateApiArg = {
  createTemplateDto: CreateTemplateDto;
};
export type GetTemplateApiResponse = /** status 200  */ TemplateDto;
export type GetTemplateApiArg = {
  id: string;
};
export type UpdateTemplateApiResponse = /** status 200  */ TemplateSummaryDto;
export type UpdateTemplateApiArg = {
  id: string;
  /** The ETag of the version that is changed */
  'If-Match': string;
  updateTemplateDto: UpdateTemplateDto;
};
export type DeleteTemplateApiResponse = unknown;
export type DeleteTemplateApiArg = {
  id: string;
};
export type DuplicateTemplateApiResponse = /** status 201  */ TemplateDto;
export type DuplicateTemplateApiArg = {
  id: string;
};
export type ApplyTemplateApiResponse = /** status 200  */ TemplateDto;
export type ApplyTemplateApiArg = {
  id: string;
};
export type StreamEventsApiResponse = /** status 200  */ ChangeEventDto;
export type StreamEventsApiArg = {
  /** Age of the oldest data on the screen, in milliseconds: changes since then are sent at once. Absent: nothing is
    shown yet */
  age?: number;
};
export type ChangeFileLinkApiResponse = /** status 200  */ FileLinkDto;
export type ChangeFileLinkApiArg = {
  id: string;
  changeFileLinkDto: ChangeFileLinkDto;
};
export type UploadFileApiResponse = /** status 200  */ FileDto | /** status 201  */ FileDto;
export type UploadFileApiArg = {
  body: {
    file: Blob;
    kind: 'document' | 'image';
  };
};
export type ListFilesApiResponse = /** status 200  */ FileDto[];
export type ListFilesApiArg = {
  /** Only files of this kind. */
  kind?: 'document' | 'image';
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetSharedFileApiResponse = /** status 200  */ SharedFileDto;
export type GetSharedFileApiArg = {
  token: string;
};
export type DownloadSharedFileApiResponse = /** status 200  */ Blob;
export type DownloadSharedFileApiArg = {
  token: string;
};
export type ReportSharedFileApiResponse = unknown;
export type ReportSharedFileApiArg = {
  token: string;
};
export type GetFileSpaceApiResponse = /** status 200  */ FileSpaceDto;
export type GetFileSpaceApiArg = void;
export type GetFileApiResponse = /** status 200  */ FileDetailDto;
export type GetFileApiArg = {
  id: string;
};
export type RenameFileApiResponse = /** status 200  */ FileDto;
export type RenameFileApiArg = {
  id: string;
  renameFileDto: RenameFileDto;
};
export type DeleteFileApiResponse = unknown;
export type DeleteFileApiArg = {
  id: string;
};
export type ReplaceFileApiResponse = /** status 200  */ FileDto;
export type ReplaceFileApiArg = {
  id: string;
  replaceFileDto: ReplaceFileDto;
};
export type GetLiveApiResponse = /** status 200  */ HealthDto;
export type GetLiveApiArg = void;
export type GetReadyApiResponse = /** status 200  */ HealthDto;
export type GetReadyApiArg = void;
export type CreateImportApiResponse = /** status 201  */ ImportStartedDto;
export type CreateImportApiArg = {
  pastedTextDto: PastedTextDto;
};
export type ListImportsApiResponse = /** status 200  */ AccountImportDto[];
export type ListImportsApiArg = {
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetAccountImportApiResponse = /** status 200  */ AccountImportDetailDto;
export type GetAccountImportApiArg = {
  id: string;
};
export type UpdateImportApiResponse = /** status 200  */ AccountImportDetailDto;
export type UpdateImportApiArg = {
  id: string;
  updateImportDto: UpdateImportDto;
};
export type CheckImportApiResponse = /** status 202  */ AccountImportDetailDto;
export type CheckImportApiArg = {
  id: string;
};
export type CommitImportApiResponse = /** status 202  */ AccountImportDetailDto;
export type CommitImportApiArg = {
  id: string;
  /** Any text of up to 255 characters that stands for this press of the button */
  'Idempotency-Key'?: string;
};
export type DiscardImportApiResponse = unknown;
export type DiscardImportApiArg = {
  id: string;
};
export type FixImportDomainApiResponse = /** status 202  */ AccountImportDetailDto;
export type FixImportDomainApiArg = {
  id: string;
  fixDomainDto: FixDomainDto;
};
export type DownloadLeftOutLinesApiResponse = /** status 200  */ Blob;
export type DownloadLeftOutLinesApiArg = {
  id: string;
};
export type ListImportRowsApiResponse = /** status 200  */ ImportLineDto[];
export type ListImportRowsApiArg = {
  id: string;
  /** Only lines with this reason or mark */
  group?:
    | 'disposable'
    | 'do_not_send'
    | 'dropped'
    | 'duplicate'
    | 'invalid'
    | 'limit'
    | 'list_address'
    | 'misfit'
    | 'mistyped'
    | 'no_domain'
    | 'role'
    | 'suppressed'
    | 'unreadable';
  /** Only lines with this verdict */
  verdict?: 'left_out' | 'new' | 'unchanged' | 'updated';
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type CorrectImportRowApiResponse = /** status 200  */ ImportLineDto;
export type CorrectImportRowApiArg = {
  id: string;
  line: string;
  correctLineDto: CorrectLineDto;
};
export type UndoImportApiResponse = /** status 202  */ AccountImportDetailDto;
export type UndoImportApiArg = {
  id: string;
};
export type ListMergeTagsApiResponse = /** status 200  */ MergeTagDto[];
export type ListMergeTagsApiArg = {
  /** Ids of the chosen lists, repeated or separated by commas; absent: none is chosen yet */
  emailListIds?: string[];
  /** true: counts the contacts that have a value, too. */
  counts?: 'false' | 'true';
};
export type NeverAskApiResponse = /** status 200  */ MessageDto;
export type NeverAskApiArg = {
  token: string;
};
export type EndNotificationMailApiResponse = /** status 200  */ MessageDto;
export type EndNotificationMailApiArg = {
  token: string;
  notificationOptOutDto: NotificationOptOutDto;
};
export type GetNotificationSettingsApiResponse = /** status 200  */ NotificationSettingsDto;
export type GetNotificationSettingsApiArg = void;
export type ChangeNotificationSettingsApiResponse = /** status 200  */ NotificationSettingsDto;
export type ChangeNotificationSettingsApiArg = {
  changeNotificationSettingsDto: ChangeNotificationSettingsDto;
};
export type ListNotificationsApiResponse = /** status 200  */ NotificationDto[];
export type ListNotificationsApiArg = {
  /** true: only unread ones */
  unread?: 'true';
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ReadNotificationsApiResponse = /** status 200  */ UnreadDto;
export type ReadNotificationsApiArg = {
  readNotificationsDto: ReadNotificationsDto;
};
export type GetReferralsApiResponse = /** status 200  */ ReferralsDto;
export type GetReferralsApiArg = void;
export type GetReferralCodeApiResponse = /** status 200  */ ReferralCodeDto;
export type GetReferralCodeApiArg = void;
export type SendInviteApiResponse = /** status 201  */ MessageDto;
export type SendInviteApiArg = {
  inviteDto: InviteDto;
};
export type ListInvitesApiResponse = /** status 200  */ ReferralInviteDto[];
export type ListInvitesApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type OptOutOfInvitesApiResponse = /** status 200  */ MessageDto;
export type OptOutOfInvitesApiArg = {
  optOutDto: OptOutDto;
};
export type NoteVisitApiResponse = /** status 200  */ ReferrerDto;
export type NoteVisitApiArg = {
  visitDto: VisitDto;
};
export type ComposeRequirementApiResponse = /** status 200  */ ComposedRequirementDto;
export type ComposeRequirementApiArg = {
  composeRequirementDto: ComposeRequirementDto;
};
export type ReadRequirementApiResponse = /** status 200  */ RequirementDto[];
export type ReadRequirementApiArg = {
  readRequirementDto: ReadRequirementDto;
};
export type GetRunningTasksApiResponse = /** status 200  */ RunningTasksDto;
export type GetRunningTasksApiArg = void;
export type ListScheduledApiResponse = /** status 200  */ ScheduledSummaryDto[];
export type ListScheduledApiArg = {
  /** Only those in this state; open: scheduled, leaving or blocked. */
  state?: 'blocked' | 'cancelled' | 'leaving' | 'open' | 'scheduled' | 'sent';
  /** Only those that go to this list. */
  listId?: string;
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ScheduleSendApiResponse = /** status 201  */ ScheduledSendDto;
export type ScheduleSendApiArg = {
  /** Any text of up to 255 characters that stands for this press of the button */
  'Idempotency-Key'?: string;
  scheduleSendDto: ScheduleSendDto;
};
export type GetScheduledApiResponse = /** status 200  */ ScheduledSendDto;
export type GetScheduledApiArg = {
  id: string;
};
export type ChangeScheduledApiResponse = /** status 200  */ ScheduledSendDto;
export type ChangeScheduledApiArg = {
  id: string;
  changeScheduledDto: ChangeScheduledDto;
};
export type CancelScheduledApiResponse = /** status 200  */ ScheduledSendDto;
export type CancelScheduledApiArg = {
  id: string;
};
export type SendScheduledNowApiResponse = /** status 202  */ SendAcceptedDto;
export type SendScheduledNowApiArg = {
  id: string;
};
export type ListSegmentsApiResponse = /** status 200  */ SegmentDto[];
export type ListSegmentsApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type CreateSegmentApiResponse = /** status 201  */ SegmentDto;
export type CreateSegmentApiArg = {
  createSegmentDto: CreateSegmentDto;
};
export type CountSegmentApiResponse = /** status 200  */ SegmentCountDto;
export type CountSegmentApiArg = {
  countRequestDto: CountRequestDto;
};
export type ListSegmentTermsApiResponse = /** status 200  */ SegmentTermDto[];
export type ListSegmentTermsApiArg = void;
export type GetSegmentApiResponse = /** status 200  */ SegmentDto;
export type GetSegmentApiArg = {
  id: string;
};
export type UpdateSegmentApiResponse = /** status 200  */ SegmentDto;
export type UpdateSegmentApiArg = {
  id: string;
  updateSegmentDto: UpdateSegmentDto;
};
export type DeleteSegmentApiResponse = unknown;
export type DeleteSegmentApiArg = {
  id: string;
};
export type ExportSegmentApiResponse = /** status 200  */ string;
export type ExportSegmentApiArg = {
  id: string;
};
export type SendEmailApiResponse = /** status 202  */ SendAcceptedDto;
export type SendEmailApiArg = {
  /** Any text of up to 255 characters that stands for this press of the button */
  'Idempotency-Key'?: string;
  sendEmailDto: SendEmailDto;
};
export type CheckSendApiResponse = /** status 200  */ SendCheckDto;
export type CheckSendApiArg = {
  checkSendDto: CheckSendDto;
};
export type PreviewSendApiResponse = /** status 200  */ SendPreviewDto;
export type PreviewSendApiArg = {
  previewSendDto: PreviewSendDto;
};
export type RenderSendApiResponse = /** status 200  */ RenderedMessageDto;
export type RenderSendApiArg = {
  renderSendDto: RenderSendDto;
};
export type SendTestApiResponse = /** status 202  */ TestSentDto;
export type SendTestApiArg = {
  testSendDto: TestSendDto;
};
export type ListTestsApiResponse = /** status 200  */ TestMailDto[];
export type ListTestsApiArg = void;
export type GetSenderProfileApiResponse = /** status 200  */ SenderProfileDto;
export type GetSenderProfileApiArg = void;
export type SaveSenderProfileApiResponse = /** status 200  */ SenderProfileDto;
export type SaveSenderProfileApiArg = {
  /** The ETag of the version that is changed */
  'If-Match': string;
  saveSenderProfileDto: SaveSenderProfileDto;
};
export type PreviewSenderProfileApiResponse = /** status 200  */ SenderPreviewDto;
export type PreviewSenderProfileApiArg = {
  saveSenderProfileDto: SaveSenderProfileDto;
};
export type CancelSubscriptionApiResponse = /** status 200  */ SubscriptionStatusDto;
export type CancelSubscriptionApiArg = {
  cancelSubscriptionDto: CancelSubscriptionDto;
};
export type StripeConfigApiResponse = /** status 200  */ StripeConfigDto;
export type StripeConfigApiArg = void;
export type CreatePortalSessionApiResponse = /** status 200  */ PortalDto;
export type CreatePortalSessionApiArg = void;
export type CreateSubscriptionApiResponse = /** status 200  */ CreatedDto;
export type CreateSubscriptionApiArg = {
  createSubscriptionDto: CreateSubscriptionDto;
};
export type ReactivateSubscriptionApiResponse = /** status 200  */ SubscriptionStatusDto;
export type ReactivateSubscriptionApiArg = void;
export type SubscriptionStatusApiResponse = /** status 200  */ SubscriptionStatusDto;
export type SubscriptionStatusApiArg = void;
export type ReceiveStripeEventApiResponse = /** status 200  */ ReceivedDto;
export type ReceiveStripeEventApiArg = {
  'stripe-signature': string;
};
export type SubscribeApiResponse = /** status 200  */ MessageDto;
export type SubscribeApiArg = {
  subscribeDto: SubscribeDto;
};
export type ConfirmSubscriptionApiResponse = /** status 200  */ ConfirmedDto;
export type ConfirmSubscriptionApiArg = {
  token: string;
};
export type ListTestersApiResponse = /** status 200  */ TesterDto[];
export type ListTestersApiArg = void;
export type AddTesterApiResponse = /** status 201  */ TesterDto;
export type AddTesterApiArg = {
  addTesterDto: AddTesterDto;
};
export type ConfirmTesterApiResponse = /** status 200  */ MessageDto;
export type ConfirmTesterApiArg = {
  confirmTesterDto: ConfirmTesterDto;
};
export type RemoveTesterApiResponse = unknown;
export type RemoveTesterApiArg = {
  id: string;
};
export type ReadUnsubscribeApiResponse = /** status 200  */ UnsubscribedDto;
export type ReadUnsubscribeApiArg = {
  token: string;
};
export type UnsubscribeApiResponse = /** status 200  */ UnsubscribedDto;
export type UnsubscribeApiArg = {
  token: string;
};
export type UnsubscribeEverythingApiResponse = /** status 200  */ UnsubscribedDto;
export type UnsubscribeEverythingApiArg = {
  token: string;
};
export type LeaveSenderApiResponse = /** status 200  */ UnsubscribedDto;
export type LeaveSenderApiArg = {
  token: string;
  leaveSenderDto: LeaveSenderDto;
};
export type ListSendersApiResponse = /** status 200  */ SenderChoicesDto;
export type ListSendersApiArg = {
  token: string;
};
export type UndoUnsubscribeApiResponse = /** status 200  */ UnsubscribedDto;
export type UndoUnsubscribeApiArg = {
  token: string;
  undoDto: UndoDto;
};
export type GetUsageTodayApiResponse = /** status 200  */ UsageTodayDto;
export type GetUsageTodayApiArg = void;
export type ReceiveMailReportApiResponse = /** status 200  */ ReportReceivedDto;
export type ReceiveMailReportApiArg = {
  /** t={unix seconds},v1={hex HMAC-SHA256 of "t.body" under INBOUND_SECRET} */
  'X-Signature'?: string;
  /** The report, as a raw message */
  body: Blob;
};
export type EndNotificationMailOneClickApiResponse = /** status 200  */ MessageDto;
export type EndNotificationMailOneClickApiArg = {
  token: string;
};
export type NeverAskOneClickApiResponse = /** status 200  */ MessageDto;
export type NeverAskOneClickApiArg = {
  token: string;
};
export type UnsubscribeOneClickApiResponse = /** status 200  */ UnsubscribedDto;
export type UnsubscribeOneClickApiArg = {
  token: string;
};
export type AdminAuditDto = {
  /** Name of the event, for programs */
  kind:
    | 'account.deleted'
    | 'account.registered'
    | 'account.reinstated'
    | 'account.suspended'
    | 'account.verified'
    | 'admin.granted'
    | 'admin.revoked'
    | 'contact.confirmed'
    | 'contact.unconfirmed'
    | 'data.exported'
    | 'file.report_dismissed'
    | 'file.taken_down'
    | 'import.confirmed'
    | 'import.declined'
    | 'limit.changed'
    | 'network.changed'
    | 'network.contact_added'
    | 'network.contact_changed'
    | 'network.contact_removed'
    | 'network.imported'
    | 'password.changed'
    | 'password.reset'
    | 'password.reset_requested'
    | 'picture.changed'
    | 'picture.removed'
    | 'profile.changed'
    | 'provider.added'
    | 'provider.changed'
    | 'provider.removed'
    | 'provider.tested'
    | 'queue.changed'
    | 'role.changed'
    | 'session.ended'
    | 'session.ended_others'
    | 'session.opened'
    | 'session.refused'
    | 'session.reused'
    | 'session.signed_out'
    | 'suppression.added'
    | 'suppression.lifted';
  /** Address of the actor, or 'deleted account'; null: an anonymous visitor or the command line */
  actorEmail: string | null;
  /** Object and reason */
  reason: string | null;
  /** IP address */
  ipAddress: string | null;
  /** Its id */
  id: string;
  /** The event as text to show */
  description: string;
  /** The account concerned; for a deleted account a pseudonym, the same in all its entries */
  userId: string;
  /** That account's address, or 'deleted account' */
  userEmail: string;
  /** When */
  at: string;
};
export type FieldFault = {
  /** Name of the field; nested names are joined by dots */
  field: string;
  /** Readable explanation */
  message: string;
};
export type ErrorBody = {
  /** The HTTP status */
  statusCode: number;
  /** Stable error code */
  code: string;
  /** Readable text */
  message: string;
  /** Equal to message */
  error: string;
  /** Invalid fields */
  details?: FieldFault[];
};
export type ReportedFileDto = {
  /** Its type. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'text/plain';
  /** The owner's address; null for a closed account. */
  userEmail: string | null;
  /** When an admin took it down; null: it is served. */
  takenDownAt: string | null;
  /** Id of the file. */
  id: string;
  /** Its name; empty once its owner deleted it. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Id of its owner. */
  userId: string;
  /** How many times it was reported. */
  reports: number;
  /** The last time. */
  reportedAt: string;
};
export type ReasonDto = {
  /** Why, for the record */
  reason?: string;
};
export type ImportOwnerDto = {
  /** The user's agency */
  agencyName: string | null;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** Full name */
  name: string;
  /** When the account was created */
  memberSince: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** Imports of this person that were confirmed */
  confirmedImports: number;
  /** Imports of this person that were declined */
  declinedImports: number;
};
export type SampleContactDto = {
  /** Name, if given */
  name: string | null;
  /** The address */
  email: string;
};
export type AdminImportDto = {
  /** Its state */
  state: 'confirmed' | 'declined' | 'waiting';
  /** When it was decided */
  decidedAt: string | null;
  /** The owner who attests */
  owner: ImportOwnerDto;
  /** The import */
  id: string;
  /** The list it went into */
  listId: string;
  /** That list's name */
  listName: string;
  /** The owner's statement where and how these people agreed */
  attestation: string;
  /** Number of contacts */
  total: number;
  /** A sample of them */
  sample: SampleContactDto[];
  /** Whether the whole file has been read; a decision is possible only then */
  isComplete: boolean;
  /** Time of the import */
  createdAt: string;
};
export type ImportConfirmedDto = {
  /** Contacts that it confirmed */
  confirmed: number;
};
export type ImportDeclinedDto = {
  /** Contacts that get a confirmation mail now */
  declined: number;
};
export type AdminListDto = {
  /** Owner of the list; null: the default list */
  ownerEmail: string | null;
  /** Its id */
  id: string;
  /** Its name */
  name: string;
  /** Pending and confirmed contacts */
  contactCount: number;
  /** Whether it is the shared network */
  isDefault: boolean;
};
export type SendsTodayDto = {
  /** Sends */
  sends: number;
  /** People who sent */
  senders: number;
  /** Recipients of those sends */
  recipients: number;
  /** Messages accepted by mail servers, including those whose outcome is unknown (`unconfirmed`) */
  sent: number;
  /** Permanently refused messages */
  failed: number;
  /** Messages not sent because the recipient was no longer mailable */
  skipped: number;
  /** Bounced messages */
  bounced: number;
  /** Messages reported as spam */
  complained: number;
};
export type AdminOverviewDto = {
  /** Accounts */
  users: number;
  /** Unverified accounts */
  pendingUsers: number;
  /** Suspended accounts */
  suspendedUsers: number;
  /** Attested imports awaiting a decision */
  waitingImports: number;
  /** Accounts with a complaint rate above a threshold */
  flaggedUsers: number;
  /** Number of shared files that readers reported and that no admin has taken down; counted up to 100 */
  reportedFiles: number;
  /** Whether uploaded files are scanned for viruses */
  filesScanned: boolean;
  /** Today's sends over all users, by the caller's time zone */
  today: SendsTodayDto;
};
export type PendingPersonDto = {
  /** The user's role */
  role: 'bench-sales' | 'recruiter';
  /** The user's id */
  id: string;
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** The current plan */
  tier: string;
  /** When the account was created */
  createdAt: string;
};
export type PendingCredentialDto = {
  /** The unverified address */
  email: string;
};
export type PendingUserDto = {
  /** Who */
  user: PendingPersonDto;
  /** The sign-in credential */
  credential: PendingCredentialDto;
};
export type ProviderBacklogDto = {
  /** Current limit in messages per second; null: none. */
  perSecond: number | null;
  /** When the backlog is expected to be delivered; null: no backlog or no limit. */
  expectedEnd: string | null;
  /** Until when it is paused after policy refusals; null: it is not paused. */
  pausedUntil: string | null;
  /** Its last reply that asked for a lower rate. */
  lastAnswer: string | null;
  /** Name of the mail account. */
  account: string;
  /** A large provider (google, microsoft, yahoo, apple), else the recipients' domain. */
  provider: string;
  /** Messages per second accepted in the last full minute. */
  rateNow: number;
  /** Replies in the last hour that asked for a lower rate. */
  refusedLastHour: number;
  /** Messages in its backlog. */
  waiting: number;
};
export type MailSecretDto = {
  /** Name of the setting. */
  name: string;
  /** Whether it holds a whole address (smtp://user:password@host), so that no host has to be named. */
  isAddress: boolean;
  /** The server that the configuration binds a password to; left out: none, so that the password is sent nowhere. */
  host?: string;
};
export type ProviderConfigDto = {
  /** relay (default): a provider or relay host that accepts mail for all domains. direct: a mail server of our own that
    delivers to the recipients' servers; it starts with low limits per mailbox provider. */
  kind?: 'direct' | 'relay';
  /** Client that sends the mail. pipelined (default): the product's own, which sends several times as many messages a
    second. nodemailer: the library alone. Both treat each message alike. A `client` parameter in the address of the
    secret (SMTP_URL?client=nodemailer) takes precedence. */
  client?: 'nodemailer' | 'pipelined';
  /** Host name of the SMTP server. Not needed where the configuration binds the secret to a server (SMTP_URL_…, or
    SMTP_HOST_… beside SMTP_PASSWORD_…); another one is then refused. Private addresses are refused. */
  host?: string;
  /** Port: 25, 465, 587 or 2525, or the one that the configuration names; default 587, or 465 with `secure`. */
  port?: number;
  /** TLS from the first byte. */
  secure?: boolean;
  /** Refuse to send without STARTTLS; in production always, and false is refused. */
  requireTLS?: boolean;
  /** Name of the account at the server; left out: no sign-in. Needs a secret that the configuration binds to a server. */
  user?: string;
  /** Messages a second over all workers; left out: no limit of its own. */
  messagesPerSecond?: number;
  /** Messages a day (UTC) over all workers; left out: no limit of its own. */
  messagesPerDay?: number;
  /** Connections that a worker may open. */
  connections?: number;
  /** Messages after which a connection is closed and another opened; default: unlimited, 50 during warm-up. */
  messagesPerConnection?: number;
  /** Messages a second to one mailbox provider or recipient domain, over all workers; default: no limit for a relay, 10
    for a direct account and during warm-up. */
  domainMessagesPerSecond?: number;
  /** Concurrent messages to one mailbox provider or recipient domain, per worker; default: no limit for a relay, 5
    (Yahoo 20, Microsoft 50) for a direct account and during warm-up. */
  domainConnections?: number;
  /** First day of the warm-up, in UTC: the daily quota grows from then on. Default: no warm-up. */
  warmUp?: string;
};
export type ProviderDto = {
  /** unknown: not used yet; ok: the last message was accepted; failing: the server refused us or could not be reached. */
  state: 'failing' | 'ok' | 'unknown';
  /** Time of the last accepted message. */
  lastOkAt: string | null;
  /** Time of the last failure. */
  lastErrorAt: string | null;
  /** The server's reply at that time. */
  lastError: string | null;
  /** Until when other accounts are preferred; null: now. */
  heldUntil: string | null;
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** Setting that holds its secret. */
  apiKeyRef: string;
  /** Whether that setting exists and names a server. */
  isConfigured: boolean;
  /** Connection and limits. */
  config: ProviderConfigDto;
  /** Whether it is the default, which is tried first. */
  isDefault: boolean;
  /** Whether it may send. */
  isActive: boolean;
};
export type AddProviderDto = {
  /** Why, for the record */
  reason?: string;
  /** Unique name. */
  name: string;
  /** Setting that holds its secret: SMTP_URL_… (a whole address) or SMTP_PASSWORD_…. */
  apiKeyRef: string;
  /** Whether it may send immediately; default true. */
  isActive?: boolean;
  /** Connection and limits. */
  config?: ProviderConfigDto;
  /** The admin's own password; required. */
  currentPassword?: string;
};
export type ChangeProviderDto = {
  /** Why, for the record */
  reason?: string;
  /** Whether it may send. */
  isActive?: boolean;
  /** true makes it the default, which is tried first. */
  isDefault?: boolean;
  /** Connection and limits; replaces the former ones. */
  config?: ProviderConfigDto;
  /** The admin's own password; required where the config names another host, port, encryption or user. */
  currentPassword?: string;
};
export type ProviderTestDto = {
  /** Whether the server accepted it. */
  ok: boolean;
  /** The server's reply if it accepted the mail; the same text for every failure. */
  answer: string;
};
export type TestProviderDto = {
  /** Address of the test mail. */
  to: string;
};
export type SenderRatesDto = {
  /** Messages that mail servers accepted, or refused for an unknown mailbox. */
  mails: number;
  /** Bounced, or refused for an unknown mailbox. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** bounced as a share of mails, 0 to 1. */
  bounceRate: number;
  /** complained as a share of the mails that were delivered, 0 to 1. */
  complaintRate: number;
};
export type AdminSenderDto = {
  /** watch: complaints of 0.1 % or more; alert: of 0.3 % or more; on at least 1,000 mails of the 7 or 30 days. */
  flag: 'alert' | 'none' | 'watch';
  /** Id of the sender. */
  userId: string;
  /** The last 7 days. */
  last7Days: SenderRatesDto;
  /** The last 30 days. */
  last30Days: SenderRatesDto;
  /** The account's address */
  email: string;
  /** Full name */
  name: string;
  /** Whether the account is suspended */
  suspended: boolean;
};
export type AdminSendDto = {
  /** Type of the send. */
  emailType: 'candidate-list' | 'job-post';
  /** pending until the last recipient is settled; sent when the mail server accepted at least one; failed when it
    accepted none. */
  status: 'failed' | 'pending' | 'sent';
  /** Id of the sender */
  userId: string;
  /** The sender's name at that time */
  senderName: string;
  /** The sender's address */
  senderEmail: string;
  /** Messages accepted by mail servers, including those whose outcome is unknown (`unconfirmed`) */
  sent: number;
  /** Permanently refused messages */
  failed: number;
  /** Bounced messages */
  bounced: number;
  /** Messages reported as spam */
  complained: number;
  /** Id of the send. */
  id: string;
  /** Subject line. */
  subject: string;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** When the send was accepted. */
  sentAt: string;
};
export type AdminContactDto = {
  /** Owner of the list; null: the default list */
  ownerEmail: string | null;
  /** The list it is on */
  emailListId: string;
  /** That list's name */
  listName: string;
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Name, if given */
  name: string | null;
  /** What the person agreed to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
  /** Whether the address is confirmed; only confirmed contacts are mailed */
  confirmed: boolean;
  /** Why it is not mailed; null: it may be */
  suppressed: ('bounced' | 'complained' | 'unsubscribed') | null;
  /** When it was added */
  createdAt: string;
  /** The person's profile in /api/contacts; null on the default list */
  profileId: string | null;
};
export type ConfirmContactDto = {
  /** true confirms, false sets it back to Pending */
  confirmed: boolean;
  /** Why, for the record */
  reason?: string | null;
};
export type SuppressionDto = {
  /** The address; null once the person's data was erased */
  email: string | null;
  /** Why */
  cause: 'bounced' | 'complained' | 'unsubscribed';
  /** Scope: one owner's lists, the shared network, or all mail */
  scope: 'all' | 'network' | 'owner';
  /** The list owner, for scope owner; null if the account was deleted */
  ownerEmail: string | null;
  /** Until when; null: permanently */
  expiresAt: string | null;
  /** Its id */
  id: string;
  /** Since when */
  createdAt: string;
};
export type AddSuppressionDto = {
  /** all: every mail; network: the shared network; default all */
  scope?: 'all' | 'network';
  /** Whether the person unsubscribed or complained; default unsubscribed */
  cause?: 'complained' | 'unsubscribed';
  /** The address */
  email: string;
  /** Why, for the record */
  reason?: string | null;
};
export type AdminUserDto = {
  /** The user's agency */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Sends a day set for this account; null: the plan's */
  customDailyLimit: number | null;
  /** The user's role */
  role: 'bench-sales' | 'recruiter';
  /** Since when it is suspended; null: it is not */
  suspendedAt: string | null;
  /** Level of spam complaints about the user's mail: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  flag: 'alert' | 'none' | 'watch';
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** The user's sends today */
  emailsSentToday: number;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** free, pro or another */
  tier: string;
  /** Whether the user is an admin */
  isAdmin: boolean;
  /** Whether the address is verified */
  isVerified: boolean;
  /** Free months earned, as a numeric string */
  referralCreditsMonths: string;
  /** IANA time zone of the user's days */
  timeZone: string;
  /** When the account was created */
  createdAt: string;
};
export type AdminPlanDto = {
  /** Where it comes from */
  source: 'grace' | 'manual' | 'none' | 'referral' | 'subscription';
  /** Until when; null: no end */
  until: string | null;
  /** Status of a paid plan at the payment provider */
  subscriptionStatus: string | null;
  /** Sends a day; null: no limit */
  dailyLimit: number | null;
  /** Sends left today; null: no limit */
  remainingToday: number | null;
  /** The current plan */
  plan: string;
};
export type SenderReputationDto = {
  /** watch: complaints of 0.1 % or more; alert: of 0.3 % or more; on at least 1,000 mails of the 7 or 30 days. */
  flag: 'alert' | 'none' | 'watch';
  /** Id of the sender. */
  userId: string;
  /** The last 7 days. */
  last7Days: SenderRatesDto;
  /** The last 30 days. */
  last30Days: SenderRatesDto;
};
export type DeviceSessionDto = {
  /** User-Agent at sign-in */
  userAgent: string | null;
  /** IP address at sign-in */
  ipAddress: string | null;
  /** The session's id */
  id: string;
  /** Readable description of the device */
  device: string;
  /** When it signed in */
  createdAt: string;
  /** When it was last used, to within a few minutes */
  lastSeenAt: string;
  /** Whether it is the caller's own */
  current: boolean;
};
export type AdminUserDetailDto = {
  /** The user's agency */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Sends a day set for this account; null: the plan's */
  customDailyLimit: number | null;
  /** The user's role */
  role: 'bench-sales' | 'recruiter';
  /** Since when it is suspended; null: it is not */
  suspendedAt: string | null;
  /** Level of spam complaints about the user's mail: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  flag: 'alert' | 'none' | 'watch';
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** The user's sends today */
  emailsSentToday: number;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** free, pro or another */
  tier: string;
  /** Whether the user is an admin */
  isAdmin: boolean;
  /** Whether the address is verified */
  isVerified: boolean;
  /** Free months earned, as a numeric string */
  referralCreditsMonths: string;
  /** IANA time zone of the user's days */
  timeZone: string;
  /** When the account was created */
  createdAt: string;
  /** Plan and limits */
  plan: AdminPlanDto;
  /** Own lists */
  totalLists: number;
  /** Contacts on own lists */
  totalContacts: number;
  /** The user's sending reputation */
  reputation: SenderReputationDto;
  /** Devices that are signed in */
  devices: DeviceSessionDto[];
};
export type ChangeUserDto = {
  /** Sends a day; null: the plan's */
  customDailyLimit?: number | null;
  /** Grants or revokes admin rights */
  isAdmin?: boolean;
  /** Suspends or reinstates */
  suspended?: boolean;
  /** Why, for the record */
  reason?: string;
};
export type MessageDto = {
  /** Readable text */
  message: string;
};
export type AuditEventDto = {
  /** Name of the event, for programs */
  kind:
    | 'account.deleted'
    | 'account.registered'
    | 'account.reinstated'
    | 'account.suspended'
    | 'account.verified'
    | 'admin.granted'
    | 'admin.revoked'
    | 'contact.confirmed'
    | 'contact.unconfirmed'
    | 'data.exported'
    | 'file.report_dismissed'
    | 'file.taken_down'
    | 'import.confirmed'
    | 'import.declined'
    | 'limit.changed'
    | 'network.changed'
    | 'network.contact_added'
    | 'network.contact_changed'
    | 'network.contact_removed'
    | 'network.imported'
    | 'password.changed'
    | 'password.reset'
    | 'password.reset_requested'
    | 'picture.changed'
    | 'picture.removed'
    | 'profile.changed'
    | 'provider.added'
    | 'provider.changed'
    | 'provider.removed'
    | 'provider.tested'
    | 'queue.changed'
    | 'role.changed'
    | 'session.ended'
    | 'session.ended_others'
    | 'session.opened'
    | 'session.refused'
    | 'session.reused'
    | 'session.signed_out'
    | 'suppression.added'
    | 'suppression.lifted';
  /** The actor: the user, our support team, or an anonymous visitor */
  actor: 'support' | 'unknown' | 'you';
  /** Reason or details */
  reason: string | null;
  /** IP address */
  ipAddress: string | null;
  /** Readable description of the device */
  device: string | null;
  /** Its id */
  id: string;
  /** The event as text to show */
  description: string;
  /** When */
  at: string;
};
export type ChangePasswordDto = {
  /** The current password */
  currentPassword: string;
  /** 8 to 256 characters, not a common password */
  newPassword: string;
};
export type DeleteAccountDto = {
  /** The current password */
  password: string;
};
export type TokenDto = {
  /** From the link's query */
  token: string;
};
export type ForgotPasswordDto = {
  /** The account's address */
  email: string;
};
export type EntitlementsDto = {
  /** Sends a day; null: no limit */
  dailyLimit: number | null;
  /** Sends left today, without the places that scheduled sends hold; null: no limit */
  remainingToday: number | null;
  /** The current plan */
  plan: string;
  /** The user's sends today */
  sentToday: number;
  /** Scheduled sends that hold a place of today */
  scheduledToday: number;
};
export type CurrentUserDto = {
  /** The user's agency */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Sends a day set for this account; null: the plan's */
  customDailyLimit: number | null;
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** The user's role */
  role: ('bench-sales' | 'recruiter') | null;
  /** What the account may do */
  entitlements: EntitlementsDto;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** free, pro or another */
  tier: string;
  /** Whether the user is an admin */
  isAdmin: boolean;
  /** Whether the address is verified */
  isVerified: boolean;
  /** Free months earned, as a numeric string */
  referralCreditsMonths: string;
  /** IANA time zone of the user's days */
  timeZone: string;
  /** When the account was created */
  createdAt: string;
};
export type SignedInDto = {
  /** Readable text */
  message: string;
  /** Who is signed in now */
  user: CurrentUserDto;
};
export type LoginDto = {
  /** The account's address */
  email: string;
  /** The password */
  password: string;
};
export type RegisterDto = {
  /** The account's address */
  email: string;
  /** 8 to 256 characters, not a common password */
  password: string;
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** The user's role */
  role: 'bench-sales' | 'recruiter';
  /** The user's agency */
  agencyName?: string;
  /** A user's referral code or an invite's token; an unknown one is ignored */
  referralCode?: string;
  /** IANA time zone of the user's days; default UTC */
  timeZone?: string;
};
export type ResentDto = {
  /** Readable text */
  message: string;
  /** Whether a mail was sent; false: the address is already verified */
  sent: boolean;
};
export type ResetPasswordDto = {
  /** From the link's query */
  token: string;
  /** 8 to 256 characters, not a common password */
  password: string;
};
export type AccessTokenDto = {
  /** Goes into the Authorization header, after "Bearer " */
  accessToken: string;
  /** Seconds until it expires */
  expiresIn: number;
};
export type ChangeNameDto = {
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
};
export type ChangeRoleDto = {
  /** Recruiters send job posts, bench-sales staff candidate lists */
  role: 'bench-sales' | 'recruiter';
};
export type ChangeSettingsDto = {
  /** The user's agency; an empty text or null clears it */
  agencyName?: string | null;
  /** IANA time zone of the user's days */
  timeZone?: string;
};
export type PlanDto = {
  /** Billing interval */
  billingInterval: 'month' | 'year';
  /** The price's id at Stripe; null while billing is off */
  stripePriceId: string | null;
  /** pro_monthly or pro_yearly */
  code: string;
  /** The plan's name */
  name: string;
  /** The price of one interval, US cents */
  priceCents: number;
  /** Features of the plan */
  features: string[];
};
export type ClientErrorDto = {
  /** The build: the hash in the name of its entry script */
  release: string;
  /** A screen that failed to render, an uncaught error, or an unhandled promise rejection */
  kind: 'promise' | 'screen' | 'script';
  /** Route pattern of the screen, without ids */
  screen: string;
  /** The error's name and text */
  message: string;
  /** Stack trace: lines of our own scripts */
  stack: string;
};
export type CompanyDto = {
  /** Its name: the one that the account gave it, else the most frequent one among its contacts */
  name: string | null;
  /** What it is to the account; null: not set */
  kind: ('competitor' | 'end_client' | 'other' | 'own_agency' | 'vendor') | null;
  /** When a message to one of its contacts was last accepted; null: never, or not known yet */
  lastMailedAt: string | null;
  /** Most people there that get one send; null: no limit */
  maxPerSend: number | null;
  /** The note */
  note: string | null;
  /** Id of the do-not-send rule for the whole company; null: none */
  doNotSendId: string | null;
  /** Registrable domain of its addresses */
  domain: string;
  /** Contacts there */
  contacts: number;
};
export type UpdateCompanyDto = {
  /** Its name; empty or null: the most frequent one among its contacts */
  name?: string | null;
  /** What it is to the account; null: not set */
  kind?: ('competitor' | 'end_client' | 'other' | 'own_agency' | 'vendor') | null;
  /** Most people there that get one send, 1 to 50; null: no limit */
  maxPerSend?: number | null;
  /** A note; empty or null clears it */
  note?: string | null;
};
export type ContactColumnsDto = {
  /** Names of parts of a contact, and `field.<key>` for the account's own fields; keys of deleted fields are ignored */
  columns: string[];
};
export type ContactFieldDto = {
  /** Type of its values */
  type: 'choice' | 'choices' | 'date' | 'number' | 'text' | 'url' | 'yes_no';
  /** The field's id */
  id: string;
  /** Key of its values, and its name in merge tags after `field.` */
  key: string;
  /** Its name on screens */
  label: string;
  /** Options, for the types choice and choices */
  options: string[];
  /** Position among the fields, from 1 */
  position: number;
};
export type CreateContactFieldDto = {
  /** Key of its values; derived from the label where it is absent. It never changes. */
  key?: string;
  /** Type of its values */
  type: 'choice' | 'choices' | 'date' | 'number' | 'text' | 'url' | 'yes_no';
  /** Options, for the types choice and choices */
  options?: string[];
  /** Its name on screens */
  label: string;
};
export type UpdateContactFieldDto = {
  /** New type: only text is possible */
  type?: 'choice' | 'choices' | 'date' | 'number' | 'text' | 'url' | 'yes_no';
  /** Options, for the types choice and choices */
  options?: string[];
  /** Its name on screens */
  label?: string;
  /** Position among the fields, from 1 */
  position?: number;
};
export type ContactUsageDto = {
  /** Number of contacts */
  contacts: number;
};
export type ContactTagDto = {
  /** Its colour; null: none */
  colour: string | null;
  /** The tag's id */
  id: number;
  /** Its name */
  name: string;
};
export type CreateContactTagDto = {
  /** Its colour */
  colour?: string | null;
  /** Its name */
  name: string;
};
export type UpdateContactTagDto = {
  /** Its colour; null removes it */
  colour?: string | null;
  /** Its name */
  name?: string;
};
export type ProfileDto = {
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** Company as somebody wrote it */
  company: string | null;
  /** Registrable domain of the address; null for free-mail domains */
  companyDomain: string | null;
  /** Job title */
  jobTitle: string | null;
  /** Phone number as typed */
  phone: string | null;
  /** The number in E.164; null where it could not be read */
  phoneE164: string | null;
  /** City */
  city: string | null;
  /** State or region */
  region: string | null;
  /** ISO 3166-1 alpha-2 */
  country: string | null;
  /** IANA time zone */
  timeZone: string | null;
  /** Values of the account's own fields, by key */
  fields: {
    [key: string]: unknown;
  };
  /** What may be sent to the person, over all own lists */
  consent: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** When a message to the person was last accepted; null: never, or not known yet */
  lastMailedAt: string | null;
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Ids of skills */
  skills: number[];
  /** Ids of tags */
  tags: number[];
  /** Ids of the own lists that the person is on */
  listIds: string[];
  /** When the account first had the address */
  createdAt: string;
};
export type ProfileRuleDto = {
  /** Whether it names the address, or a domain */
  kind: 'address' | 'domain';
  /** Why */
  reason: 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** The note */
  note: string | null;
  /** When it ends; null: never */
  until: string | null;
  /** The rule's id */
  id: string;
  /** The address, or the domain */
  value: string;
  /** Since when it is in force */
  since: string;
};
export type ProfileListDto = {
  /** State of the consent on that list */
  status: 'bounced' | 'complained' | 'confirmed' | 'pending' | 'unsubscribed';
  /** What the person agreed to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
  /** The list's id */
  id: string;
  /** The list's name */
  name: string;
  /** Id of the contact on that list */
  membershipId: string;
};
export type ProfileDetailDto = {
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** Company as somebody wrote it */
  company: string | null;
  /** Registrable domain of the address; null for free-mail domains */
  companyDomain: string | null;
  /** Job title */
  jobTitle: string | null;
  /** Phone number as typed */
  phone: string | null;
  /** The number in E.164; null where it could not be read */
  phoneE164: string | null;
  /** City */
  city: string | null;
  /** State or region */
  region: string | null;
  /** ISO 3166-1 alpha-2 */
  country: string | null;
  /** IANA time zone */
  timeZone: string | null;
  /** Values of the account's own fields, by key */
  fields: {
    [key: string]: unknown;
  };
  /** What may be sent to the person, over all own lists */
  consent: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** When a message to the person was last accepted; null: never, or not known yet */
  lastMailedAt: string | null;
  /** When a person whose consent is `left` left; null: they did not */
  leftAt: string | null;
  /** Interests that the person gave; null: none */
  interests: {
    [key: string]: unknown;
  } | null;
  /** The account's do-not-send rule that covers the address; null: none */
  doNotSend: ProfileRuleDto | null;
  /** Own lists that the person is on */
  lists: ProfileListDto[];
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Ids of skills */
  skills: number[];
  /** Ids of tags */
  tags: number[];
  /** Ids of the own lists that the person is on */
  listIds: string[];
  /** When the account first had the address */
  createdAt: string;
};
export type CreateProfileDto = {
  /** ISO 3166-1 alpha-2 */
  country?: string | null;
  /** IANA time zone */
  timeZone?: string | null;
  /** Ids of all the person's tags */
  tags?: number[];
  /** Values of the account's own fields, by key; the others stay */
  fields?: {
    [key: string]: unknown;
  };
  /** Own lists that the person is added to; Pending, with one confirmation mail each */
  listIds?: string[];
  /** The address */
  email: string;
  /** First name */
  firstName?: string | null;
  /** Last name */
  lastName?: string | null;
  /** Company */
  company?: string | null;
  /** Job title */
  jobTitle?: string | null;
  /** Phone number; kept as typed */
  phone?: string | null;
  /** City */
  city?: string | null;
  /** State or region */
  region?: string | null;
};
export type BulkStartedDto = {
  /** Id of the bulk change, for GET /api/contacts/bulk/{jobId} */
  jobId: string;
};
export type ProfileFilter = {
  /** Id of an own list */
  list?: string;
  /** Id of a tag */
  tag?: number;
  /** What may be sent */
  consent?: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** Company domain */
  domain?: string;
  /** Id of the import that added the contact */
  import?: string;
  /** Id of a saved segment */
  segment?: string;
  /** A part of the address, or the start of first name, last name or company */
  search?: string;
};
export type BulkRequestDto = {
  /** Ids of at most 1,000 contacts */
  ids?: string[];
  /** Filter of the contacts page; an empty one means everyone */
  filter?: ProfileFilter;
  /** Id of a saved segment: the change applies to all its members */
  segmentId?: string;
  /** What is done */
  action: 'addTags' | 'addToList' | 'delete' | 'removeFromList' | 'removeTags' | 'setField';
  /** Ids of tags, for addTags and removeTags */
  tags?: number[];
  /** Id of an own list, for addToList and removeFromList */
  listId?: string;
  /** Key of a field, for setField: one of the account's own, or company, job_title, city or region */
  field?: string;
  /** The field's new value; null or absent clears it */
  value?: ((string | null) | (number | null) | (boolean | null) | (string[] | null)) | null;
};
export type BulkRefusalDto = {
  /** Why */
  reason: 'exists' | 'plan_limit' | 'suppressed' | 'too_many_tags';
  /** The contact's id */
  id: string;
};
export type BulkJobDto = {
  /** What is done */
  action:
    | 'addTags'
    | 'addToList'
    | 'delete'
    | 'fieldToText'
    | 'forgetField'
    | 'forgetTag'
    | 'removeFromList'
    | 'removeTags'
    | 'setField';
  /** Its state */
  status: 'done' | 'failed' | 'queued' | 'running';
  /** When it ended; null: it runs */
  finishedAt: string | null;
  /** Id of the bulk change */
  id: string;
  /** Contacts that it is about; 0 until they are counted */
  total: number;
  /** Contacts that are done, with those that were refused */
  done: number;
  /** Contacts that were left as they were, the first 1,000 of them */
  refused: BulkRefusalDto[];
  /** Further refused contacts that are not listed */
  refusedUnlisted: number;
};
export type PreparationDto = {
  /** Whether it still runs: contacts without a profile are missing from the results */
  preparing: boolean;
  /** Prepared contacts */
  done: number;
  /** All contacts to prepare */
  total: number;
};
export type UpdateProfileDto = {
  /** ISO 3166-1 alpha-2 */
  country?: string | null;
  /** IANA time zone */
  timeZone?: string | null;
  /** Ids of all the person's tags */
  tags?: number[];
  /** Values of the account's own fields, by key; the others stay */
  fields?: {
    [key: string]: unknown;
  };
  /** First name */
  firstName?: string | null;
  /** Last name */
  lastName?: string | null;
  /** Company */
  company?: string | null;
  /** Job title */
  jobTitle?: string | null;
  /** Phone number; kept as typed */
  phone?: string | null;
  /** City */
  city?: string | null;
  /** State or region */
  region?: string | null;
};
export type ProfileAddressDto = {
  /** The address */
  email: string;
};
export type ContactNoteDto = {
  /** The note's id */
  id: string;
  /** The note */
  body: string;
  /** When it was written */
  createdAt: string;
};
export type CreateNoteDto = {
  /** The note, up to 5,000 characters */
  body: string;
};
export type TimelineEntryDto = {
  /** Category of the entry */
  kind: 'consent' | 'messages' | 'notes' | 'profile' | 'replies';
  /** Details, shown when the entry is expanded, such as IP address and browser of a confirmation; a note's text and id */
  detail: {
    [key: string]: unknown;
  } | null;
  /** When it happened */
  at: string;
  /** What happened, in words */
  title: string;
  /** The send that it leads to */
  sendId?: string;
  /** The list that it leads to */
  listId?: string;
};
export type OnboardingDto = {
  /** Its address is verified. */
  verified: boolean;
  /** It has a list. */
  hasList: boolean;
  /** It has a contact. */
  hasContact: boolean;
  /** A contact has confirmed. */
  hasConfirmed: boolean;
  /** It has sent something. */
  hasSent: boolean;
  /** The person does not want to see the checklist. */
  dismissed: boolean;
};
export type SendOutcomeDto = {
  /** Id of the send. */
  id: string;
  /** Subject line. */
  subject: string;
  /** When the send was accepted. */
  sentAt: string;
  /** Messages accepted by mail servers, including those whose outcome is unknown (`unconfirmed`). */
  sent: number;
  /** Part of `sent` without a final reply of the mail server. */
  unconfirmed: number;
  /** Messages that were refused for good. */
  failed: number;
  /** Bounced messages. */
  bounced: number;
  /** Addresses no longer mailable at the time of sending. */
  skipped: number;
};
export type ActivityDto = {
  /** What happened. */
  action: 'Contact added' | 'Contact confirmed' | 'Contact unsubscribed' | 'Email sent' | 'List created';
  /** Id of the send concerned. */
  sendId?: string;
  /** Id of the list concerned, or of the contact's list. */
  listId?: string;
  /** The object: a subject, a list's name, a contact's address, the size of an import. */
  name: string;
  /** When. */
  time: string;
};
export type DashboardStatsDto = {
  /** Sends of today, by the day of the user's time zone. */
  emailsSentToday: number;
  /** Own lists. */
  totalLists: number;
  /** Own lists with a confirmed contact. */
  activeLists: number;
  /** Contacts of the own lists, Pending and Confirmed. */
  totalContacts: number;
  /** The current plan: free, pro or another. */
  tier: string;
  /** The last ten events, newest first. */
  recentActivity: ActivityDto[];
};
export type TrendDayDto = {
  /** The day. */
  date: string;
  /** Sends accepted on the day. */
  sends: number;
  /** Their messages accepted by mail servers, including those whose outcome is unknown (`unconfirmed`). */
  sent: number;
  /** Part of `sent` without a final reply of the mail server. */
  unconfirmed: number;
  /** Their permanently refused messages. */
  failed: number;
  /** Their bounced messages. */
  bounced: number;
  /** Contacts added to own lists on the day. */
  contactsAdded: number;
  /** Contacts unsubscribed from own lists on the day. */
  unsubscribed: number;
};
export type DoNotSendRuleDto = {
  /** Whether it names an address or a domain */
  kind: 'address' | 'domain';
  /** Why */
  reason: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** The note */
  note: string | null;
  /** When the rule ends; null: never */
  until: string | null;
  /** The rule's id */
  id: string;
  /** The address, or the domain in its wire form */
  value: string;
  /** Since when it holds */
  createdAt: string;
  /** How many of the account's contacts it covers */
  matches: number;
};
export type DoNotSendAddedDto = {
  /** Whether it names an address or a domain */
  kind: 'address' | 'domain';
  /** Why */
  reason: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** The note */
  note: string | null;
  /** When the rule ends; null: never */
  until: string | null;
  /** The rule's id; null for a person who asked to stop, because leaving all lists makes no rule */
  id: string | null;
  /** The address, or the domain in its wire form */
  value: string;
  /** Since when it holds */
  createdAt: string;
  /** How many of the account's contacts it covers */
  matches: number;
};
export type CreateDoNotSendDto = {
  /** Why; asked_to_stop takes one person off all lists, as if they had unsubscribed, and makes no rule */
  reason: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** Last day, such as 2027-03-31, in the account's time zone, or the time at which the rule ends; absent: permanent */
  until?: string | null;
  /** An address or a domain; a domain stands for everything below it too. `@client.example` and
    `https://client.example/jobs` are read as the domain */
  value: string;
  /** A note for yourself */
  note?: string | null;
  /** true: adds the rule although it covers many contacts (`broad_rule`) */
  confirm?: boolean;
};
export type RefusedLineDto = {
  /** Its number, from 1 */
  line: number;
  /** The address or domain in it */
  value: string;
  /** Why, in words */
  reason: string;
};
export type BulkDoNotSendResultDto = {
  /** Rules that were added */
  added: number;
  /** People who asked to stop, and so left all lists */
  withdrawn: number;
  /** Refused lines, the first 1,000 */
  refused: RefusedLineDto[];
};
export type BulkDoNotSendDto = {
  /** Reason of lines that name none; other by default */
  reason?: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** One entry a line: an address or a domain, then, after a comma, semicolon or tab, a reason, a note and a last day,
    as the list's own CSV file has them */
  text: string;
};
export type DoNotSendSuggestionDto = {
  /** Domain of the account's own agency, where no rule covers it; null: none */
  value: string | null;
};
export type UpdateDoNotSendDto = {
  /** Why */
  reason?: 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** A note for yourself; empty or null clears it */
  note?: string | null;
  /** Last day in the account's time zone, or the time at which the rule ends; null: permanent */
  until?: string | null;
};
export type DraftListDto = {
  /** Id of the list. */
  id: string;
  /** Its name. */
  name: string;
};
export type DraftSummaryDto = {
  /** Where it was saved. */
  device: string | null;
  /** What is to be sent. */
  emailType: 'candidate-list' | 'job-post';
  /** Id of the draft. */
  id: string;
  /** Its version, also in ETag; the next save names it in If-Match. */
  version: number;
  /** When it was saved. */
  updatedAt: string;
  /** Subject line; empty while there is none. */
  subject: string;
  /** Step of the wizard that the writer stood at. */
  step: number;
  /** When it was begun. */
  createdAt: string;
  /** The chosen lists that still exist. */
  lists: DraftListDto[];
};
export type PerCompanyDto = {
  /** Who keeps their place under the cap; by default the people who were mailed least recently or never */
  prefer?: 'least_recently_mailed';
  /** 1 to 50 */
  max: number;
};
export type DocumentDto = {
  /** Always doc. */
  type: 'doc';
  /** Version of the schema. */
  version: 1;
  /** The blocks, from top to bottom. */
  content: {
    [key: string]: unknown;
  }[];
};
export type JobLocationDto = {
  /** City */
  city?: string;
  /** State by its two letters, or another region */
  region?: string;
};
export type JobSalaryDto = {
  /** For how long the amount is paid */
  unit: 'HOUR' | 'YEAR';
  /** Always US dollars */
  currency: 'USD';
  /** Lowest amount */
  min?: number;
  /** Highest amount */
  max?: number;
};
export type JobSkillsDto = {
  /** Must have, at most 40 */
  required: string[];
  /** Nice to have, at most 40 */
  preferred: string[];
};
export type JobDto = {
  /** Where the work is done, at most 5 places */
  jobLocations: JobLocationDto[];
  /** Where one works from */
  workMode?: 'hybrid' | 'onsite' | 'remote';
  /** What is paid, in numbers */
  baseSalary?: JobSalaryDto;
  /** Terms of employment */
  employmentTypes: ('1099' | 'C2C' | 'FULL_TIME' | 'W2')[];
  /** What one has to know */
  skills: JobSkillsDto;
  /** Title */
  title?: string;
  /** Who hires */
  hiringOrganization?: string;
  /** Whether the post leaves out who hires */
  isClientHidden: boolean;
  /** What was said beside the mode */
  workModeNote?: string;
  /** Words in the place of a rate, or beside it */
  rateNote?: string;
  /** How long it goes */
  duration?: string;
  /** When it starts, as written */
  startDate?: string;
  /** Work authorisation as written, at most 10 */
  workAuthorization: string[];
  /** Years of experience */
  experienceYears?: string;
  /** How they interview */
  interview?: string;
  /** Until when profiles are taken, as written */
  validThrough?: string;
  /** Number of the requirement */
  jobId?: string;
  /** Duties and all that has no field of its own, at most 20,000 characters, with line breaks */
  description?: string;
};
export type ChosenFileDto = {
  /** link: readers download it from a page; attachment: every message has it */
  as?: 'attachment' | 'link';
  /** Days that the link works, from when the email is sent; 30 by default. An attachment has none, unless the text links
    to it. */
  expiresInDays?: 30 | 7 | 90;
  /** Id of an uploaded file */
  fileId: string;
};
export type DraftDto = {
  /** Where it was saved. */
  device: string | null;
  /** Most people at one company. */
  perCompany: PerCompanyDto | null;
  /** What is to be sent. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as plain text, where the writer chose it. */
  content: string | null;
  /** The message as a rich text. */
  document: DocumentDto | null;
  /** The job that the message offers; null: none. */
  job: JobDto | null;
  /** Uploaded files that go with the message; one may be deleted since. */
  files: ChosenFileDto[];
  /** Whether the message has the sender's logo and colour; null: by default, a rich text has. */
  brand: boolean | null;
  /** Whether the message has the sender's signature; null: by default, a rich text has. */
  signature: boolean | null;
  /** Ids of the chosen lists; one of them may be gone since. */
  emailListIds: string[];
  /** Ids of the chosen segments. */
  segmentIds: string[];
  /** Ids of the lists that are left out. */
  excludeListIds: string[];
  /** Ids of the segments that are left out. */
  excludeSegmentIds: string[];
  /** Addresses and domains that are left out. */
  excludeAddresses: string[];
  /** Names of segments that the copied send had and that no longer exist. */
  goneSegments: string[];
  /** Subject line; empty while there is none. */
  subject: string;
  /** Line that inboxes show after the subject; empty while there is none. */
  preheader: string;
  /** Step of the wizard that the writer stood at. */
  step: number;
  /** When it was begun. */
  createdAt: string;
  /** Id of the draft. */
  id: string;
  /** Its version, also in ETag; the next save names it in If-Match. */
  version: number;
  /** When it was saved. */
  updatedAt: string;
};
export type CreateDraftDto = {
  /** Most people at one company; absent or null: no limit */
  perCompany?: PerCompanyDto | null;
  /** What is to be sent; by default what the account's role sends. */
  emailType?: 'candidate-list' | 'job-post';
  /** The message as plain text; not together with `document`. */
  content?: string | null;
  /** The message as a rich text; not together with `content`. */
  document?: DocumentDto | null;
  /** The job that the message offers; null: none. */
  job?: JobDto | null;
  /** Uploaded files that go with the message, at most 10. One may be deleted later: then the send is refused. */
  files?: ChosenFileDto[] | null;
  /** Whether the message has the sender's logo and colour; null: by default. */
  brand?: boolean | null;
  /** Whether the message has the sender's signature; null: by default. */
  signature?: boolean | null;
  /** Id of a past send that the draft copies, with those of its lists that still exist; mutually exclusive with every other field. */
  fromSendId?: string;
  /** Id of another draft that this one copies; mutually exclusive with every other field. */
  fromDraftId?: string;
  /** Ids of the chosen lists, at most 1000. */
  emailListIds?: string[];
  /** Subject line, kept as typed. */
  subject?: string;
  /** Line that inboxes show after the subject. */
  preheader?: string;
  /** Step of the wizard that the writer stands at. */
  step?: number;
  /** Ids of segments, at most 100. Of their members those are reached who confirmed on any list of the account */
  segmentIds?: string[];
  /** Ids of lists of the account, at most 100. Nobody on one of them is mailed, even when also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only; at most 500 */
  excludeAddresses?: string[];
};
export type DraftSavedDto = {
  /** Where it was saved. */
  device: string | null;
  /** Id of the draft. */
  id: string;
  /** Its version, also in ETag; the next save names it in If-Match. */
  version: number;
  /** When it was saved. */
  updatedAt: string;
};
export type SaveDraftDto = {
  /** Most people at one company; absent or null: no limit */
  perCompany?: PerCompanyDto | null;
  /** What is to be sent; by default what the account's role sends. */
  emailType?: 'candidate-list' | 'job-post';
  /** The message as plain text; not together with `document`. */
  content?: string | null;
  /** The message as a rich text; not together with `content`. */
  document?: DocumentDto | null;
  /** The job that the message offers; null: none. */
  job?: JobDto | null;
  /** Uploaded files that go with the message, at most 10. One may be deleted later: then the send is refused. */
  files?: ChosenFileDto[] | null;
  /** Whether the message has the sender's logo and colour; null: by default. */
  brand?: boolean | null;
  /** Whether the message has the sender's signature; null: by default. */
  signature?: boolean | null;
  /** Ids of the chosen lists, at most 1000. */
  emailListIds?: string[];
  /** Subject line, kept as typed. */
  subject?: string;
  /** Line that inboxes show after the subject. */
  preheader?: string;
  /** Step of the wizard that the writer stands at. */
  step?: number;
  /** Ids of segments, at most 100. Of their members those are reached who confirmed on any list of the account */
  segmentIds?: string[];
  /** Ids of lists of the account, at most 100. Nobody on one of them is mailed, even when also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only; at most 500 */
  excludeAddresses?: string[];
};
export type HistoryOutcomeDto = {
  /** Messages accepted by mail servers, including those whose outcome is unknown (`unconfirmed`). */
  sent: number;
  /** Part of `sent` without a final reply of the mail server. */
  unconfirmed: number;
  /** Refused for good. */
  failed: number;
  /** Bounced after acceptance. */
  bounced: number;
};
export type HistoryRowDto = {
  /** Type of the send. */
  emailType: 'candidate-list' | 'job-post';
  /** pending until the last recipient is settled; sent when the mail server accepted at least one; failed when it
    accepted none. */
  status: 'failed' | 'pending' | 'sent';
  /** paused or cancelled by its sender; absent otherwise. After a cancellation the remaining recipients are skipped. */
  stopped?: 'cancelled' | 'paused';
  /** Outcome of its messages so far, if requested. */
  outcome?: HistoryOutcomeDto;
  /** Names of its lists at that time, if requested. */
  lists?: string[];
  /** Id of the send. */
  id: string;
  /** Subject line. */
  subject: string;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** When the send was accepted. */
  sentAt: string;
};
export type FilesWaitDto = {
  /** When the rest of the send is given up, because the file storage no longer has a file; null: it does not answer. */
  givenUpAt: string | null;
  /** Since when they cannot be read. */
  since: string;
};
export type NamedChoiceDto = {
  /** Its id */
  id: string;
  /** Its name at the time of the send */
  name: string;
};
export type SentAudienceDto = {
  /** Most people at one company; null: no limit. */
  perCompany: number | null;
  /** Time at which the audience was frozen; null: a worker still has to freeze it. */
  frozenAt: string | null;
  /** Why the audience could not be frozen, so that nobody was mailed; null: it was frozen, or still has to be. */
  failure: string | null;
  /** Chosen segments. */
  segments: NamedChoiceDto[];
  /** Lists that were left out. */
  excludedLists: NamedChoiceDto[];
  /** Segments that were left out. */
  excludedSegments: NamedChoiceDto[];
  /** Addresses and domains that were left out. */
  excludedAddresses: string[];
};
export type SentFileDto = {
  /** link: readers download it from a page; attachment: every message had it. */
  as: 'attachment' | 'link';
  /** Its type. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'text/plain';
  /** Downloads by people; null: the messages had no link to it. */
  downloads: number | null;
  /** Downloads by mail scanners and other programs, and those right after the send; null: the messages had no link to it. */
  automated: number | null;
  /** Id of the file. */
  fileId: string;
  /** Its name; empty once it is deleted. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
};
export type HistoryListDto = {
  /** Id of the list; null once the list is deleted. */
  id: string | null;
  /** Name of the list when the send was accepted. */
  name: string;
};
export type SendCountsDto = {
  /** People of the choice who were left out: do-not-send rules, exclusions and caps. */
  leftOut: number;
  /** Waiting, being sent or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Sent without a final reply: probably delivered. */
  unconfirmed: number;
  /** Refused for good. */
  failed: number;
  /** No longer mailable at the time of sending. */
  skipped: number;
  /** Bounced after acceptance. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Unsubscribed through this message. */
  unsubscribed: number;
};
export type HistoryEntryDto = {
  /** Type of the send. */
  emailType: 'candidate-list' | 'job-post';
  /** pending until the last recipient is settled; sent when the mail server accepted at least one; failed when it
    accepted none. */
  status: 'failed' | 'pending' | 'sent';
  /** paused or cancelled by its sender; absent otherwise. After a cancellation the remaining recipients are skipped. */
  stopped?: 'cancelled' | 'paused';
  /** The message as a rich text, where it was written as one. */
  document: DocumentDto | null;
  /** The job that it offered; null: none. */
  job: JobDto | null;
  /** It waits for its attached files; null: it does not, or is paused, cancelled or over. */
  filesWait: FilesWaitDto | null;
  /** The audience, where it was more than plain lists; null: plain lists. */
  audience: SentAudienceDto | null;
  /** The message as entered. For a rich text, the text derived from it, with merge tags as typed. */
  content: string;
  /** Line that inboxes showed after the subject, with its merge tags as they are typed; empty: none. */
  preheader: string;
  /** Files that went with it; those that were deleted since have no name. */
  files: SentFileDto[];
  /** The HTML part as recipients got it; its unsubscribe link leads nowhere. */
  html: string;
  /** Lists of the send, with their names at that time. */
  lists: HistoryListDto[];
  /** Number of recipients by status. */
  counts: SendCountsDto;
  /** Recipients that failed for a temporary reason, or were skipped because an attached file was lost that is stored
    again, and may be tried again; 0 where an attached file is not stored. Above 2,000, the number includes people who
    have unsubscribed since. */
  retryable: number;
  /** Id of the send. */
  id: string;
  /** Subject line. */
  subject: string;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** When the send was accepted. */
  sentAt: string;
};
export type DeliveryDto = {
  /** Its state. */
  status: 'bounced' | 'complained' | 'deferred' | 'failed' | 'queued' | 'sending' | 'sent' | 'skipped' | 'unconfirmed';
  /** Message-ID of the mail, once sent. */
  messageId: string | null;
  /** When the mail server accepted it. */
  sentAt: string | null;
  /** What happened, in words. */
  detail: string | null;
  /** The mail server's reply; only its code if the address is masked. */
  said: string | null;
  /** When the recipient unsubscribed through this message. */
  unsubscribedAt: string | null;
  /** Time of the next attempt, while deferred. */
  nextAttemptAt: string | null;
  /** Id of the delivery */
  id: string;
  /** Address of the recipient; masked when it was reached through the shared network only. */
  recipientEmail: string;
  /** It may have arrived twice: it was sent again after an interruption. */
  possibleDuplicate: boolean;
};
export type RenderedRecipientDto = {
  /** Id of the contact */
  contactId: string;
  /** The address as typed */
  email: string;
  /** Name, where one was given */
  name: string | null;
  /** The list that it is mailed by */
  listName: string;
  /** Tags of the message for which it has no value */
  emptyTags: string[];
};
export type RenderedMessageDto = {
  /** Subject line */
  subject: string;
  /** The line that inboxes show after the subject; empty where there is none */
  preheader: string;
  /** HTML part */
  html: string;
  /** Text part */
  text: string;
  /** null: the values are made up, because the recipient is a member of the shared network, or because there is no
    recipient. */
  recipient: RenderedRecipientDto | null;
  /** For the recipient after this one; null: it is the last */
  next: string | null;
  /** For the recipient before this one; null: it is the first */
  previous: string | null;
};
export type LeftOutDto = {
  /** Why */
  reason: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** Its place among those of the send */
  id: string;
  /** The address; masked when it was reached through the shared network only */
  email: string;
  /** Why, in words */
  detail: string;
};
export type SendProgressDto = {
  /** Status of the send. */
  status: 'failed' | 'pending' | 'sent';
  /** paused or cancelled by its sender, if so. */
  stopped?: 'cancelled' | 'paused';
  /** Waiting, being sent or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Sent without a final reply: probably delivered. */
  unconfirmed: number;
  /** Refused for good. */
  failed: number;
  /** No longer mailable at the time of sending. */
  skipped: number;
  /** Bounced after acceptance. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Unsubscribed through this message. */
  unsubscribed: number;
};
export type RetriedDto = {
  /** Recipients that are tried again. For very many, the number includes people who have unsubscribed meanwhile. */
  retried: number;
};
export type EmailListDto = {
  /** The list's id */
  id: string;
  /** Its name */
  name: string;
  /** Last part of the public link /subscribe/list/{slug}; stays when the name changes */
  slug: string;
  /** Description */
  description: string | null;
  /** Agency shown on the public page; null shows the owner's own */
  agencyName: string | null;
  /** Logo shown on the public page */
  agencyLogo: string | null;
  /** Name shown on the public page; null shows the owner's full name */
  ownerName: string | null;
  /** Pending and confirmed contacts */
  contactCount: number;
  /** True for the shared network */
  isDefault: boolean;
  /** When it was created */
  createdAt: string;
  /** When it last changed */
  updatedAt: string;
};
export type CreateEmailListDto = {
  /** Its name */
  name: string;
  /** Description */
  description?: string | null;
  /** Agency shown on the public page */
  agencyName?: string | null;
  /** Logo shown on the public page; https only */
  agencyLogo?: string | null;
  /** Name shown on the public page */
  ownerName?: string | null;
};
export type FoundContactDto = {
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Name, if given */
  name: string | null;
  /** Id of the list that it is on */
  listId: string;
  /** That list's name */
  listName: string;
};
export type PublicListDto = {
  /** The list's id, sent with POST /api/subscribe */
  id: string;
  /** Its slug */
  slug: string;
  /** Its name */
  name: string;
  /** Description */
  description: string | null;
  /** Its agency */
  agencyName: string | null;
  /** Its logo */
  agencyLogo: string | null;
  /** Name of the owner */
  ownerName: string | null;
  /** What a subscriber of this page agrees to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
};
export type ConfirmationStatusDto = {
  /** Why they wait: `daily_budget` (the mails to new people of 24 hours are used up), `few_confirmed` or `many_bounced`
    (stopped), `unverified` (the account's address); null: they are on their way, or none wait */
  hold: ('daily_budget' | 'few_confirmed' | 'many_bounced' | 'unverified') | null;
  /** Mails to new people (confirmation mails and invites, over all lists) that the account may cause in 24 hours; null
    for the network */
  dailyBudget: number | null;
  /** Such mails that were sent in the last 24 hours; null for the network */
  sentIn24Hours: number | null;
  /** When further mails can be sent, where the budget is used up */
  continuesAt: string | null;
  /** Contacts whose confirmation mail has not gone out; counted up to 10,000 */
  waiting: number;
};
export type EmailListDetailDto = {
  /** The list's id */
  id: string;
  /** Its name */
  name: string;
  /** Last part of the public link /subscribe/list/{slug}; stays when the name changes */
  slug: string;
  /** Description */
  description: string | null;
  /** Agency shown on the public page; null shows the owner's own */
  agencyName: string | null;
  /** Logo shown on the public page */
  agencyLogo: string | null;
  /** Name shown on the public page; null shows the owner's full name */
  ownerName: string | null;
  /** Pending and confirmed contacts */
  contactCount: number;
  /** True for the shared network */
  isDefault: boolean;
  /** When it was created */
  createdAt: string;
  /** When it last changed */
  updatedAt: string;
  /** State of its confirmation mails. */
  confirmations: ConfirmationStatusDto;
};
export type UpdateEmailListDto = {
  /** Its name; may be absent, not blank */
  name?: string;
  /** Description */
  description?: string | null;
  /** Agency shown on the public page */
  agencyName?: string | null;
  /** Logo shown on the public page; https only */
  agencyLogo?: string | null;
  /** Name shown on the public page */
  ownerName?: string | null;
};
export type ListDayDto = {
  /** The day, of the caller's time zone */
  date: string;
  /** Pending and confirmed contacts at the end of the day */
  contacts: number;
  /** Contacts added on the day */
  added: number;
  /** Contacts unsubscribed on the day */
  unsubscribed: number;
};
export type ListFiguresDto = {
  /** Confirmed contacts that did not bounce */
  confirmed: number;
  /** Contacts that have not confirmed yet */
  pending: number;
  /** Contacts that bounced */
  bounced: number;
  /** The last eight weeks, oldest day first; manually removed contacts are not counted. */
  days: ListDayDto[];
};
export type ContactDto = {
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Name, if given */
  name: string | null;
  /** What the person agreed to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
  /** Whether the address is confirmed; only confirmed contacts are mailed */
  confirmed: boolean;
  /** Why it is not mailed; null: it may be */
  suppressed: ('bounced' | 'complained' | 'unsubscribed') | null;
  /** When it was added */
  createdAt: string;
  /** The person's profile in /api/contacts; null on the default list */
  profileId: string | null;
};
export type AddContactDto = {
  /** The address */
  email: string;
  /** Name */
  name?: string | null;
  /** What the person agreed to receive; by default what the list's owner sends */
  subscriptionType?: 'candidate-lists' | 'job-posts';
};
export type ImportStartedDto = {
  /** The job to follow */
  id: string;
};
export type ImportContactsDto = {
  /** `email` or `email, name`, one contact each */
  lines: string[];
  /** Statement where and how these people agreed; an admin then decides before confirmation mails go out */
  attestation?: string | null;
};
export type RejectedRowDto = {
  /** Its number in the file, from 1 */
  line: number;
  /** The address as given */
  email: string;
  /** Why it was rejected */
  reason:
    | 'disposable'
    | 'dropped'
    | 'duplicate'
    | 'exists'
    | 'invalid'
    | 'limit'
    | 'list_address'
    | 'no_domain'
    | 'role'
    | 'suppressed'
    | 'unreadable';
};
export type ImportDto = {
  /** Why it failed; null otherwise */
  message: string | null;
  /** The job */
  id: string;
  /** Its state */
  status: 'done' | 'failed' | 'queued' | 'running';
  /** Lines of the whole file; while it runs, an estimate from its size */
  total: number;
  /** Contacts added */
  added: number;
  /** Lines that were not imported */
  skipped: number;
  /** The first 100 rejected lines */
  rows: RejectedRowDto[];
};
export type UpdateContactDto = {
  /** The address */
  email?: string;
  /** Name */
  name?: string | null;
};
export type TemplateSummaryDto = {
  /** What it is for. */
  emailType: 'candidate-list' | 'job-post';
  /** Subject that fills an empty one. */
  subject: string | null;
  /** Whether a message made from it has the sender's logo and colour; null: by default. */
  brand: boolean | null;
  /** Whether a message made from it has the sender's signature; null: by default. */
  signature: boolean | null;
  /** When it was last used. */
  usedAt: string | null;
  /** Id of the template. */
  id: string;
  /** Its version, also in ETag; a change names it in If-Match. */
  version: number;
  /** Its name. */
  name: string;
  /** How often it was used. */
  useCount: number;
  /** When it was made. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};
export type TemplateDto = {
  /** What it is for. */
  emailType: 'candidate-list' | 'job-post';
  /** Subject that fills an empty one. */
  subject: string | null;
  /** Whether a message made from it has the sender's logo and colour; null: by default. */
  brand: boolean | null;
  /** Whether a message made from it has the sender's signature; null: by default. */
  signature: boolean | null;
  /** When it was last used. */
  usedAt: string | null;
  /** Id of the template. */
  id: string;
  /** Its version, also in ETag; a change names it in If-Match. */
  version: number;
  /** Its name. */
  name: string;
  /** The message. */
  document: DocumentDto;
  /** How often it was used. */
  useCount: number;
  /** When it was made. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};
export type CreateTemplateDto = {
  /** What it is for. */
  emailType?: 'candidate-list' | 'job-post';
  /** Subject that fills an empty one; null or empty: none. */
  subject?: string | null;
  /** The message. */
  document?: DocumentDto;
  /** Whether a message made from it has the sender's logo and colour; absent: as its source says, else by default. */
  brand?: boolean;
  /** Whether a message made from it has the sender's signature; absent: as its source says, else by default. */
  signature?: boolean;
  /** Its name, 1 to 100 characters, unlike those of the user's other templates. */
  name: string;
  /** Id of a past send that the template is made from, instead of a document. */
  fromSendId?: string;
  /** Id of a draft that the template is made from, instead of a document. */
  fromDraftId?: string;
};
export type UpdateTemplateDto = {
  /** What it is for. */
  emailType?: 'candidate-list' | 'job-post';
  /** Subject that fills an empty one; null or empty: none. */
  subject?: string | null;
  /** The message. */
  document?: DocumentDto;
  /** Its name, 1 to 100 characters, unlike those of the user's other templates. */
  name?: string;
};
export type ChangeEventDto = {
  /** What changed. */
  kind:
    | 'admin'
    | 'bulk'
    | 'contacts'
    | 'file'
    | 'import'
    | 'list'
    | 'mail-account'
    | 'me'
    | 'notification'
    | 'plan'
    | 'profile'
    | 'progress'
    | 'referral'
    | 'rules'
    | 'schedule'
    | 'send'
    | 'session'
    | 'usage';
  /** Ids of the changed lists, profiles, bulk changes, imports, files, sends or mail accounts, with `admin` the kinds of
    what changed in any account; absent: any of them may have changed */
  ids?: string[];
};
export type FileLinkDto = {
  /** When it was stopped; null: it was not. */
  revokedAt: string | null;
  /** The last download; null: none yet. */
  lastDownloadAt: string | null;
  /** Id of the link. */
  id: string;
  /** Id of the send. */
  sendId: string;
  /** Its subject. */
  subject: string;
  /** When it was sent. */
  sentAt: string;
  /** Until when the link works. */
  expiresAt: string;
  /** Downloads by people. */
  downloads: number;
  /** Downloads by mail scanners and other programs, and those right after the send. */
  automated: number;
};
export type ChangeFileLinkDto = {
  /** Lets it work for so many days from now. */
  expiresInDays?: 30 | 7 | 90;
  /** Stops it for good. */
  revoked?: boolean;
};
export type FileDto = {
  /** What it is for. */
  kind: 'document' | 'image';
  /** Its type, by its bytes. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'image/jpeg'
    | 'image/png'
    | 'text/plain';
  /** Width of a picture in pixels. */
  width: number | null;
  /** Height of a picture in pixels. */
  height: number | null;
  /** Public address of a picture, the same for every recipient; other files have a link for each email. */
  url: string | null;
  /** checking: a virus scanner has not looked at it yet; refused: it contains a virus; gone: it was taken down. */
  state: 'checking' | 'gone' | 'ready' | 'refused';
  /** When the last of its links that work will stop; null: none works. */
  expiresAt: string | null;
  /** Its id, for the fileId of an image or a file link in a document, and of `files` of an email. */
  id: string;
  /** Its name: as it was uploaded, without a path and further endings, or as it was renamed. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Sent emails that link to it, show it or have it attached. */
  usedIn: number;
  /** Downloads by people, over all links. */
  downloads: number;
  /** Downloads by mail scanners and other programs, and those right after the send. */
  automated: number;
  /** When it was uploaded. */
  createdAt: string;
};
export type SharedFileDto = {
  /** Its type. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'text/plain';
  /** Their agency. */
  senderAgency: string | null;
  /** Its name. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Who shares it. */
  senderName: string;
  /** Until when the link works. */
  expiresAt: string;
};
export type FileSpaceDto = {
  /** Bytes that its pictures and documents take. */
  usedBytes: number;
  /** Bytes that its plan lets them take. */
  limitBytes: number;
  /** Bytes that one document may have. */
  fileBytes: number;
  /** Bytes that may be attached to one message. */
  attachmentBytes: number;
  /** Bytes that the attachments of one send may come to over all its recipients. */
  attachmentBudgetBytes: number;
};
export type FileDetailDto = {
  /** What it is for. */
  kind: 'document' | 'image';
  /** Its type, by its bytes. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'image/jpeg'
    | 'image/png'
    | 'text/plain';
  /** Width of a picture in pixels. */
  width: number | null;
  /** Height of a picture in pixels. */
  height: number | null;
  /** Public address of a picture, the same for every recipient; other files have a link for each email. */
  url: string | null;
  /** checking: a virus scanner has not looked at it yet; refused: it contains a virus; gone: it was taken down. */
  state: 'checking' | 'gone' | 'ready' | 'refused';
  /** When the last of its links that work will stop; null: none works. */
  expiresAt: string | null;
  /** Its id, for the fileId of an image or a file link in a document, and of `files` of an email. */
  id: string;
  /** Its name: as it was uploaded, without a path and further endings, or as it was renamed. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Sent emails that link to it, show it or have it attached. */
  usedIn: number;
  /** Downloads by people, over all links. */
  downloads: number;
  /** Downloads by mail scanners and other programs, and those right after the send. */
  automated: number;
  /** When it was uploaded. */
  createdAt: string;
  /** Its links in sent emails, the latest first; at most 100. */
  links: FileLinkDto[];
};
export type RenameFileDto = {
  /** The name; its ending is kept as the file's type has it. */
  name: string;
};
export type ReplaceFileDto = {
  /** Id of a file that was just uploaded: no email or draft has it yet */
  fileId: string;
};
export type HealthDto = {
  /** State of each part */
  parts: {
    [key: string]: string;
  };
  /** ok, or the answer is a 503 */
  status: string;
};
export type PastedTextDto = {
  /** Rows of a table, lines of `email` or `email, name`, or recipients as a mail program copies them */
  text: string;
};
export type ImportKeptDto = {
  /** mailed: a message has reached them; confirmed: they agreed themselves or an admin confirmed them; other: they are
    on another list */
  reason: 'confirmed' | 'mailed' | 'other';
  /** Number of people */
  count: number;
};
export type ImportResultDto = {
  /** People who were new */
  added: number;
  /** People who were known and changed, or joined the list */
  updated: number;
  /** People who stayed unchanged */
  unchanged: number;
  /** Lines that were left out */
  leftOut: number;
  /** People whom Undo removed; 0 before an Undo */
  removed: number;
  /** People known before whom Undo took off the list and kept as contacts; 0 before an Undo */
  takenOff: number;
  /** People whom Undo kept; empty before an Undo */
  kept: ImportKeptDto[];
};
export type ImportProgressDto = {
  /** Lines that are done */
  done: number;
  /** All lines; while the file is read, an estimate */
  total: number;
};
export type AccountImportDto = {
  /** Its state */
  status:
    'checking' | 'discarded' | 'done' | 'failed' | 'mapping' | 'reading' | 'ready' | 'running' | 'undone' | 'uploading';
  /** The stage in which a worker is, or the stage that failed and can be tried again; null: none */
  stage: ('check' | 'commit' | 'read' | 'undo') | null;
  /** Name of the file; null: pasted text */
  fileName: string | null;
  /** Kind of the file; null until it is read */
  fileKind: ('csv' | 'text' | 'tsv' | 'xlsx') | null;
  /** List that the people are put on; null: none */
  listId: string | null;
  /** Name of that list */
  listName: string | null;
  /** Result; null until it is committed */
  result: ImportResultDto | null;
  /** Until when it can be undone; null: it cannot */
  undoUntil: string | null;
  /** When an unfinished import is dropped; null: it is finished */
  expiresAt: string | null;
  /** Why it failed; null otherwise */
  message: string | null;
  /** When it ended; null: it has not */
  finishedAt: string | null;
  /** Its id */
  id: string;
  /** Progress of the present stage */
  progress: ImportProgressDto;
  /** When the file was received */
  createdAt: string;
};
export type ImportGroupDto = {
  /** Their reason or mark */
  code:
    | 'disposable'
    | 'do_not_send'
    | 'dropped'
    | 'duplicate'
    | 'invalid'
    | 'limit'
    | 'list_address'
    | 'misfit'
    | 'mistyped'
    | 'no_domain'
    | 'role'
    | 'suppressed'
    | 'unreadable';
  /** Number of lines */
  count: number;
};
export type ImportDomainDto = {
  /** The domain */
  domain: string;
  /** People at it */
  people: number;
};
export type ImportTypoDto = {
  /** The domain in the file */
  from: string;
  /** The domain that was probably meant */
  to: string;
  /** Lines with it */
  rows: number;
};
export type ImportUncheckedDto = {
  /** Domains */
  domains: number;
  /** People at them; they are imported */
  people: number;
};
export type ImportReportDto = {
  /** People who would be new */
  new: number;
  /** People who would change, or join the list */
  updated: number;
  /** People who would stay unchanged */
  unchanged: number;
  /** Lines that would be left out */
  leftOut: number;
  /** Lines that are left out, by reason, and lines that are imported with a mark, by mark */
  groups: ImportGroupDto[];
  /** Company domains with the most people */
  domains: ImportDomainDto[];
  /** Domains that look mistyped */
  typos: ImportTypoDto[];
  /** Domains for which it is unknown whether they take mail: DNS gave no answer in time, or the file has many names
    below one registrable domain */
  unchecked: ImportUncheckedDto;
};
export type ImportSheetDto = {
  /** Its position in the workbook, from 0 */
  index: number;
  /** Its name */
  name: string;
};
export type ImportColumnDto = {
  /** One of email, name, firstName, lastName, company, jobTitle, phone, city, region, country, timeZone, skills, tags, note, ignore, or field.{key} for one of the account's own fields */
  target: string;
  /** Origin of the target: guessed, remembered from an earlier file, or chosen by the user; null: there is none, the
    column is not imported */
  from: ('chosen' | 'guessed' | 'remembered') | null;
  /** Its position, from 0 */
  index: number;
  /** Its heading, or `Column 1` */
  header: string;
  /** Its first values, at most three */
  samples: string[];
};
export type ImportOptionsDto = {
  /** List that the people are put on; null: none */
  listId: string | null;
  /** What happens to the data of people whom the account knows */
  existing: 'fill' | 'leave' | 'replace';
  /** Whether role addresses such as jobs@ are imported */
  roles: 'drop' | 'keep';
  /** Statement where and how these people agreed */
  attestation: string | null;
  /** Names of tags that everybody gets */
  tags: string[];
};
export type AccountImportDetailDto = {
  /** Its state */
  status:
    'checking' | 'discarded' | 'done' | 'failed' | 'mapping' | 'reading' | 'ready' | 'running' | 'undone' | 'uploading';
  /** The stage in which a worker is, or the stage that failed and can be tried again; null: none */
  stage: ('check' | 'commit' | 'read' | 'undo') | null;
  /** Name of the file; null: pasted text */
  fileName: string | null;
  /** Kind of the file; null until it is read */
  fileKind: ('csv' | 'text' | 'tsv' | 'xlsx') | null;
  /** List that the people are put on; null: none */
  listId: string | null;
  /** Name of that list */
  listName: string | null;
  /** Result; null until it is committed */
  result: ImportResultDto | null;
  /** Until when it can be undone; null: it cannot */
  undoUntil: string | null;
  /** When an unfinished import is dropped; null: it is finished */
  expiresAt: string | null;
  /** Why it failed; null otherwise */
  message: string | null;
  /** When it ended; null: it has not */
  finishedAt: string | null;
  /** How the text is encoded; null: a workbook, or not read yet */
  encoding: string | null;
  /** Index of the sheet that is read; null: no workbook */
  sheet: number | null;
  /** What the check found; null until it has ended */
  report: ImportReportDto | null;
  /** Visible sheets of a workbook */
  sheets: ImportSheetDto[];
  /** Whether the first row names the columns */
  hasHeader: boolean;
  /** Records of the file without its header */
  lines: number;
  /** The columns; empty until the file is read */
  columns: ImportColumnDto[];
  /** The chosen options */
  options: ImportOptionsDto;
  /** Its id */
  id: string;
  /** Progress of the present stage */
  progress: ImportProgressDto;
  /** When the file was received */
  createdAt: string;
};
export type UpdateImportDto = {
  /** Index of the sheet to read */
  sheet?: number;
  /** Whether the first row names the columns */
  hasHeader?: boolean;
  /** One of email, name, firstName, lastName, company, jobTitle, phone, city, region, country, timeZone, skills, tags, note, ignore, or field.{key} for one of the account's own fields */
  mapping?: string[];
  /** List to put the people on; null: none */
  listId?: string | null;
  /** Names of tags that everybody gets; missing tags are created */
  tags?: string[];
  /** What happens to the data of people whom the account knows */
  existing?: 'fill' | 'leave' | 'replace';
  /** Whether role addresses such as jobs@ are imported */
  roles?: 'drop' | 'keep';
  /** Statement where and how these people agreed; an admin then decides before confirmation mails go out */
  attestation?: string | null;
};
export type FixDomainDto = {
  /** The domain that replaces it */
  to?: string;
  /** true: lines with the domain are left out */
  drop?: boolean;
  /** The domain */
  from: string;
};
export type ImportLineDto = {
  /** The person's name */
  name: string | null;
  /** The company */
  company: string | null;
  /** What would happen to it */
  verdict: 'left_out' | 'new' | 'unchanged' | 'updated';
  /** Why it is left out, or its marks */
  codes: (
    | 'disposable'
    | 'do_not_send'
    | 'dropped'
    | 'duplicate'
    | 'invalid'
    | 'limit'
    | 'list_address'
    | 'misfit'
    | 'mistyped'
    | 'no_domain'
    | 'role'
    | 'suppressed'
    | 'unreadable'
  )[];
  /** The first of these in words; null: none */
  reason: string | null;
  /** The address that was probably meant */
  suggestion: string | null;
  /** Its number in the file, from 1 */
  line: number;
  /** The address as read */
  email: string;
  /** Headings of the columns whose value did not fit */
  misfits: string[];
  /** The row as it is in the file */
  cells: string[];
  /** Whether the user corrected its address */
  isCorrected: boolean;
};
export type CorrectLineDto = {
  /** The address */
  email: string;
};
export type MergeTagDto = {
  /** Under which heading a menu shows it. */
  group: 'Contact' | 'Custom fields' | 'List' | 'You';
  /** Its name, without the braces */
  tag: string;
  /** What it is called on screens */
  label: string;
  /** Whether its value differs by contact */
  perContact: boolean;
  /** A value that it could have */
  example: string;
  /** Confirmed contacts of the chosen own lists that have a value; only with counts=true, and absent where there are too
    many to be counted soon */
  filled?: number;
  /** All confirmed contacts of the chosen own lists; only with counts=true, and absent where there are too many to be counted soon */
  total?: number;
};
export type NotificationOptOutDto = {
  /** The kinds. */
  kinds: ('import.finished' | 'reputation.warning' | 'schedule.blocked' | 'send.finished' | 'send.stopped')[];
};
export type KindSettingDto = {
  /** The kind. */
  kind: 'import.finished' | 'reputation.warning' | 'schedule.blocked' | 'send.finished' | 'send.stopped';
  /** When it is mailed: within seconds, once a day with everything unread, or not at all. */
  mail: 'never' | 'now' | 'summary';
  /** Whether it shows under the bell */
  inApp: boolean;
};
export type NotificationSettingsDto = {
  /** Hour of the daily summary, in the user's time zone */
  summaryHour: number;
  /** The user's time zone */
  timeZone: string;
  /** true: nothing is mailed, because mails bounced twice or one was reported as spam */
  mailIsOff: boolean;
  /** Every kind, in the order of the settings screen. */
  kinds: KindSettingDto[];
};
export type ChangeNotificationSettingsDto = {
  /** true: turns the mail on again after it was turned off because of bounces or a spam report. */
  mailAgain?: true;
  /** Hour of the daily summary, in the user's time zone */
  summaryHour: number;
  /** Kinds to change; the others stay as they are. */
  kinds: KindSettingDto[];
};
export type NotificationDto = {
  /** What it is about. */
  kind: 'import.finished' | 'mail.off' | 'reputation.warning' | 'schedule.blocked' | 'send.finished' | 'send.stopped';
  /** Its id */
  id: string;
  /** What happened */
  text: string;
  /** What it happened to: the subject of the send or the name of the list */
  detail: string | null;
  /** Path of the screen that it links to */
  url: string;
  /** Number of events that it reports; grows while it is unread */
  count: number;
  /** When it was written */
  createdAt: string;
  /** When the last event was added to it */
  updatedAt: string;
  /** When it was read; null: it is unread */
  readAt: string | null;
};
export type UnreadDto = {
  /** Number of unread notifications */
  unread: number;
};
export type ReadNotificationsDto = {
  /** true: all of them. */
  all?: true;
  /** Ids of the notifications; unknown ones are ignored */
  ids?: string[];
};
export type ReferralStatsDto = {
  /** Invites sent by mail */
  totalInvites: number;
  /** Unanswered invites */
  pendingInvites: number;
  /** Accepted invites */
  acceptedInvites: number;
  /** People who registered through the user, by invite or by link */
  signupConversions: number;
  /** Of these, people who have paid */
  paidConversions: number;
};
export type ReferralInviteDto = {
  /** The invite's id */
  id: string;
  /** The invited address */
  inviteeEmail: string;
  /** Its status */
  status: 'accepted' | 'expired' | 'pending';
  /** When it was sent */
  sentAt: string;
  /** When the invited person registered */
  acceptedAt: string | null;
  /** Until when its link works */
  expiresAt: string;
};
export type ReferralsDto = {
  /** Figures */
  stats: ReferralStatsDto;
  /** The newest hundred invites; all of them: GET /api/referrals/invites */
  invites: ReferralInviteDto[];
};
export type ReferralCodeDto = {
  /** The code in it */
  code: string;
  /** The link to share */
  referralUrl: string;
};
export type InviteDto = {
  /** The colleague's address */
  inviteeEmail: string;
};
export type OptOutDto = {
  /** From the link */
  token: string;
};
export type ReferrerDto = {
  /** The person's name; null where the link leads to nobody */
  inviterName: string | null;
};
export type VisitDto = {
  /** A user's code or an invite's token */
  ref: string;
};
export type ComposedRequirementDto = {
  /** The facts as a table, then the description; who hires is named only if `isClientHidden` is false */
  document: DocumentDto;
  /** Subject; parts that are unknown drop out */
  subject: string;
  /** How the job names its hidden client; the post says "our client" instead. Empty where `isClientHidden` is false */
  hiddenNames: string[];
};
export type ComposeRequirementDto = {
  /** The job */
  job: JobDto;
};
export type GuessDto = {
  /** The part; a part with several values may have several places */
  field:
    | 'baseSalary'
    | 'description'
    | 'duration'
    | 'employmentTypes'
    | 'experienceYears'
    | 'hiringOrganization'
    | 'interview'
    | 'jobId'
    | 'jobLocations'
    | 'preferredSkills'
    | 'requiredSkills'
    | 'startDate'
    | 'title'
    | 'validThrough'
    | 'workAuthorization'
    | 'workMode';
  /** sure: need not be looked at; check: please check */
  confidence: 'check' | 'sure';
  /** First character */
  from: number;
  /** After the last character */
  to: number;
};
export type LeftOutTextDto = {
  /** What it is */
  kind: 'disclaimer' | 'email' | 'phone' | 'signature';
  /** First character */
  from: number;
  /** After the last character */
  to: number;
};
export type RequirementLeftOutDto = {
  /** E-mail addresses, each once */
  emails: number;
  /** Phone numbers, each once */
  phones: number;
  /** The same in the order of the text */
  texts: LeftOutTextDto[];
  /** Whether there was a signature */
  signature: boolean;
  /** Whether there was a disclaimer */
  disclaimer: boolean;
};
export type RequirementDto = {
  /** What was read; unknown parts are absent or empty, never invented */
  job: JobDto;
  /** Where each part was read, and how sure it is */
  guesses: GuessDto[];
  /** What was left out */
  leftOut: RequirementLeftOutDto;
  /** How the job names its hidden client; the post says "our client" instead */
  hiddenNames: string[];
  /** Subject for the post; empty where there is nothing to say */
  subject: string;
};
export type ReadRequirementDto = {
  /** The text, at most 50,000 characters. It is neither stored nor logged */
  text: string;
};
export type DeliveryCountsDto = {
  /** Waiting, being sent or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Sent without a final reply: probably delivered. */
  unconfirmed: number;
  /** Refused for good. */
  failed: number;
  /** No longer mailable at the time of sending. */
  skipped: number;
  /** Bounced after acceptance. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Unsubscribed through this message. */
  unsubscribed: number;
};
export type RunningSendDto = {
  /** Status of the send. */
  status: 'failed' | 'pending' | 'sent';
  /** paused or cancelled by its sender, if so. */
  stopped?: 'cancelled' | 'paused';
  /** When it ended; null while it is running */
  endedAt: string | null;
  /** The send */
  id: string;
  /** Its subject */
  subject: string;
  /** Recipients, as a numeric string */
  recipientCount: string;
  /** Number of recipients by status. */
  counts: DeliveryCountsDto;
};
export type RecentImportDto = {
  /** Why it failed; null otherwise */
  message: string | null;
  /** When it ended; null while it runs */
  endedAt: string | null;
  /** The job */
  id: string;
  /** The list that it fills */
  listId: string;
  /** Name of the list */
  listName: string;
  /** Its state */
  status: 'done' | 'failed' | 'queued' | 'running';
  /** Lines of the whole file; while it runs, an estimate from its size */
  total: number;
  /** Contacts added */
  added: number;
  /** Lines that were not imported */
  skipped: number;
};
export type RunningTasksDto = {
  /** Sends. */
  sends: RunningSendDto[];
  /** Imports. */
  imports: RecentImportDto[];
  /** Changes of many contacts. */
  bulk: BulkJobDto[];
};
export type ScheduledListDto = {
  /** Id of the list. */
  id: string;
  /** Its name. */
  name: string;
};
export type ExcludedDto = {
  /** Not confirmed yet. */
  pending: number;
  /** Agreed to the other type of mail. */
  otherType: number;
  /** Unsubscribed, bounced or complained. */
  suppressed: number;
  /** On more than one of the chosen lists. */
  duplicates: number;
  /** On the account's do-not-send list. This number and the following ones exist only where the choice is more than
    plain lists. With the shared network all numbers are rounded down to tens, and 1 to 9 become 1 */
  doNotSend?: number;
  /** On a list that is left out. */
  excludedList?: number;
  /** In a segment that is left out. */
  excludedSegment?: number;
  /** Left out of this send. */
  excludedHere?: number;
  /** At a company where enough other people get the send. */
  companyCap?: number;
};
export type EstimateDto = {
  /** true: counting them exactly would have taken too long. */
  isAbout?: boolean;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** Numbers of left-out contacts, by reason. */
  excluded: ExcludedDto;
};
export type ScheduledSummaryDto = {
  /** leaving: it is due and about to be accepted. blocked: it needs attention, see reason. */
  state: 'blocked' | 'cancelled' | 'leaving' | 'scheduled' | 'sent';
  /** Why it is blocked: missed, no_lists, suspended, or the error code of send-email. While it is leaving: why it waits. */
  reason: string | null;
  /** The reason as text to show. */
  reasonText: string | null;
  /** Type of the email. */
  emailType: 'candidate-list' | 'job-post';
  /** Increases with every change. A change must name the version it is based on. */
  version: number;
  /** Id of the send that it became; null: it has not left. */
  historyId: string | null;
  /** Id of the scheduled email. */
  id: string;
  /** Subject line. */
  subject: string;
  /** The chosen lists that still exist. */
  lists: ScheduledListDto[];
  /** Local time at which it leaves. */
  at: string;
  /** IANA time zone of the local time. */
  timeZone: string;
  /** Where clocks go back and the local time occurs twice: true for the second occurrence. */
  later: boolean;
  /** When it leaves, in UTC. */
  dueAt: string;
  /** Estimated recipients. */
  estimate: EstimateDto;
  /** When it leaves, as a sentence to show. */
  message: string;
};
export type SendEmailDto = {
  /** Most people at one company; absent or null: no limit */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text, instead of a content. */
  document?: DocumentDto;
  /** The job that the message offers. It is stored with the send and does not change the message. */
  job?: JobDto;
  /** Whether the message has the sender's logo and colour; default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line; default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, at most 10, each as a link or attached. */
  files?: ChosenFileDto[];
  /** The message, as plain text; required without a document. */
  content?: string;
  /** Version of the draft that the sender has seen. Where another version was saved since, nothing is sent: 412
    `draft_changed`. */
  draftVersion?: number;
  /** Subject line, one line of at most 255 characters. */
  subject: string;
  /** Id of the draft that is sent. A draft is sent once: a second send of it returns the first. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of the chosen lists, at most 1000; at least one, unless segments are chosen. */
  emailListIds: string[];
  /** Ids of segments, at most 100. Of their members those are reached who confirmed on any list of the account */
  segmentIds?: string[];
  /** Ids of lists of the account, at most 100. Nobody on one of them is mailed, even when also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only; at most 500 */
  excludeAddresses?: string[];
};
export type ScheduledSendDto = {
  /** leaving: it is due and about to be accepted. blocked: it needs attention, see reason. */
  state: 'blocked' | 'cancelled' | 'leaving' | 'scheduled' | 'sent';
  /** Why it is blocked: missed, no_lists, suspended, or the error code of send-email. While it is leaving: why it waits. */
  reason: string | null;
  /** The reason as text to show. */
  reasonText: string | null;
  /** Type of the email. */
  emailType: 'candidate-list' | 'job-post';
  /** Increases with every change. A change must name the version it is based on. */
  version: number;
  /** Id of the send that it became; null: it has not left. */
  historyId: string | null;
  /** The email, as the body of `POST /api/send-email`. */
  send: SendEmailDto;
  /** Id of the scheduled email. */
  id: string;
  /** Subject line. */
  subject: string;
  /** The chosen lists that still exist. */
  lists: ScheduledListDto[];
  /** Local time at which it leaves. */
  at: string;
  /** IANA time zone of the local time. */
  timeZone: string;
  /** Where clocks go back and the local time occurs twice: true for the second occurrence. */
  later: boolean;
  /** When it leaves, in UTC. */
  dueAt: string;
  /** Estimated recipients. */
  estimate: EstimateDto;
  /** When it leaves, as a sentence to show. */
  message: string;
};
export type ScheduleSendDto = {
  /** The body of `POST /api/send-email`. Its draft becomes the scheduled email and cannot be sent again. */
  send: SendEmailDto;
  /** Local time at which it leaves, to the minute; from one minute to 180 days ahead. A time that a clock change skips
    is refused: 400 `time_skipped`. */
  at: string;
  /** IANA time zone of the local time. */
  timeZone: string;
  /** Where clocks go back and the local time occurs twice: true for the second occurrence. */
  later?: boolean;
};
export type ChangeScheduledDto = {
  /** The complete changed email, as the body of `POST /api/send-email`. */
  send?: SendEmailDto;
  /** Version that the change is based on. 409 `version_conflict` where another one was saved since. */
  version: number;
  /** Local time at which it leaves. */
  at?: string;
  /** IANA time zone of the local time. */
  timeZone?: string;
  /** Where the local time occurs twice: true for the second occurrence. */
  later?: boolean;
};
export type SendAcceptedDto = {
  /** Id of the send, as in the history. */
  id: string;
  /** pending: the messages go out now. */
  status: string;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** What happens next, as a sentence to show. */
  message: string;
};
export type SegmentDto = {
  /** Group {combinator: and, or; not?; rules}, whose rules are {field, operator, value?} or groups: at most three levels, 50 rules, 32 KB. Fields and operators: GET /api/segments/terms */
  filter: {
    [key: string]: unknown;
  };
  /** Labels of the filter's fields, and of their values as `field:value`, at the time when it was saved */
  labels: {
    [key: string]: string;
  };
  /** Why it can no longer be evaluated; null: it can */
  broken: string | null;
  /** Number of its people when they were last counted exactly; null: not counted yet */
  lastCount: number | null;
  /** When they were counted */
  countedAt: string | null;
  /** When a send to it was last accepted; null: never */
  lastUsedAt: string | null;
  /** The segment's id */
  id: string;
  /** Its name */
  name: string;
  /** Grows with each change */
  version: number;
  /** When it was made */
  createdAt: string;
  /** When it was last changed */
  updatedAt: string;
};
export type CreateSegmentDto = {
  /** Group {combinator: and, or; not?; rules}, whose rules are {field, operator, value?} or groups: at most three levels, 50 rules, 32 KB. Fields and operators: GET /api/segments/terms */
  filter: {
    [key: string]: unknown;
  };
  /** Its name */
  name: string;
};
export type SegmentSampleDto = {
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** Company */
  company: string | null;
  /** The contact's id */
  id: string;
  /** The address */
  email: string;
};
export type SegmentCountDto = {
  /** People that the filter finds */
  count: number;
  /** Of these, people who can be mailed: confirmed on an own list for what the user sends */
  mailable: number;
  /** Whether the numbers are estimates, rounded to three digits */
  approximate: boolean;
  /** Up to five of these people */
  sample: SegmentSampleDto[];
};
export type CountRequestDto = {
  /** Group {combinator: and, or; not?; rules}, whose rules are {field, operator, value?} or groups: at most three levels, 50 rules, 32 KB. Fields and operators: GET /api/segments/terms */
  filter?: {
    [key: string]: unknown;
  };
  /** Id of a saved segment, instead of a filter; an exact number is stored with it */
  segmentId?: string;
  /** true: takes up to 5 seconds to count exactly */
  exact?: boolean;
};
export type TermOptionDto = {
  /** Its value in a filter */
  value: string;
  /** Its label */
  label: string;
};
export type TermOperatorDto = {
  /** The value that it needs: none; a text or texts; a number or two (numbers); a date (YYYY-MM-DD) or two (dates); whole days or
    a count; some of `options`; `listed`: {values: some of `options`, state: one of `states`}; the id of a `reference` */
  value:
    | 'count'
    | 'date'
    | 'dates'
    | 'days'
    | 'listed'
    | 'none'
    | 'number'
    | 'numbers'
    | 'options'
    | 'reference'
    | 'text'
    | 'texts';
  /** Its name in filters */
  name: string;
  /** Its label; … stands for the number of days or times */
  label: string;
};
export type SegmentTermDto = {
  /** Name of one value in messages; null: values have no name */
  noun: string | null;
  /** Its name in filters */
  field: string;
  /** Its label */
  label: string;
  /** Heading in the builder */
  group: string;
  /** Options to choose from */
  options: TermOptionDto[];
  /** States of an option that can be asked for, such as confirmed on a list */
  states: TermOptionDto[];
  /** Its comparisons */
  operators: TermOperatorDto[];
};
export type UpdateSegmentDto = {
  /** Group {combinator: and, or; not?; rules}, whose rules are {field, operator, value?} or groups: at most three levels, 50 rules, 32 KB. Fields and operators: GET /api/segments/terms */
  filter?: {
    [key: string]: unknown;
  };
  /** Version that the change is based on. 409 `segment_changed` where another one was saved since */
  version?: number;
  /** Its name */
  name?: string;
};
export type ForecastReasonDto = {
  /** The reason */
  code: string;
  /** Addresses */
  count: number;
  /** The reason as text that continues the count, as in "150 at the network's daily cap" */
  text: string;
  /** The reason in a sentence */
  explanation: string;
};
export type ForecastDto = {
  /** Why the other addresses do not get it, in the order in which the reasons are applied. */
  reasons: ForecastReasonDto[];
  /** Addresses that the choice names: those reached, and those of every reason */
  total: number;
  /** Addresses that get the message */
  reaches: number;
};
export type CheckPlaceDto = {
  /** Part of the composition. */
  part: 'content' | 'preheader' | 'subject';
  /** Index of the first character. In a document, its texts are counted in reading order: a merge tag as it is typed, a
    line break and the end of each paragraph as one character */
  from: number;
  /** The character after the last one */
  to: number;
};
export type CheckItemDto = {
  /** error: the server would refuse the send; warning and hint: the send is possible, but something may be wrong;
    passed: nothing found. */
  level: 'error' | 'hint' | 'passed' | 'warning';
  /** The first place that the finding is about. */
  where?: CheckPlaceDto;
  /** What a screen can offer to fix it. */
  fix?: 'addFallback' | 'show' | 'useHttps';
  /** Names the check */
  code: string;
  /** What was found, in a sentence */
  text: string;
  /** The words that the finding is about */
  words?: string[];
};
export type LinkCheckDto = {
  /** done: every host was looked up; checking: call again later; unavailable: this installation looks up no hosts. */
  state: 'checking' | 'done' | 'unavailable';
  /** Hosts that are still being looked up */
  open: number;
};
export type SendCheckDto = {
  /** null: they could not be counted in time. */
  forecast: ForecastDto | null;
  /** Rows of the check, errors first. */
  items: CheckItemDto[];
  /** Lookup of the message's links. */
  links: LinkCheckDto;
  /** When it was checked */
  checkedAt: string;
};
export type CheckSendDto = {
  /** Most people at one company; absent or null: no limit */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text, instead of a content. */
  document?: DocumentDto;
  /** The job that the message offers. It is stored with the send and does not change the message. */
  job?: JobDto;
  /** Whether the message has the sender's logo and colour; default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line; default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, at most 10, each as a link or attached. */
  files?: ChosenFileDto[];
  /** Ids of the chosen lists, at most 1000; without any, and without segments, the check says that they are missing. */
  emailListIds?: string[];
  /** Subject line; with a content the message is rendered as well. */
  subject?: string;
  /** The message, as plain text. */
  content?: string;
  /** Id of the draft that is shown; a preview leaves it as it is. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of segments, at most 100. Of their members those are reached who confirmed on any list of the account */
  segmentIds?: string[];
  /** Ids of lists of the account, at most 100. Nobody on one of them is mailed, even when also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only; at most 500 */
  excludeAddresses?: string[];
};
export type LeftOutSampleDto = {
  /** Why */
  reason: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** The address */
  email: string;
  /** Why, in words */
  detail: string;
};
export type SendPreviewDto = {
  /** true: counting exactly would have taken too long. The number is then an upper bound, and excluded contacts are not
    counted */
  isAbout?: boolean;
  /** `excluded` in words, in the order in which people are left out; empty where they were not counted. */
  reasons: ForecastReasonDto[];
  /** Up to ten people for each reason, where the choice is more than plain lists. */
  leftOut?: LeftOutSampleDto[];
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** Number of excluded contacts, by reason. */
  excluded: ExcludedDto;
  /** Most bytes of all files attached to a message for this audience. */
  attachmentMaxBytes: number;
  /** HTML part of the message; only with a content or a document. */
  html?: string;
  /** Text part of the message; only with a content or a document. */
  text?: string;
  /** Size of the HTML part in bytes; only with a content or a document. */
  htmlBytes?: number;
  /** The subject as it would be sent; only with a content or a document. */
  subject?: string;
};
export type PreviewSendDto = {
  /** Most people at one company; absent or null: no limit */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text, instead of a content. */
  document?: DocumentDto;
  /** The job that the message offers. It is stored with the send and does not change the message. */
  job?: JobDto;
  /** Whether the message has the sender's logo and colour; default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line; default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, at most 10, each as a link or attached. */
  files?: ChosenFileDto[];
  /** Subject line; with a content the message is rendered as well. */
  subject?: string;
  /** The message, as plain text. */
  content?: string;
  /** Id of the draft that is shown; a preview leaves it as it is. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of the chosen lists, at most 1000; at least one, unless segments are chosen. */
  emailListIds: string[];
  /** Ids of segments, at most 100. Of their members those are reached who confirmed on any list of the account */
  segmentIds?: string[];
  /** Ids of lists of the account, at most 100. Nobody on one of them is mailed, even when also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only; at most 500 */
  excludeAddresses?: string[];
};
export type RenderRecipientDto = {
  /** The recipient after this one: `next` of the last answer */
  after?: string;
  /** The recipient before this one: `previous` of the last answer */
  before?: string;
  /** Part of the address */
  search?: string;
  /** Only recipients without a value for at least one tag of the message */
  onlyEmpty?: boolean;
};
export type RenderSendDto = {
  /** Most people at one company; absent or null: no limit */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text, instead of a content. */
  document?: DocumentDto;
  /** The job that the message offers. It is stored with the send and does not change the message. */
  job?: JobDto;
  /** Whether the message has the sender's logo and colour; default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line; default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, at most 10, each as a link or attached. */
  files?: ChosenFileDto[];
  /** Subject line; with a content the message is rendered as well. */
  subject?: string;
  /** The message, as plain text. */
  content?: string;
  /** Id of the draft that is shown; a preview leaves it as it is. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of the chosen lists, at most 1000; at least one, unless segments are chosen. */
  emailListIds: string[];
  /** Ids of segments, at most 100. Of their members those are reached who confirmed on any list of the account */
  segmentIds?: string[];
  /** Ids of lists of the account, at most 100. Nobody on one of them is mailed, even when also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only; at most 500 */
  excludeAddresses?: string[];
  /** Highlights the filled values in the HTML part */
  marks?: boolean;
  /** Absent: the first recipient. */
  recipient?: RenderRecipientDto;
};
export type TestSentDto = {
  /** Number of addresses */
  sent: number;
  /** A sentence to show */
  message: string;
};
export type TestSendDto = {
  /** Most people at one company; absent or null: no limit */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text, instead of a content. */
  document?: DocumentDto;
  /** The job that the message offers. It is stored with the send and does not change the message. */
  job?: JobDto;
  /** Whether the message has the sender's logo and colour; default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line; default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, at most 10, each as a link or attached. */
  files?: ChosenFileDto[];
  /** The message, as plain text; required without a document. */
  content?: string;
  /** Version of the draft that the sender has seen. Where another version was saved since, nothing is sent: 412
    `draft_changed`. */
  draftVersion?: number;
  /** Ids of the chosen lists; a test needs none. The footer names the first one. */
  emailListIds?: string[];
  /** The addresses: the caller's own, or confirmed testers */
  to: string[];
  /** Id of the contact whose details fill the tags; absent: made-up values */
  asContactId?: string;
  /** Subject line, one line of at most 255 characters. */
  subject: string;
  /** Id of the draft that is sent. A draft is sent once: a second send of it returns the first. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of segments, at most 100. Of their members those are reached who confirmed on any list of the account */
  segmentIds?: string[];
  /** Ids of lists of the account, at most 100. Nobody on one of them is mailed, even when also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only; at most 500 */
  excludeAddresses?: string[];
};
export type TestMailDto = {
  /** The address; null: it is no longer a tester. */
  address: string | null;
  /** sent: accepted by the mail server. */
  status: 'failed' | 'queued' | 'sending' | 'sent';
  /** Why it failed, or why it has to wait. */
  reason: string | null;
  /** Id */
  id: string;
  /** When it was accepted */
  createdAt: string;
};
export type SenderProfileDto = {
  /** Version, also in ETag; the next save names it in If-Match. 0: nothing was saved yet. */
  version: number;
  /** Position. */
  title: string | null;
  /** Telephone number. */
  phone: string | null;
  /** Web site. */
  website: string | null;
  /** Page about the person. */
  profileUrl: string | null;
  /** First line of the business address. */
  addressLine1: string | null;
  /** Its second line. */
  addressLine2: string | null;
  /** City. */
  city: string | null;
  /** State or province. */
  region: string | null;
  /** Postal code. */
  postalCode: string | null;
  /** Country. */
  country: string | null;
  /** Signature. */
  signature: DocumentDto | null;
  /** Closing line below the signature. */
  footer: DocumentDto | null;
  /** Id of the logo's picture. */
  logoFileId: string | null;
  /** Colour of links and buttons. */
  accent: ('blue' | 'brown' | 'gray' | 'green' | 'orange' | 'purple' | 'red' | 'teal') | null;
  /** The business address in one line, as the footer of each message says it; null: there is none. */
  address: string | null;
  /** Whether messages begin with the logo. */
  showLogo: boolean;
  /** Whether nothing is sent without a business address. */
  addressRequired: boolean;
};
export type SaveSenderProfileDto = {
  /** Position */
  title?: string | null;
  /** Telephone number, as it is shown */
  phone?: string | null;
  /** The agency's web site, an https address */
  website?: string | null;
  /** A page about the person, an https address */
  profileUrl?: string | null;
  /** Street address, PO box or private mailbox */
  addressLine1?: string | null;
  /** Second line of the address */
  addressLine2?: string | null;
  /** City */
  city?: string | null;
  /** State or province */
  region?: string | null;
  /** Postal code */
  postalCode?: string | null;
  /** Country */
  country?: string | null;
  /** Signature: a rich text without tables, lists and merge tags, at most 2,000 characters and one picture. */
  signature?: DocumentDto | null;
  /** Closing line below the signature, of the same kind. */
  footer?: DocumentDto | null;
  /** Id of an uploaded picture. */
  logoFileId?: string | null;
  /** Colour of links and buttons; null: the usual one. */
  accent?: ('blue' | 'brown' | 'gray' | 'green' | 'orange' | 'purple' | 'red' | 'teal') | null;
  /** Whether messages begin with the logo, or with the agency's name where there is none. */
  showLogo?: boolean;
};
export type SenderPreviewDto = {
  /** HTML part */
  html: string;
  /** Text part */
  text: string;
};
export type PlanInForceDto = {
  /** Status at Stripe: active, trialing, past_due, unpaid or paused */
  status: string;
  /** End of the paid period, epoch seconds */
  currentPeriodEnd: number;
  /** Whether the plan ends at that time */
  cancelAtPeriodEnd: boolean;
};
export type SubscriptionStatusDto = {
  /** The plan; null: there is none */
  subscription: PlanInForceDto | null;
  /** Whether there is a plan */
  hasSubscription: boolean;
  /** Free months earned and not used, as a numeric string */
  referralCreditsMonths: string;
};
export type CancelSubscriptionDto = {
  /** True: immediately. False: at the end of the paid period */
  immediately?: boolean;
};
export type StripeConfigDto = {
  /** live, test, demo (the simulator) or off */
  mode: 'demo' | 'live' | 'off' | 'test';
  /** The browser's key for Stripe; null while billing is off */
  publishableKey: string | null;
};
export type PortalDto = {
  /** URL of the portal, to which the browser is redirected */
  url: string;
};
export type CreatedDto = {
  /** incomplete or past_due: pay with the secret; active: a plan exists already */
  status: string;
  /** Secret with which the browser pays; absent if nothing is due */
  clientSecret?: string;
};
export type CreateSubscriptionDto = {
  /** Billing interval; must match the price */
  billingPeriod: 'monthly' | 'yearly';
  /** The price's id, from GET /api/billing/plans */
  priceId: string;
};
export type ReceivedDto = {
  /** Always true */
  received: boolean;
};
export type SubscribeDto = {
  /** The visitor's address */
  email: string;
  /** What the visitor wants to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
  /** The list of the public page; without one the visitor joins the network */
  emailListId?: string | null;
  /** A honeypot: the page's form hides this field, people leave it empty. Submissions with it filled in get the same
    answer and are dropped */
  homepage?: string | null;
  /** No longer read; forms that were opened before an update still send it */
  filledInMs?: number | null;
};
export type ConfirmedDto = {
  /** Text for the person */
  message: string;
  /** The address that was confirmed */
  email: string;
  /** The list it is on */
  listName: string;
};
export type TesterDto = {
  /** waiting: nobody has confirmed yet, and no test goes there. */
  state: 'confirmed' | 'waiting';
  /** Id */
  id: string;
  /** The address */
  address: string;
  /** When it was added */
  createdAt: string;
};
export type AddTesterDto = {
  /** The tester's address; it gets one mail to confirm */
  address: string;
};
export type ConfirmTesterDto = {
  /** Token of the link */
  token: string;
};
export type UnsubscribedDto = {
  /** Text for the person */
  message: string;
  /** The address */
  email: string;
};
export type LeaveSenderDto = {
  /** The sender's id, from the list of senders */
  sender: string;
};
export type SenderDto = {
  /** The sender's agency. */
  agencyName: string | null;
  /** The sender's id; `network` for the shared network */
  id: string;
  /** Who it is */
  name: string;
  /** The sender's lists that hold the address */
  lists: string[];
  /** Whether the address has unsubscribed from this sender */
  left: boolean;
};
export type SenderChoicesDto = {
  /** The address */
  email: string;
  /** Whether the unsubscribe, or a part of it, is still in force */
  left: boolean;
  /** The senders, the latest first. */
  senders: SenderDto[];
};
export type UndoDto = {
  /** A sender to unsubscribe from */
  sender?: string | null;
};
export type UsageTodayDto = {
  /** Sends of today, as a numeric string. */
  emailsSent: string;
};
export type ReportReceivedDto = {
  /** counted: its effect is stored; known: repeated report; ignored: without effect; unknown: not about our mail. */
  result: 'counted' | 'ignored' | 'known' | 'unknown';
};
