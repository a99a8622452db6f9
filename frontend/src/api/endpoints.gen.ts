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
  /** Only events about this account */
  userId?: string;
  /** Only events that this user caused */
  actorId?: string;
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ListReportedFilesApiResponse = /** status 200  */ ReportedFileDto[];
export type ListReportedFilesApiArg = {
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type GetOverviewApiResponse = /** status 200  */ AdminOverviewDto;
export type GetOverviewApiArg = void;
export type ListPendingUsersApiResponse = /** status 200  */ PendingUserDto[];
export type ListPendingUsersApiArg = {
  /** Only users with this role */
  role?: 'bench-sales' | 'recruiter';
  /** true: only admins; false: only users who are not admins */
  isAdmin?: boolean;
  /** true: only verified accounts; false: only unverified ones */
  isVerified?: boolean;
  /** true: only suspended accounts; false: only accounts that are not suspended */
  suspended?: boolean;
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** flagged: only users whose complaint rate reaches the watch threshold */
  only?: 'flagged';
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ListSendsApiResponse = /** status 200  */ AdminSendDto[];
export type ListSendsApiArg = {
  /** Only sends with this status */
  status?: 'failed' | 'pending' | 'sent';
  /** Only sends of this user */
  userId?: string;
  /** Only sends of today, in the caller's time zone */
  today?: boolean;
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ListSubscriptionsApiResponse = /** status 200  */ AdminContactDto[];
export type ListSubscriptionsApiArg = {
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
  /** Only contacts of this list */
  emailListId?: string;
  /** true: only confirmed contacts; false: only pending ones */
  confirmed?: boolean;
  /** Only contacts who unsubscribed or complained; a list's own table does not show them */
  status?: 'unsubscribed';
};
export type ConfirmContactApiResponse = /** status 200  */ AdminContactDto;
export type ConfirmContactApiArg = {
  id: string;
  confirmContactDto: ConfirmContactDto;
};
export type ListSuppressionsApiResponse = /** status 200  */ SuppressionDto[];
export type ListSuppressionsApiArg = {
  /** Only suppressions with this reason */
  cause?: 'bounced' | 'complained' | 'unsubscribed';
  /** Only suppressions with this scope */
  scope?: 'all' | 'network' | 'owner';
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Only users with this role */
  role?: 'bench-sales' | 'recruiter';
  /** true: only admins; false: only users who are not admins */
  isAdmin?: boolean;
  /** true: only verified accounts; false: only unverified ones */
  isVerified?: boolean;
  /** true: only suspended accounts; false: only accounts that are not suspended */
  suspended?: boolean;
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Consent of the person */
  consent?: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** Company domain */
  domain?: string;
  /** Id of the import that added the contact */
  import?: string;
  /** Id of a saved segment */
  segment?: string;
  /** A part of the address, or the start of the first name, last name or company */
  search?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Only sends with this status. A cancelled send that has ended matches only `cancelled`. */
  status?: 'cancelled' | 'failed' | 'pending' | 'sent';
  /** Only sends on or after this day, in the caller's time zone. */
  from?: string;
  /** Only sends on or before this day, in the caller's time zone. */
  to?: string;
  /** true adds to each send the names of its lists and the outcome of its messages so far. */
  outcome?: 'true';
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Shows only deliveries with this status; `unsubscribed` shows those whose recipient unsubscribed through this
    message. */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ExportDeliveriesApiResponse = /** status 200  */ string;
export type ExportDeliveriesApiArg = {
  id: string;
  /** Shows only deliveries with this status; `unsubscribed` shows those whose recipient unsubscribed through this
    message. */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Shows only people left out for this reason */
  reason?: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
};
export type ExportLeftOutApiResponse = /** status 200  */ string;
export type ExportLeftOutApiArg = {
  id: string;
  /** Shows only people left out for this reason */
  reason?: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
  limit?: number;
  /** Cursor, from the Link header of the previous page */
  cursor?: string;
  /** Only contacts with this status; by default pending and confirmed ones */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Age of the oldest data on the screen, in milliseconds. Changes since then are sent at once. Absent if nothing is
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Ids of the chosen lists, repeated or separated by commas; absent if no list is chosen yet */
  emailListIds?: string[];
  /** true also counts the contacts that have a value. */
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
  /** true: only unread notifications */
  unread?: 'true';
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Only emails in this state; open: scheduled, leaving or blocked. */
  state?: 'blocked' | 'cancelled' | 'leaving' | 'open' | 'scheduled' | 'sent';
  /** Only emails that go to this list. */
  listId?: string;
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Text to search for in the rows */
  search?: string;
  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  sort?: string;
  /** Maximum number of rows of a page; absent: all rows */
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
  /** Machine-readable name of the event */
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
  /** Address of the user who acted, or 'deleted account'; null for an anonymous visitor or the command line */
  actorEmail: string | null;
  /** What the action applied to, and the reason given for it; null if neither is recorded */
  reason: string | null;
  /** IP address of the user who acted; null if it is unknown */
  ipAddress: string | null;
  /** The event's id */
  id: string;
  /** Description of the event for display */
  description: string;
  /** The account concerned; for a deleted account a pseudonym, the same in all its entries */
  userId: string;
  /** Address of the account concerned, or 'deleted account' */
  userEmail: string;
  /** When the event happened */
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
  /** Media type of the file. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'text/plain';
  /** Email address of the owner; null for a closed account. */
  userEmail: string | null;
  /** When an admin took the file down; null if it was not taken down. */
  takenDownAt: string | null;
  /** Id of the file. */
  id: string;
  /** Name of the file; empty once its owner deleted it. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Id of the file's owner. */
  userId: string;
  /** Number of reports. */
  reports: number;
  /** When the file was last reported. */
  reportedAt: string;
};
export type ReasonDto = {
  /** Reason, stored in the audit trail */
  reason?: string;
};
export type ImportOwnerDto = {
  /** The user's agency; null if none is given */
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
  /** Number of this user's imports that were confirmed */
  confirmedImports: number;
  /** Number of this user's imports that were declined */
  declinedImports: number;
};
export type SampleContactDto = {
  /** Name; null if none is given */
  name: string | null;
  /** The address */
  email: string;
};
export type AdminImportDto = {
  /** State of the admin's decision */
  state: 'confirmed' | 'declined' | 'waiting';
  /** When an admin decided; null until then */
  decidedAt: string | null;
  /** The owner, who states that the people agreed */
  owner: ImportOwnerDto;
  /** The import's id */
  id: string;
  /** Id of the list that the import adds to */
  listId: string;
  /** Name of that list */
  listName: string;
  /** The owner's statement of where and how these people agreed */
  attestation: string;
  /** Number of the import's contacts */
  total: number;
  /** Some of the contacts */
  sample: SampleContactDto[];
  /** Whether the whole file has been read; a decision is possible only then */
  isComplete: boolean;
  /** When the import was started */
  createdAt: string;
};
export type ImportConfirmedDto = {
  /** Number of contacts that were confirmed */
  confirmed: number;
};
export type ImportDeclinedDto = {
  /** Number of contacts that get a confirmation mail now */
  declined: number;
};
export type AdminListDto = {
  /** Address of the list's owner; null for the default list */
  ownerEmail: string | null;
  /** The list's id */
  id: string;
  /** The list's name */
  name: string;
  /** Number of pending and confirmed contacts */
  contactCount: number;
  /** Whether it is the default list (the shared network) */
  isDefault: boolean;
};
export type SendsTodayDto = {
  /** Number of sends */
  sends: number;
  /** Number of users who sent an email */
  senders: number;
  /** Recipients of those sends */
  recipients: number;
  /** Messages that mail servers accepted, plus those whose outcome is unknown (`unconfirmed`) */
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
  /** Number of accounts */
  users: number;
  /** Number of unverified accounts */
  pendingUsers: number;
  /** Number of suspended accounts */
  suspendedUsers: number;
  /** Number of attested imports that await a decision */
  waitingImports: number;
  /** Number of accounts whose complaint rate reaches the watch threshold */
  flaggedUsers: number;
  /** Number of shared files that readers reported and that no admin has taken down; counted up to 100 */
  reportedFiles: number;
  /** Whether uploaded files are scanned for viruses */
  filesScanned: boolean;
  /** Today's sends over all users; the day is that of the caller's time zone */
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
  /** The user */
  user: PendingPersonDto;
  /** The sign-in credential */
  credential: PendingCredentialDto;
};
export type ProviderBacklogDto = {
  /** Current limit in messages per second; null: none. */
  perSecond: number | null;
  /** When the backlog is expected to be delivered; null: no backlog or no limit. */
  expectedEnd: string | null;
  /** Until when mail to the provider is paused after policy refusals; null: it is not paused. */
  pausedUntil: string | null;
  /** The provider's last reply that asked for a lower rate. */
  lastAnswer: string | null;
  /** Name of the mail account. */
  account: string;
  /** Name of a large provider (google, microsoft, yahoo, apple), else the recipients' domain. */
  provider: string;
  /** Accepted messages per second in the last full minute. */
  rateNow: number;
  /** Number of replies in the last hour that asked for a lower rate. */
  refusedLastHour: number;
  /** Number of messages in the backlog. */
  waiting: number;
};
export type MailSecretDto = {
  /** Name of the setting. */
  name: string;
  /** Whether the setting holds a complete SMTP URL (smtp://user:password@host), so that no host has to be named. */
  isAddress: boolean;
  /** The server that the configuration binds a password to; omitted if there is none, in which case the password is
    never sent. */
  host?: string;
};
export type ProviderConfigDto = {
  /** relay (default): a provider or relay host that accepts mail for all domains. direct: a mail server of our own that
    delivers to the recipients' servers; it starts with low limits per mailbox provider. */
  kind?: 'direct' | 'relay';
  /** SMTP client that sends the mail. pipelined (default): our own client, which sends several times as many messages
    per second. nodemailer: the plain library. Both send the same messages. A `client` parameter in the secret's URL
    (SMTP_URL?client=nodemailer) takes precedence. */
  client?: 'nodemailer' | 'pipelined';
  /** Host name of the SMTP server. Not needed if the configuration binds the secret to a server (SMTP_URL_…, or
    SMTP_HOST_… next to SMTP_PASSWORD_…); any other host is then refused. Private addresses are refused. */
  host?: string;
  /** Port: 25, 465, 587 or 2525, or the port that the configuration names; default 587, or 465 with `secure`. */
  port?: number;
  /** true: TLS from the first byte (implicit TLS). */
  secure?: boolean;
  /** Whether to refuse to send without STARTTLS. Always the case in production, where false is refused unless `secure`
    is set. */
  requireTLS?: boolean;
  /** User name for signing in to the server; omitted: no sign-in. Requires a secret that the configuration binds to a
    server. */
  user?: string;
  /** Maximum messages per second over all workers; omitted: no limit for this account. */
  messagesPerSecond?: number;
  /** Maximum messages per day (UTC) over all workers; omitted: no limit for this account. */
  messagesPerDay?: number;
  /** Maximum connections that one worker opens. */
  connections?: number;
  /** Messages after which a connection is closed and replaced; default: unlimited, 50 during warm-up. */
  messagesPerConnection?: number;
  /** Messages per second to one mailbox provider or recipient domain, over all workers; default: no limit for a relay,
    10 for a direct account and during warm-up. */
  domainMessagesPerSecond?: number;
  /** Concurrent messages to one mailbox provider or recipient domain, per worker; default: no limit for a relay, 5
    (Yahoo 20, Microsoft 50) for a direct account and during warm-up. */
  domainConnections?: number;
  /** First day of the warm-up (UTC), from which the daily quota grows. Default: no warm-up. */
  warmUp?: string;
};
export type ProviderDto = {
  /** unknown: not used yet; ok: the last message was accepted; failing: the server refused us or was unreachable. */
  state: 'failing' | 'ok' | 'unknown';
  /** Time of the last accepted message. */
  lastOkAt: string | null;
  /** Time of the last failure. */
  lastErrorAt: string | null;
  /** The last failure: the server's reply, or a fixed text for a host that an admin named. */
  lastError: string | null;
  /** Until this time, other accounts are preferred; null: the account is not held back. */
  heldUntil: string | null;
  /** Id of the account. */
  id: string;
  /** Name of the account. */
  name: string;
  /** Name of the setting that holds the account's secret. */
  apiKeyRef: string;
  /** Whether that setting exists and names a server. */
  isConfigured: boolean;
  /** Connection settings and limits. */
  config: ProviderConfigDto;
  /** Whether the account is the default, which is tried first. */
  isDefault: boolean;
  /** Whether the account may send. */
  isActive: boolean;
};
export type AddProviderDto = {
  /** Reason, stored in the audit trail */
  reason?: string;
  /** Unique name of the account. */
  name: string;
  /** Name of the setting that holds the account's secret: SMTP_URL_… (an SMTP URL) or SMTP_PASSWORD_…. */
  apiKeyRef: string;
  /** Whether the account may send immediately; default true. */
  isActive?: boolean;
  /** Connection settings and limits. */
  config?: ProviderConfigDto;
  /** The admin's own password; required. */
  currentPassword?: string;
};
export type ChangeProviderDto = {
  /** Reason, stored in the audit trail */
  reason?: string;
  /** Whether the account may send. */
  isActive?: boolean;
  /** true makes the account the default, which is tried first. */
  isDefault?: boolean;
  /** Connection settings and limits; replaces the current config. */
  config?: ProviderConfigDto;
  /** The admin's own password; required if the config names another host, port, encryption or user. */
  currentPassword?: string;
};
export type ProviderTestDto = {
  /** Whether the server accepted the test mail. */
  ok: boolean;
  /** The server's reply if it accepted the mail; a failure always has the same text. */
  answer: string;
};
export type TestProviderDto = {
  /** Recipient address of the test mail. */
  to: string;
};
export type SenderRatesDto = {
  /** Messages that mail servers accepted, plus those refused because the mailbox does not exist. */
  mails: number;
  /** Messages that bounced, plus those refused because the mailbox does not exist. */
  bounced: number;
  /** Messages that were reported as spam. */
  complained: number;
  /** `bounced` divided by `mails`, 0 to 1. */
  bounceRate: number;
  /** `complained` divided by the number of delivered mails, 0 to 1. */
  complaintRate: number;
};
export type AdminSenderDto = {
  /** The worse result of the 7 and the 30 days, each judged only with at least 1,000 mails: watch from a complaint rate
    of 0.1 %, alert from 0.3 %, else none. */
  flag: 'alert' | 'none' | 'watch';
  /** Id of the sender. */
  userId: string;
  /** Rates over the last 7 days. */
  last7Days: SenderRatesDto;
  /** Rates over the last 30 days. */
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
  /** pending until the last recipient is settled; sent if mail servers accepted at least one message; failed if they
    accepted none. */
  status: 'failed' | 'pending' | 'sent';
  /** Id of the sender */
  userId: string;
  /** The sender's name when the send was accepted */
  senderName: string;
  /** The sender's address */
  senderEmail: string;
  /** Messages that mail servers accepted, plus those whose outcome is unknown (`unconfirmed`) */
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
  /** Address of the list's owner; null for the default list */
  ownerEmail: string | null;
  /** Id of the contact's list */
  emailListId: string;
  /** Name of the contact's list */
  listName: string;
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Name; null if none is given */
  name: string | null;
  /** What the person agreed to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
  /** Whether the address is confirmed; only confirmed contacts are mailed */
  confirmed: boolean;
  /** Why the contact must not be mailed; null if it may be mailed */
  suppressed: ('bounced' | 'complained' | 'unsubscribed') | null;
  /** When the contact was added */
  createdAt: string;
  /** Id of the person's profile in /api/contacts; null on the default list, and until an older contact has a profile */
  profileId: string | null;
};
export type ConfirmContactDto = {
  /** true confirms the contact, false sets it back to Pending */
  confirmed: boolean;
  /** The reason, for the record */
  reason?: string | null;
};
export type SuppressionDto = {
  /** The address; null once the person's data was erased */
  email: string | null;
  /** Why the address is suppressed */
  cause: 'bounced' | 'complained' | 'unsubscribed';
  /** Scope: one owner's lists, the shared network, or all mail */
  scope: 'all' | 'network' | 'owner';
  /** Address of the list owner, for scope `owner`; null for other scopes and for a deleted account */
  ownerEmail: string | null;
  /** When the suppression ends; null if it never ends */
  expiresAt: string | null;
  /** The suppression's id */
  id: string;
  /** When the suppression began */
  createdAt: string;
};
export type AddSuppressionDto = {
  /** `all` for all mail (the default), `network` for the shared network */
  scope?: 'all' | 'network';
  /** Whether the person unsubscribed or complained; default unsubscribed */
  cause?: 'complained' | 'unsubscribed';
  /** The address */
  email: string;
  /** The reason, for the record */
  reason?: string | null;
};
export type AdminUserDto = {
  /** The user's agency */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Maximum number of sends per day that an admin set for this account; null: the plan's limit applies */
  customDailyLimit: number | null;
  /** The user's role */
  role: 'bench-sales' | 'recruiter';
  /** When the account was suspended; null if it is not suspended */
  suspendedAt: string | null;
  /** Level of spam complaints about the user's mail: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  flag: 'alert' | 'none' | 'watch';
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** Number of the user's sends today */
  emailsSentToday: number;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** The current plan: free, pro or another */
  tier: string;
  /** Whether the user is an admin */
  isAdmin: boolean;
  /** Whether the address is verified */
  isVerified: boolean;
  /** Number of unused free months, as a numeric string */
  referralCreditsMonths: string;
  /** IANA time zone in which the user's day begins and ends */
  timeZone: string;
  /** When the account was created */
  createdAt: string;
};
export type AdminPlanDto = {
  /** What grants the plan */
  source: 'grace' | 'manual' | 'none' | 'referral' | 'subscription';
  /** When the plan ends; null if it has no end */
  until: string | null;
  /** Status of a paid plan at the payment provider; null without a paid plan */
  subscriptionStatus: string | null;
  /** Sends allowed per day; null for no limit */
  dailyLimit: number | null;
  /** Sends left today; null for no limit */
  remainingToday: number | null;
  /** The current plan */
  plan: string;
};
export type SenderReputationDto = {
  /** The worse result of the 7 and the 30 days, each judged only with at least 1,000 mails: watch from a complaint rate
    of 0.1 %, alert from 0.3 %, else none. */
  flag: 'alert' | 'none' | 'watch';
  /** Id of the sender. */
  userId: string;
  /** Rates over the last 7 days. */
  last7Days: SenderRatesDto;
  /** Rates over the last 30 days. */
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
  /** When the device signed in */
  createdAt: string;
  /** When the device was last used, to within a few minutes */
  lastSeenAt: string;
  /** Whether this is the caller's own device */
  current: boolean;
};
export type AdminUserDetailDto = {
  /** The user's agency */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Maximum number of sends per day that an admin set for this account; null: the plan's limit applies */
  customDailyLimit: number | null;
  /** The user's role */
  role: 'bench-sales' | 'recruiter';
  /** When the account was suspended; null if it is not suspended */
  suspendedAt: string | null;
  /** Level of spam complaints about the user's mail: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  flag: 'alert' | 'none' | 'watch';
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** Number of the user's sends today */
  emailsSentToday: number;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** The current plan: free, pro or another */
  tier: string;
  /** Whether the user is an admin */
  isAdmin: boolean;
  /** Whether the address is verified */
  isVerified: boolean;
  /** Number of unused free months, as a numeric string */
  referralCreditsMonths: string;
  /** IANA time zone in which the user's day begins and ends */
  timeZone: string;
  /** When the account was created */
  createdAt: string;
  /** Plan and limits */
  plan: AdminPlanDto;
  /** Number of the user's own lists */
  totalLists: number;
  /** Number of contacts on the user's own lists */
  totalContacts: number;
  /** The user's sending reputation */
  reputation: SenderReputationDto;
  /** Devices that are signed in */
  devices: DeviceSessionDto[];
};
export type ChangeUserDto = {
  /** Sends allowed per day; null for the plan's limit */
  customDailyLimit?: number | null;
  /** true grants admin rights, false revokes them */
  isAdmin?: boolean;
  /** true suspends the account, false reinstates it */
  suspended?: boolean;
  /** Reason, stored in the audit trail */
  reason?: string;
};
export type MessageDto = {
  /** Readable text */
  message: string;
};
export type AuditEventDto = {
  /** Kind of the event, for programs */
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
  /** Who acted: the user, our support team, or somebody who was not signed in */
  actor: 'support' | 'unknown' | 'you';
  /** Reason or details */
  reason: string | null;
  /** IP address */
  ipAddress: string | null;
  /** Readable description of the device */
  device: string | null;
  /** Id of the event */
  id: string;
  /** Description of the event, to show to people */
  description: string;
  /** When it happened */
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
  /** Token from the link's query */
  token: string;
};
export type ForgotPasswordDto = {
  /** The account's address */
  email: string;
};
export type EntitlementsDto = {
  /** Maximum number of sends per day; null: no limit */
  dailyLimit: number | null;
  /** Number of sends left today, after those that are scheduled for today; null: no limit */
  remainingToday: number | null;
  /** The current plan */
  plan: string;
  /** Number of sends today */
  sentToday: number;
  /** Number of scheduled sends that are due today and count towards the limit */
  scheduledToday: number;
};
export type CurrentUserDto = {
  /** The user's agency */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Maximum number of sends per day that an admin set for this account; null: the plan's limit applies */
  customDailyLimit: number | null;
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** The user's role */
  role: ('bench-sales' | 'recruiter') | null;
  /** What the account may do now */
  entitlements: EntitlementsDto;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** The current plan: free, pro or another */
  tier: string;
  /** Whether the user is an admin */
  isAdmin: boolean;
  /** Whether the address is verified */
  isVerified: boolean;
  /** Number of unused free months, as a numeric string */
  referralCreditsMonths: string;
  /** IANA time zone in which the user's day begins and ends */
  timeZone: string;
  /** When the account was created */
  createdAt: string;
};
export type SignedInDto = {
  /** Readable text */
  message: string;
  /** The user who is signed in now */
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
  /** A user's referral code, or the token of an invite. An unknown one is ignored */
  referralCode?: string;
  /** IANA time zone in which the user's day begins and ends; default: UTC */
  timeZone?: string;
};
export type ResentDto = {
  /** Readable text */
  message: string;
  /** Whether a mail was sent; false if the address is already verified */
  sent: boolean;
};
export type ResetPasswordDto = {
  /** Token from the link's query */
  token: string;
  /** 8 to 256 characters, not a common password */
  password: string;
};
export type AccessTokenDto = {
  /** Token for the Authorization header, to be put after "Bearer " */
  accessToken: string;
  /** Seconds until the token expires */
  expiresIn: number;
};
export type ChangeNameDto = {
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
};
export type ChangeRoleDto = {
  /** Recruiters send job posts; bench-sales staff send candidate lists */
  role: 'bench-sales' | 'recruiter';
};
export type ChangeSettingsDto = {
  /** The user's agency; an empty text or null clears it */
  agencyName?: string | null;
  /** IANA time zone in which the user's day begins and ends */
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
  /** The release: the hash in the name of the entry script */
  release: string;
  /** What happened: a screen failed to render, an error was not caught, or a promise rejection was not handled */
  kind: 'promise' | 'screen' | 'script';
  /** Route pattern of the screen, without ids */
  screen: string;
  /** The error's name and text */
  message: string;
  /** Stack trace; only lines of our own scripts */
  stack: string;
};
export type CompanyDto = {
  /** Name that the account gave the company, otherwise the most frequent company name of its contacts */
  name: string | null;
  /** Relation of the company to the account; null if not set */
  kind: ('competitor' | 'end_client' | 'other' | 'own_agency' | 'vendor') | null;
  /** When a message to one of the company's contacts was last accepted; null if never, or if not known yet */
  lastMailedAt: string | null;
  /** Maximum number of the company's people that one send reaches; null means no limit */
  maxPerSend: number | null;
  /** Note about the company */
  note: string | null;
  /** Id of the do-not-send rule for the whole company; null if there is none */
  doNotSendId: string | null;
  /** Registrable domain of the company's addresses */
  domain: string;
  /** Number of contacts at the company */
  contacts: number;
};
export type UpdateCompanyDto = {
  /** Name; if it is empty or null, the most frequent company name of the company's contacts is used */
  name?: string | null;
  /** Relation of the company to the account; null means not set */
  kind?: ('competitor' | 'end_client' | 'other' | 'own_agency' | 'vendor') | null;
  /** Maximum number of the company's people that one send reaches, 1 to 50; null means no limit */
  maxPerSend?: number | null;
  /** Note about the company; empty or null clears it */
  note?: string | null;
};
export type ContactColumnsDto = {
  /** Names of parts of a contact, and `field.<key>` for custom fields; keys of deleted fields are ignored */
  columns: string[];
};
export type ContactFieldDto = {
  /** Type of the field's values */
  type: 'choice' | 'choices' | 'date' | 'number' | 'text' | 'url' | 'yes_no';
  /** Id of the field */
  id: string;
  /** Key of the field's values; merge tags name the field as `field.` and this key */
  key: string;
  /** Name of the field on screens */
  label: string;
  /** Options, for the types choice and choices */
  options: string[];
  /** Position among the fields, from 1 */
  position: number;
};
export type CreateContactFieldDto = {
  /** Key of the field's values; derived from the label if absent. It cannot be changed later */
  key?: string;
  /** Type of the field's values */
  type: 'choice' | 'choices' | 'date' | 'number' | 'text' | 'url' | 'yes_no';
  /** Options, for the types choice and choices */
  options?: string[];
  /** Name of the field on screens */
  label: string;
};
export type UpdateContactFieldDto = {
  /** New type; only text is allowed */
  type?: 'choice' | 'choices' | 'date' | 'number' | 'text' | 'url' | 'yes_no';
  /** Options, for the types choice and choices */
  options?: string[];
  /** Name of the field on screens */
  label?: string;
  /** Position among the fields, from 1 */
  position?: number;
};
export type ContactUsageDto = {
  /** Number of contacts */
  contacts: number;
};
export type ContactTagDto = {
  /** Colour of the tag; null means none */
  colour: string | null;
  /** Id of the tag */
  id: number;
  /** Name of the tag */
  name: string;
};
export type CreateContactTagDto = {
  /** Colour of the tag */
  colour?: string | null;
  /** Name of the tag */
  name: string;
};
export type UpdateContactTagDto = {
  /** Colour of the tag; null removes it */
  colour?: string | null;
  /** Name of the tag */
  name?: string;
};
export type ProfileDto = {
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** Company as entered */
  company: string | null;
  /** Registrable domain of the address; null for free-mail domains */
  companyDomain: string | null;
  /** Job title */
  jobTitle: string | null;
  /** Phone number as entered */
  phone: string | null;
  /** Phone number in E.164; null if it could not be parsed */
  phoneE164: string | null;
  /** City */
  city: string | null;
  /** State or region */
  region: string | null;
  /** Country code, ISO 3166-1 alpha-2 */
  country: string | null;
  /** IANA time zone */
  timeZone: string | null;
  /** Values of the account's custom fields, by key */
  fields: {
    [key: string]: unknown;
  };
  /** Consent of the person, over all own lists */
  consent: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** When a message to the person was last accepted; null if never, or if not known yet */
  lastMailedAt: string | null;
  /** Id of the contact */
  id: string;
  /** The address as typed */
  email: string;
  /** Ids of skills */
  skills: number[];
  /** Ids of tags */
  tags: number[];
  /** Ids of the account's own lists that the person is on */
  listIds: string[];
  /** When the account first got the address */
  createdAt: string;
};
export type ProfileRuleDto = {
  /** Whether the rule is for the address or for a domain */
  kind: 'address' | 'domain';
  /** Reason for the rule */
  reason: 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** Note of the rule */
  note: string | null;
  /** When the rule ends; null means never */
  until: string | null;
  /** Id of the rule */
  id: string;
  /** The address, or the domain */
  value: string;
  /** When the rule was added */
  since: string;
};
export type ProfileListDto = {
  /** State of the consent on that list */
  status: 'bounced' | 'complained' | 'confirmed' | 'pending' | 'unsubscribed';
  /** Type of mail to which the person agreed */
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
  /** Company as entered */
  company: string | null;
  /** Registrable domain of the address; null for free-mail domains */
  companyDomain: string | null;
  /** Job title */
  jobTitle: string | null;
  /** Phone number as entered */
  phone: string | null;
  /** Phone number in E.164; null if it could not be parsed */
  phoneE164: string | null;
  /** City */
  city: string | null;
  /** State or region */
  region: string | null;
  /** Country code, ISO 3166-1 alpha-2 */
  country: string | null;
  /** IANA time zone */
  timeZone: string | null;
  /** Values of the account's custom fields, by key */
  fields: {
    [key: string]: unknown;
  };
  /** Consent of the person, over all own lists */
  consent: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** When a message to the person was last accepted; null if never, or if not known yet */
  lastMailedAt: string | null;
  /** When the person unsubscribed, if their consent is `left`; null otherwise */
  leftAt: string | null;
  /** Interests that the person stated; null if there are none */
  interests: {
    [key: string]: unknown;
  } | null;
  /** The account's do-not-send rule that covers the address; null if there is none */
  doNotSend: ProfileRuleDto | null;
  /** The account's own lists that the person is on */
  lists: ProfileListDto[];
  /** Id of the contact */
  id: string;
  /** The address as typed */
  email: string;
  /** Ids of skills */
  skills: number[];
  /** Ids of tags */
  tags: number[];
  /** Ids of the account's own lists that the person is on */
  listIds: string[];
  /** When the account first got the address */
  createdAt: string;
};
export type CreateProfileDto = {
  /** Country code, ISO 3166-1 alpha-2 */
  country?: string | null;
  /** IANA time zone */
  timeZone?: string | null;
  /** Ids of all tags that the person has after the change */
  tags?: number[];
  /** Values of the account's custom fields, by key; fields that are not given stay unchanged */
  fields?: {
    [key: string]: unknown;
  };
  /** The account's own lists to which the person is added as Pending, with one confirmation mail per list */
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
  /** Phone number, kept as entered */
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
  /** Consent of the person */
  consent?: 'bounced' | 'complained' | 'left' | 'mailable' | 'none' | 'pending';
  /** Company domain */
  domain?: string;
  /** Id of the import that added the contact */
  import?: string;
  /** Id of a saved segment */
  segment?: string;
  /** A part of the address, or the start of the first name, last name or company */
  search?: string;
};
export type BulkRequestDto = {
  /** Ids of at most 1,000 contacts */
  ids?: string[];
  /** Filter of the contacts page; an empty filter selects everyone */
  filter?: ProfileFilter;
  /** Id of a saved segment, to change all its members */
  segmentId?: string;
  /** The action */
  action: 'addTags' | 'addToList' | 'delete' | 'removeFromList' | 'removeTags' | 'setField';
  /** Ids of tags, for addTags and removeTags */
  tags?: number[];
  /** Id of an own list, for addToList and removeFromList */
  listId?: string;
  /** Key of a field, for setField: a custom field, or company, job_title, city or region */
  field?: string;
  /** The field's new value; null or absent clears it */
  value?: ((string | null) | (number | null) | (boolean | null) | (string[] | null)) | null;
};
export type BulkRefusalDto = {
  /** Why the contact was left unchanged */
  reason: 'exists' | 'plan_limit' | 'suppressed' | 'too_many_tags';
  /** The contact's id */
  id: string;
};
export type BulkJobDto = {
  /** The action */
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
  /** State of the bulk change */
  status: 'done' | 'failed' | 'queued' | 'running';
  /** When the bulk change ended; null while it runs */
  finishedAt: string | null;
  /** Id of the bulk change */
  id: string;
  /** Number of contacts to change; 0 until they are counted */
  total: number;
  /** Number of contacts that are done, including refused ones */
  done: number;
  /** Contacts that were left unchanged, at most 1,000 */
  refused: BulkRefusalDto[];
  /** Number of further contacts that were left unchanged and are not listed */
  refusedUnlisted: number;
};
export type PreparationDto = {
  /** Whether the preparation is running; until it ends, contacts without a profile are missing from results */
  preparing: boolean;
  /** Number of prepared contacts */
  done: number;
  /** Number of all contacts to prepare */
  total: number;
};
export type UpdateProfileDto = {
  /** Country code, ISO 3166-1 alpha-2 */
  country?: string | null;
  /** IANA time zone */
  timeZone?: string | null;
  /** Ids of all tags that the person has after the change */
  tags?: number[];
  /** Values of the account's custom fields, by key; fields that are not given stay unchanged */
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
  /** Phone number, kept as entered */
  phone?: string | null;
  /** City */
  city?: string | null;
  /** State or region */
  region?: string | null;
};
export type ProfileAddressDto = {
  /** The new address */
  email: string;
};
export type ContactNoteDto = {
  /** Id of the note */
  id: string;
  /** Text of the note */
  body: string;
  /** When the note was written */
  createdAt: string;
};
export type CreateNoteDto = {
  /** Text of the note, up to 5,000 characters */
  body: string;
};
export type TimelineEntryDto = {
  /** Category of the entry */
  kind: 'consent' | 'messages' | 'notes' | 'profile' | 'replies';
  /** Details, shown when the entry is expanded: for example IP address and browser of a confirmation, or a note's text
    and id */
  detail: {
    [key: string]: unknown;
  } | null;
  /** When it happened */
  at: string;
  /** What happened, as text */
  title: string;
  /** Id of the send that the entry links to */
  sendId?: string;
  /** Id of the list that the entry links to */
  listId?: string;
};
export type OnboardingDto = {
  /** Whether the account's address is verified. */
  verified: boolean;
  /** Whether the account has a list. */
  hasList: boolean;
  /** Whether the account has a contact. */
  hasContact: boolean;
  /** Whether a contact has confirmed. */
  hasConfirmed: boolean;
  /** Whether the account has sent an email. */
  hasSent: boolean;
  /** Whether the user has dismissed the checklist. */
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
  /** Permanently refused messages. */
  failed: number;
  /** Messages that bounced after acceptance. */
  bounced: number;
  /** Messages not sent because the address was no longer mailable. */
  skipped: number;
};
export type ActivityDto = {
  /** What happened. */
  action: 'Contact added' | 'Contact confirmed' | 'Contact unsubscribed' | 'Email sent' | 'List created';
  /** Id of the send that the activity is about. */
  sendId?: string;
  /** Id of the list that the activity is about, or of the contact's list. */
  listId?: string;
  /** What the activity is about: a subject, a list's name, a contact's address, or the size of an import. */
  name: string;
  /** When it happened. */
  time: string;
};
export type DashboardStatsDto = {
  /** Number of sends today, in the user's time zone. */
  emailsSentToday: number;
  /** Number of the user's own lists. */
  totalLists: number;
  /** Number of own lists with a confirmed contact. */
  activeLists: number;
  /** Number of contacts on own lists, Pending and Confirmed. */
  totalContacts: number;
  /** Current plan: free, pro or another. */
  tier: string;
  /** The last ten events, newest first. */
  recentActivity: ActivityDto[];
};
export type TrendDayDto = {
  /** Date of the day. */
  date: string;
  /** Sends accepted on the day. */
  sends: number;
  /** Messages of these sends that mail servers accepted, including those whose outcome is unknown (`unconfirmed`). */
  sent: number;
  /** Part of `sent` without a final reply of the mail server. */
  unconfirmed: number;
  /** Messages of these sends that were permanently refused. */
  failed: number;
  /** Messages of these sends that bounced. */
  bounced: number;
  /** Contacts added to own lists on the day. */
  contactsAdded: number;
  /** Contacts unsubscribed from own lists on the day. */
  unsubscribed: number;
};
export type DoNotSendRuleDto = {
  /** Whether the entry is an address or a domain */
  kind: 'address' | 'domain';
  /** Reason */
  reason: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** Note */
  note: string | null;
  /** When the rule ends; null means never */
  until: string | null;
  /** The rule's id */
  id: string;
  /** The address, or the domain in lower-case ASCII (Punycode) */
  value: string;
  /** When the rule was added */
  createdAt: string;
  /** Number of the account's contacts that the rule covers */
  matches: number;
};
export type DoNotSendAddedDto = {
  /** Whether the entry is an address or a domain */
  kind: 'address' | 'domain';
  /** Reason */
  reason: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** Note */
  note: string | null;
  /** When the rule ends; null means never */
  until: string | null;
  /** Id of the rule; null for a person who asked to stop, because this adds no rule */
  id: string | null;
  /** The address, or the domain in lower-case ASCII (Punycode) */
  value: string;
  /** When the rule was added */
  createdAt: string;
  /** Number of the account's contacts that the rule covers */
  matches: number;
};
export type CreateDoNotSendDto = {
  /** Reason; asked_to_stop removes a person from all lists, as if they had unsubscribed, and adds no rule */
  reason: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** End of the rule: a last day in the account's time zone, such as 2027-03-31, or a time; absent means permanent */
  until?: string | null;
  /** An address or a domain; a domain includes its subdomains. `@client.example` and `https://client.example/jobs` are
    read as the domain */
  value: string;
  /** A note for the account */
  note?: string | null;
  /** true adds the rule even if it covers many contacts (`broad_rule`) */
  confirm?: boolean;
};
export type RefusedLineDto = {
  /** Number of the line, from 1 */
  line: number;
  /** The address or domain in the line */
  value: string;
  /** Why the line was refused, as text */
  reason: string;
};
export type BulkDoNotSendResultDto = {
  /** Number of rules that were added */
  added: number;
  /** Number of people who asked to stop and were removed from all lists */
  withdrawn: number;
  /** Refused lines, at most 1,000 */
  refused: RefusedLineDto[];
};
export type BulkDoNotSendDto = {
  /** Reason for lines that give none; `other` by default */
  reason?: 'asked_to_stop' | 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** One entry per line: an address or a domain, followed by a reason, a note and a last day, separated by commas,
    semicolons or tabs, as in the exported CSV file */
  text: string;
};
export type DoNotSendSuggestionDto = {
  /** Domain of the account's own agency, if no rule covers it; null if there is nothing to suggest */
  value: string | null;
};
export type UpdateDoNotSendDto = {
  /** Reason */
  reason?: 'competitor' | 'end_client' | 'other' | 'own_agency' | 'present_employer';
  /** A note for the account; empty or null clears it */
  note?: string | null;
  /** End of the rule: a last day in the account's time zone, or a time; null means permanent */
  until?: string | null;
};
export type DraftListDto = {
  /** Id of the list. */
  id: string;
  /** Name of the list. */
  name: string;
};
export type DraftSummaryDto = {
  /** Browser and system from which the draft was saved. */
  device: string | null;
  /** Type of the email. */
  emailType: 'candidate-list' | 'job-post';
  /** Id of the draft. */
  id: string;
  /** Version of the draft, also in ETag; the next save sends it in If-Match. */
  version: number;
  /** When the draft was saved. */
  updatedAt: string;
  /** Subject line; empty if none was entered. */
  subject: string;
  /** Step of the wizard at which the draft was saved. */
  step: number;
  /** When the draft was created. */
  createdAt: string;
  /** The chosen lists that still exist. */
  lists: DraftListDto[];
};
export type PerCompanyDto = {
  /** Which people are kept under the cap; by default those mailed least recently or never */
  prefer?: 'least_recently_mailed';
  /** Maximum number of people at one company, 1 to 50 */
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
  /** Period for which the amount is paid */
  unit: 'HOUR' | 'YEAR';
  /** Always US dollars */
  currency: 'USD';
  /** Lowest amount */
  min?: number;
  /** Highest amount */
  max?: number;
};
export type JobSkillsDto = {
  /** Required skills, at most 40 */
  required: string[];
  /** Preferred skills, at most 40 */
  preferred: string[];
};
export type JobDto = {
  /** Where the work is done, at most 5 places */
  jobLocations: JobLocationDto[];
  /** Work mode */
  workMode?: 'hybrid' | 'onsite' | 'remote';
  /** Pay in numbers */
  baseSalary?: JobSalaryDto;
  /** Terms of employment */
  employmentTypes: ('1099' | 'C2C' | 'FULL_TIME' | 'W2')[];
  /** Skills that the job requires or prefers */
  skills: JobSkillsDto;
  /** Title */
  title?: string;
  /** Name of the hiring client */
  hiringOrganization?: string;
  /** Whether the post leaves out the client's name */
  isClientHidden: boolean;
  /** Details of the work mode */
  workModeNote?: string;
  /** Words instead of a rate, or in addition to it */
  rateNote?: string;
  /** Duration of the job */
  duration?: string;
  /** Start date, as written */
  startDate?: string;
  /** Work authorisation as written, at most 10 */
  workAuthorization: string[];
  /** Years of experience */
  experienceYears?: string;
  /** How candidates are interviewed */
  interview?: string;
  /** Deadline for profiles, as written */
  validThrough?: string;
  /** Number of the requirement at the client or vendor */
  jobId?: string;
  /** Duties and everything else without a field of its own, at most 20,000 characters, with line breaks */
  description?: string;
};
export type ChosenFileDto = {
  /** link: readers download it from a page; attachment: every message has it */
  as?: 'attachment' | 'link';
  /** Days for which the link works after the email is sent; 30 by default. An attached file has a link only if the text
    links to it. */
  expiresInDays?: 30 | 7 | 90;
  /** Id of an uploaded file */
  fileId: string;
};
export type DraftDto = {
  /** Browser and system from which the draft was saved. */
  device: string | null;
  /** Cap on the number of people at one company; null means no cap. */
  perCompany: PerCompanyDto | null;
  /** Type of the email. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as plain text; null unless the user chose plain text. */
  content: string | null;
  /** The message as rich text; null if there is none yet or the user chose plain text. */
  document: DocumentDto | null;
  /** The job that the message offers; null means none. */
  job: JobDto | null;
  /** Uploaded files that go with the message, some of which may have been deleted since. */
  files: ChosenFileDto[];
  /** Whether the message has the sender's logo and colour; null means the default: yes for a rich text, no for a plain
    one. */
  brand: boolean | null;
  /** Whether the message has the sender's signature; null means the default: yes for a rich text, no for a plain one. */
  signature: boolean | null;
  /** Ids of the chosen lists, some of which may have been deleted since. */
  emailListIds: string[];
  /** Ids of the chosen segments. */
  segmentIds: string[];
  /** Ids of the lists that are left out. */
  excludeListIds: string[];
  /** Ids of the segments that are left out. */
  excludeSegmentIds: string[];
  /** Addresses and domains that are left out. */
  excludeAddresses: string[];
  /** Names of segments of the copied send that no longer exist. */
  goneSegments: string[];
  /** Subject line; empty if none was entered. */
  subject: string;
  /** Line that inboxes show after the subject; empty if none was entered. */
  preheader: string;
  /** Step of the wizard at which the draft was saved. */
  step: number;
  /** When the draft was created. */
  createdAt: string;
  /** Id of the draft. */
  id: string;
  /** Version of the draft, also in ETag; the next save sends it in If-Match. */
  version: number;
  /** When the draft was saved. */
  updatedAt: string;
};
export type CreateDraftDto = {
  /** Cap on the number of people at one company; absent or null means no cap */
  perCompany?: PerCompanyDto | null;
  /** Type of the email; by default the type that the account's role sends. */
  emailType?: 'candidate-list' | 'job-post';
  /** The message as plain text; not together with `document`. */
  content?: string | null;
  /** The message as a rich text; not together with `content`. */
  document?: DocumentDto | null;
  /** The job that the message offers; null means none. */
  job?: JobDto | null;
  /** Uploaded files that go with the message, at most 10. If one of them is deleted later, the send is refused. */
  files?: ChosenFileDto[] | null;
  /** Whether the message has the sender's logo and colour; by default a rich text has them and a plain text does not. */
  brand?: boolean | null;
  /** Whether the message has the sender's signature; by default a rich text has it and a plain text does not. */
  signature?: boolean | null;
  /** Id of a past send to copy, together with those of its lists that still exist; all other fields are ignored. */
  fromSendId?: string;
  /** Id of another draft to copy; all other fields are ignored. */
  fromDraftId?: string;
  /** Ids of the chosen lists, at most 1000. */
  emailListIds?: string[];
  /** Subject line, kept as typed. */
  subject?: string;
  /** Line that inboxes show after the subject. */
  preheader?: string;
  /** Step of the wizard that the user is on. */
  step?: number;
  /** Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists */
  segmentIds?: string[];
  /** Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only, at most 500 */
  excludeAddresses?: string[];
};
export type DraftSavedDto = {
  /** Browser and system from which the draft was saved. */
  device: string | null;
  /** Id of the draft. */
  id: string;
  /** Version of the draft, also in ETag; the next save sends it in If-Match. */
  version: number;
  /** When the draft was saved. */
  updatedAt: string;
};
export type SaveDraftDto = {
  /** Cap on the number of people at one company; absent or null means no cap */
  perCompany?: PerCompanyDto | null;
  /** Type of the email; by default the type that the account's role sends. */
  emailType?: 'candidate-list' | 'job-post';
  /** The message as plain text; not together with `document`. */
  content?: string | null;
  /** The message as a rich text; not together with `content`. */
  document?: DocumentDto | null;
  /** The job that the message offers; null means none. */
  job?: JobDto | null;
  /** Uploaded files that go with the message, at most 10. If one of them is deleted later, the send is refused. */
  files?: ChosenFileDto[] | null;
  /** Whether the message has the sender's logo and colour; by default a rich text has them and a plain text does not. */
  brand?: boolean | null;
  /** Whether the message has the sender's signature; by default a rich text has it and a plain text does not. */
  signature?: boolean | null;
  /** Ids of the chosen lists, at most 1000. */
  emailListIds?: string[];
  /** Subject line, kept as typed. */
  subject?: string;
  /** Line that inboxes show after the subject. */
  preheader?: string;
  /** Step of the wizard that the user is on. */
  step?: number;
  /** Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists */
  segmentIds?: string[];
  /** Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only, at most 500 */
  excludeAddresses?: string[];
};
export type HistoryOutcomeDto = {
  /** Messages that mail servers accepted, plus those whose outcome is unknown (`unconfirmed`). */
  sent: number;
  /** Part of `sent` without a final reply of the mail server. */
  unconfirmed: number;
  /** Permanently refused messages. */
  failed: number;
  /** Messages that bounced after acceptance. */
  bounced: number;
};
export type HistoryRowDto = {
  /** Type of the send. */
  emailType: 'candidate-list' | 'job-post';
  /** pending until the last recipient is settled; sent if mail servers accepted at least one message; failed if they
    accepted none. */
  status: 'failed' | 'pending' | 'sent';
  /** Set if the sender paused or cancelled the send. After a cancellation, the remaining recipients are skipped. */
  stopped?: 'cancelled' | 'paused';
  /** Outcome of the send's messages so far, if requested. */
  outcome?: HistoryOutcomeDto;
  /** Names of the send's lists when it was accepted, if requested. */
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
  /** When the rest of the send is given up, because a file is missing in the file storage; null if the storage just does
    not answer. */
  givenUpAt: string | null;
  /** Since when the files cannot be read. */
  since: string;
};
export type NamedChoiceDto = {
  /** Id of the list or segment */
  id: string;
  /** Name at the time of the send */
  name: string;
};
export type SentAudienceDto = {
  /** Maximum number of people per company; null: no limit. */
  perCompany: number | null;
  /** When the audience was frozen; null: a worker still has to do it. */
  frozenAt: string | null;
  /** Why the audience could not be frozen, so that nobody was mailed. Null if it was frozen, or still has to be. */
  failure: string | null;
  /** Chosen segments. */
  segments: NamedChoiceDto[];
  /** Excluded lists. */
  excludedLists: NamedChoiceDto[];
  /** Excluded segments. */
  excludedSegments: NamedChoiceDto[];
  /** Excluded addresses and domains. */
  excludedAddresses: string[];
};
export type SentFileDto = {
  /** link: readers download it from a page; attachment: every message had it. */
  as: 'attachment' | 'link';
  /** Media type of the file. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'text/plain';
  /** Downloads by people; null if the messages had no link to the file. */
  downloads: number | null;
  /** Downloads by mail scanners and other programs, and all downloads right after the send; null if the messages had no
    link to the file. */
  automated: number | null;
  /** Id of the file. */
  fileId: string;
  /** Name of the file; empty once it is deleted. */
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
  /** People of the chosen audience who were left out because of do-not-send rules, exclusions or caps. */
  leftOut: number;
  /** Waiting, being sent, or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Sent, but the mail server gave no final reply: probably delivered. */
  unconfirmed: number;
  /** Refused permanently. */
  failed: number;
  /** Could no longer be mailed at the time of sending. */
  skipped: number;
  /** Bounced after the mail server had accepted it. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Unsubscribed through this message. */
  unsubscribed: number;
};
export type HistoryEntryDto = {
  /** Type of the send. */
  emailType: 'candidate-list' | 'job-post';
  /** pending until the last recipient is settled; sent if mail servers accepted at least one message; failed if they
    accepted none. */
  status: 'failed' | 'pending' | 'sent';
  /** Set if the sender paused or cancelled the send. After a cancellation, the remaining recipients are skipped. */
  stopped?: 'cancelled' | 'paused';
  /** The message as a rich text; null if it was written as plain text. */
  document: DocumentDto | null;
  /** The job that the message offered; null if there was none. */
  job: JobDto | null;
  /** Set while the send waits for its attached files. Null if it does not wait, or is paused, cancelled or over. */
  filesWait: FilesWaitDto | null;
  /** The audience; null if the send went to plain lists. */
  audience: SentAudienceDto | null;
  /** The message as entered. For a rich text, the text derived from it, with merge tags as typed. */
  content: string;
  /** Line that inboxes showed after the subject, with merge tags as typed; empty if there was none. */
  preheader: string;
  /** Files that went with the message. Files that were deleted since have no name. */
  files: SentFileDto[];
  /** The HTML part of the message, with merge tags as typed. Its unsubscribe link does not work. */
  html: string;
  /** Lists of the send, with their names at the time. */
  lists: HistoryListDto[];
  /** Number of recipients by status. */
  counts: SendCountsDto;
  /** Number of recipients who may be tried again: delivery to them failed temporarily, or was skipped because an
    attached file was lost that is stored again by now. 0 if an attached file is not stored. If it is above 2,000, the
    number includes people who have unsubscribed since. */
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
  /** Status of the delivery. */
  status: 'bounced' | 'complained' | 'deferred' | 'failed' | 'queued' | 'sending' | 'sent' | 'skipped' | 'unconfirmed';
  /** Message-ID of the mail; null until it is sent. */
  messageId: string | null;
  /** When the mail server accepted it. */
  sentAt: string | null;
  /** What happened, in words. */
  detail: string | null;
  /** The mail server's reply; only its code if the address is masked. */
  said: string | null;
  /** When the recipient unsubscribed through this message. */
  unsubscribedAt: string | null;
  /** When the next attempt takes place; null unless the delivery is deferred. */
  nextAttemptAt: string | null;
  /** Id of the delivery */
  id: string;
  /** The recipient's address; masked if the send reached it through the shared network only. */
  recipientEmail: string;
  /** Whether the message may have arrived twice, because it was sent again after an interruption. */
  possibleDuplicate: boolean;
};
export type RenderedRecipientDto = {
  /** Id of the contact */
  contactId: string;
  /** The address as typed */
  email: string;
  /** Name of the recipient; null if none was given */
  name: string | null;
  /** Name of the list through which the message reaches the recipient */
  listName: string;
  /** Merge tags of the message for which the recipient has no value */
  emptyTags: string[];
};
export type RenderedMessageDto = {
  /** Subject line */
  subject: string;
  /** Line that inboxes show after the subject; empty if there is none */
  preheader: string;
  /** HTML part */
  html: string;
  /** Text part */
  text: string;
  /** The recipient for whom the message is shown. Null if the values are made up, because all recipients are members of
    the shared network or because no recipient was found. */
  recipient: RenderedRecipientDto | null;
  /** Value of `after` that shows the next recipient; null: this is the last one */
  next: string | null;
  /** Value of `before` that shows the previous recipient; null: this is the first one */
  previous: string | null;
};
export type LeftOutDto = {
  /** The reason */
  reason: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** Position of the address among those that the send left out */
  id: string;
  /** The address; masked if the send would reach it through the shared network only */
  email: string;
  /** The reason in words */
  detail: string;
};
export type SendProgressDto = {
  /** Status of the send. */
  status: 'failed' | 'pending' | 'sent';
  /** Set if the sender has paused or cancelled the send. */
  stopped?: 'cancelled' | 'paused';
  /** Waiting, being sent, or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Sent, but the mail server gave no final reply: probably delivered. */
  unconfirmed: number;
  /** Refused permanently. */
  failed: number;
  /** Could no longer be mailed at the time of sending. */
  skipped: number;
  /** Bounced after the mail server had accepted it. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Unsubscribed through this message. */
  unsubscribed: number;
};
export type RetriedDto = {
  /** Number of recipients to whom the message is sent again. Above 2,000, the number includes people who have
    unsubscribed since. */
  retried: number;
};
export type EmailListDto = {
  /** The list's id */
  id: string;
  /** Name of the list */
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
  /** When the list was created */
  createdAt: string;
  /** When the list last changed */
  updatedAt: string;
};
export type CreateEmailListDto = {
  /** Name of the list */
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
  /** Name; null if none is given */
  name: string | null;
  /** Id of the list that the contact is on */
  listId: string;
  /** Name of that list */
  listName: string;
};
export type PublicListDto = {
  /** The list's id, sent with POST /api/subscribe */
  id: string;
  /** Slug of the list */
  slug: string;
  /** Name of the list */
  name: string;
  /** Description */
  description: string | null;
  /** Agency that the page shows */
  agencyName: string | null;
  /** Logo that the page shows */
  agencyLogo: string | null;
  /** Name of the owner */
  ownerName: string | null;
  /** What a subscriber of this page agrees to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
};
export type ConfirmationStatusDto = {
  /** Why the mails wait: `daily_budget` (the budget of mails to new people for 24 hours is used up), `few_confirmed` or
    `many_bounced` (the account's mails to new people are stopped), `unverified` (the account's address is not
    verified); null if they are on their way, or none wait */
  hold: ('daily_budget' | 'few_confirmed' | 'many_bounced' | 'unverified') | null;
  /** Mails to new people (confirmation mails and invites, over all lists) that the account may cause in 24 hours; null
    for the network */
  dailyBudget: number | null;
  /** Number of mails to new people that were sent in the last 24 hours; null for the network */
  sentIn24Hours: number | null;
  /** When further mails can be sent; null unless the budget is used up */
  continuesAt: string | null;
  /** Number of contacts whose confirmation mail has not gone out; counted up to 10,000 */
  waiting: number;
};
export type EmailListDetailDto = {
  /** The list's id */
  id: string;
  /** Name of the list */
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
  /** When the list was created */
  createdAt: string;
  /** When the list last changed */
  updatedAt: string;
  /** State of the list's confirmation mails. */
  confirmations: ConfirmationStatusDto;
};
export type UpdateEmailListDto = {
  /** The list's name; may be absent, but not blank */
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
  /** The day, in the caller's time zone */
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
  /** Name; null if none is given */
  name: string | null;
  /** What the person agreed to receive */
  subscriptionType: 'candidate-lists' | 'job-posts';
  /** Whether the address is confirmed; only confirmed contacts are mailed */
  confirmed: boolean;
  /** Why the contact must not be mailed; null if it may be mailed */
  suppressed: ('bounced' | 'complained' | 'unsubscribed') | null;
  /** When the contact was added */
  createdAt: string;
  /** Id of the person's profile in /api/contacts; null on the default list, and until an older contact has a profile */
  profileId: string | null;
};
export type AddContactDto = {
  /** The address */
  email: string;
  /** Name */
  name?: string | null;
  /** What the person agreed to receive; by default, what the list's owner sends */
  subscriptionType?: 'candidate-lists' | 'job-posts';
};
export type ImportStartedDto = {
  /** Id of the import, with which its progress can be read */
  id: string;
};
export type ImportContactsDto = {
  /** `email` or `email, name`, one contact each */
  lines: string[];
  /** Statement of where and how these people agreed; an admin then decides before confirmation mails go out */
  attestation?: string | null;
};
export type RejectedRowDto = {
  /** Number of the line in the file, from 1 */
  line: number;
  /** The address as given */
  email: string;
  /** Why the line was rejected */
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
  /** Why the import failed; null unless it failed */
  message: string | null;
  /** The import's id */
  id: string;
  /** State of the import */
  status: 'done' | 'failed' | 'queued' | 'running';
  /** Number of lines in the file; while it is read, an estimate from its size */
  total: number;
  /** Number of contacts added */
  added: number;
  /** Number of lines that were not imported */
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
  /** Type of the emails that the template is for. */
  emailType: 'candidate-list' | 'job-post';
  /** Subject for messages without one; null means none. */
  subject: string | null;
  /** Whether messages made from the template have the sender's logo and colour; null means the default of the message. */
  brand: boolean | null;
  /** Whether messages made from the template have the sender's signature; null means the default of the message. */
  signature: boolean | null;
  /** When the template was last used; null if never. */
  usedAt: string | null;
  /** Id of the template. */
  id: string;
  /** Version of the template, also in ETag; a change sends it in If-Match. */
  version: number;
  /** Name of the template. */
  name: string;
  /** Number of uses. */
  useCount: number;
  /** When the template was created. */
  createdAt: string;
  /** When the template was last changed. */
  updatedAt: string;
};
export type TemplateDto = {
  /** Type of the emails that the template is for. */
  emailType: 'candidate-list' | 'job-post';
  /** Subject for messages without one; null means none. */
  subject: string | null;
  /** Whether messages made from the template have the sender's logo and colour; null means the default of the message. */
  brand: boolean | null;
  /** Whether messages made from the template have the sender's signature; null means the default of the message. */
  signature: boolean | null;
  /** When the template was last used; null if never. */
  usedAt: string | null;
  /** Id of the template. */
  id: string;
  /** Version of the template, also in ETag; a change sends it in If-Match. */
  version: number;
  /** Name of the template. */
  name: string;
  /** The message. */
  document: DocumentDto;
  /** Number of uses. */
  useCount: number;
  /** When the template was created. */
  createdAt: string;
  /** When the template was last changed. */
  updatedAt: string;
};
export type CreateTemplateDto = {
  /** Type of the emails that the template is for. */
  emailType?: 'candidate-list' | 'job-post';
  /** Subject for messages without one; null or empty means none. */
  subject?: string | null;
  /** The message. */
  document?: DocumentDto;
  /** Whether messages made from the template have the sender's logo and colour. If absent, the choice of the source send
    or draft applies; without one, the default. */
  brand?: boolean;
  /** Whether messages made from the template have the sender's signature. If absent, the choice of the source send or
    draft applies; without one, the default. */
  signature?: boolean;
  /** Name, 1 to 100 characters, unique among the user's templates. */
  name: string;
  /** Id of a past send from which the template is made. Parts that the request gives replace those of the send. */
  fromSendId?: string;
  /** Id of a draft from which the template is made. Parts that the request gives replace those of the draft. */
  fromDraftId?: string;
};
export type UpdateTemplateDto = {
  /** Type of the emails that the template is for. */
  emailType?: 'candidate-list' | 'job-post';
  /** Subject for messages without one; null or empty means none. */
  subject?: string | null;
  /** The message. */
  document?: DocumentDto;
  /** Name, 1 to 100 characters, unique among the user's templates. */
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
  /** Ids of the changed lists, profiles, bulk changes, imports, files, sends or mail accounts; for `admin`, the kinds of
    the changes. Absent if any object of the kind may have changed */
  ids?: string[];
};
export type FileLinkDto = {
  /** When the link was revoked; null if it was not. */
  revokedAt: string | null;
  /** Time of the last download; null if there was none. */
  lastDownloadAt: string | null;
  /** Id of the link. */
  id: string;
  /** Id of the send. */
  sendId: string;
  /** Subject of the send. */
  subject: string;
  /** When the email was sent. */
  sentAt: string;
  /** When the link expires. */
  expiresAt: string;
  /** Downloads by people. */
  downloads: number;
  /** Downloads by mail scanners and other programs, and all downloads right after the send. */
  automated: number;
};
export type ChangeFileLinkDto = {
  /** Extends the link to this many days from now. */
  expiresInDays?: 30 | 7 | 90;
  /** Revokes the link for good. */
  revoked?: boolean;
};
export type FileDto = {
  /** image: a picture for messages; document: any other file. */
  kind: 'document' | 'image';
  /** Media type, detected from the bytes. */
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
  /** Public URL of a picture, the same for every recipient; null for other files, which have a separate link per email. */
  url: string | null;
  /** checking: not scanned for viruses yet; refused: contains a virus; gone: taken down. */
  state: 'checking' | 'gone' | 'ready' | 'refused';
  /** When the last working link expires; null if no link works. */
  expiresAt: string | null;
  /** Id of the file: the `fileId` of images and file links in a document, and of an email's `files`. */
  id: string;
  /** Name of the file, without path and further extensions, as uploaded or renamed. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Number of sent emails that link to the file, show it or have it attached. */
  usedIn: number;
  /** Downloads by people, over all links. */
  downloads: number;
  /** Downloads by mail scanners and other programs, and all downloads right after the send. */
  automated: number;
  /** When the file was uploaded. */
  createdAt: string;
};
export type SharedFileDto = {
  /** Media type of the file. */
  mediaType:
    | 'application/msword'
    | 'application/pdf'
    | 'application/rtf'
    | 'application/vnd.oasis.opendocument.text'
    | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    | 'text/plain';
  /** Agency of the user who shares the file. */
  senderAgency: string | null;
  /** Name of the file. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Name of the user who shares the file. */
  senderName: string;
  /** When the link expires. */
  expiresAt: string;
};
export type FileSpaceDto = {
  /** Bytes that the account's pictures and documents use. */
  usedBytes: number;
  /** Bytes that the account's plan allows. */
  limitBytes: number;
  /** Maximum size of one document in bytes. */
  fileBytes: number;
  /** Maximum size in bytes of all files attached to one message. */
  attachmentBytes: number;
  /** Maximum size in bytes of a send's attachments over all recipients: attached bytes times recipients. */
  attachmentBudgetBytes: number;
};
export type FileDetailDto = {
  /** image: a picture for messages; document: any other file. */
  kind: 'document' | 'image';
  /** Media type, detected from the bytes. */
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
  /** Public URL of a picture, the same for every recipient; null for other files, which have a separate link per email. */
  url: string | null;
  /** checking: not scanned for viruses yet; refused: contains a virus; gone: taken down. */
  state: 'checking' | 'gone' | 'ready' | 'refused';
  /** When the last working link expires; null if no link works. */
  expiresAt: string | null;
  /** Id of the file: the `fileId` of images and file links in a document, and of an email's `files`. */
  id: string;
  /** Name of the file, without path and further extensions, as uploaded or renamed. */
  name: string;
  /** Size in bytes. */
  byteSize: number;
  /** Number of sent emails that link to the file, show it or have it attached. */
  usedIn: number;
  /** Downloads by people, over all links. */
  downloads: number;
  /** Downloads by mail scanners and other programs, and all downloads right after the send. */
  automated: number;
  /** When the file was uploaded. */
  createdAt: string;
  /** The file's links in sent emails, the latest first, at most 100. */
  links: FileLinkDto[];
};
export type RenameFileDto = {
  /** New name; the extension of the file's type is kept or added. */
  name: string;
};
export type ReplaceFileDto = {
  /** Id of a newly uploaded file that no email or draft uses */
  fileId: string;
};
export type HealthDto = {
  /** State of each part */
  parts: {
    [key: string]: string;
  };
  /** Always `ok`; a process that is not ready answers 503 */
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
  /** Number of people who were new */
  added: number;
  /** Number of people who were known and changed, or joined the list */
  updated: number;
  /** Number of people who stayed unchanged */
  unchanged: number;
  /** Number of lines that were left out */
  leftOut: number;
  /** Number of people whom Undo removed; 0 before an Undo */
  removed: number;
  /** Number of people, known before the import, whom Undo took off the list and kept as contacts; 0 before an Undo */
  takenOff: number;
  /** People whom Undo kept; empty before an Undo */
  kept: ImportKeptDto[];
};
export type ImportProgressDto = {
  /** Number of lines that are done */
  done: number;
  /** Number of all lines; while the file is read, an estimate */
  total: number;
};
export type AccountImportDto = {
  /** State of the import */
  status:
    'checking' | 'discarded' | 'done' | 'failed' | 'mapping' | 'reading' | 'ready' | 'running' | 'undone' | 'uploading';
  /** The stage that a worker runs, or the failed stage that can be tried again; null for none */
  stage: ('check' | 'commit' | 'read' | 'undo') | null;
  /** Name of the file; null for pasted text */
  fileName: string | null;
  /** Kind of the file; null until it is read */
  fileKind: ('csv' | 'text' | 'tsv' | 'xlsx') | null;
  /** List that the people are put on; null for none */
  listId: string | null;
  /** Name of that list */
  listName: string | null;
  /** Result of the import; null until it is committed */
  result: ImportResultDto | null;
  /** Time until which the import can be undone; null if it cannot be undone */
  undoUntil: string | null;
  /** When the import is dropped unless the user goes on with it; null if it does not wait for the user */
  expiresAt: string | null;
  /** Why the import failed; null unless it failed */
  message: string | null;
  /** When the import ended; null if it has not ended */
  finishedAt: string | null;
  /** The import's id */
  id: string;
  /** Progress of the current stage */
  progress: ImportProgressDto;
  /** When the file was received */
  createdAt: string;
};
export type ImportGroupDto = {
  /** Reason for leaving the lines out, or their mark */
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
  /** Number of people at the domain */
  people: number;
};
export type ImportTypoDto = {
  /** The domain in the file */
  from: string;
  /** The domain that was probably meant */
  to: string;
  /** Number of lines with the domain */
  rows: number;
};
export type ImportUncheckedDto = {
  /** Number of domains */
  domains: number;
  /** Number of people at these domains; they are imported */
  people: number;
};
export type ImportReportDto = {
  /** Number of people who would be new */
  new: number;
  /** Number of people who would change, or join the list */
  updated: number;
  /** Number of people who would stay unchanged */
  unchanged: number;
  /** Number of lines that would be left out */
  leftOut: number;
  /** Lines that are left out, by reason, and lines that are imported with a mark, by mark */
  groups: ImportGroupDto[];
  /** Company domains with the most people */
  domains: ImportDomainDto[];
  /** Domains that look mistyped */
  typos: ImportTypoDto[];
  /** Domains that could not be checked, because DNS gave no answer in time or the file has too many subdomains of one
    domain */
  unchecked: ImportUncheckedDto;
};
export type ImportSheetDto = {
  /** Position of the sheet in the workbook, from 0 */
  index: number;
  /** Name of the sheet */
  name: string;
};
export type ImportColumnDto = {
  /** One of email, name, firstName, lastName, company, jobTitle, phone, city, region, country, timeZone, skills, tags, note, ignore, or field.{key} for one of the account's own fields */
  target: string;
  /** Origin of the target: guessed, remembered from an earlier file, or chosen by the user; null if the column has no
    target and is not imported */
  from: ('chosen' | 'guessed' | 'remembered') | null;
  /** Position of the column, from 0 */
  index: number;
  /** Heading of the column, or `Column 1` */
  header: string;
  /** The column's first values, at most three */
  samples: string[];
};
export type ImportOptionsDto = {
  /** List that the people are put on; null for none */
  listId: string | null;
  /** What happens to the data of people whom the account already knows */
  existing: 'fill' | 'leave' | 'replace';
  /** Whether role addresses such as jobs@ are imported */
  roles: 'drop' | 'keep';
  /** Statement of where and how these people agreed */
  attestation: string | null;
  /** Names of tags that every imported person gets */
  tags: string[];
};
export type AccountImportDetailDto = {
  /** State of the import */
  status:
    'checking' | 'discarded' | 'done' | 'failed' | 'mapping' | 'reading' | 'ready' | 'running' | 'undone' | 'uploading';
  /** The stage that a worker runs, or the failed stage that can be tried again; null for none */
  stage: ('check' | 'commit' | 'read' | 'undo') | null;
  /** Name of the file; null for pasted text */
  fileName: string | null;
  /** Kind of the file; null until it is read */
  fileKind: ('csv' | 'text' | 'tsv' | 'xlsx') | null;
  /** List that the people are put on; null for none */
  listId: string | null;
  /** Name of that list */
  listName: string | null;
  /** Result of the import; null until it is committed */
  result: ImportResultDto | null;
  /** Time until which the import can be undone; null if it cannot be undone */
  undoUntil: string | null;
  /** When the import is dropped unless the user goes on with it; null if it does not wait for the user */
  expiresAt: string | null;
  /** Why the import failed; null unless it failed */
  message: string | null;
  /** When the import ended; null if it has not ended */
  finishedAt: string | null;
  /** Encoding of the text; null for a workbook, and until the file is read */
  encoding: string | null;
  /** Index of the sheet that is read; null if the file is no workbook */
  sheet: number | null;
  /** What the check found; null until it has ended */
  report: ImportReportDto | null;
  /** Visible sheets of a workbook */
  sheets: ImportSheetDto[];
  /** Whether the first row names the columns */
  hasHeader: boolean;
  /** Number of records in the file, without its header */
  lines: number;
  /** The columns; empty until the file is read */
  columns: ImportColumnDto[];
  /** The chosen options */
  options: ImportOptionsDto;
  /** The import's id */
  id: string;
  /** Progress of the current stage */
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
  /** List to put the people on; null for none */
  listId?: string | null;
  /** Names of tags that every imported person gets; missing tags are created */
  tags?: string[];
  /** What happens to the data of people whom the account already knows */
  existing?: 'fill' | 'leave' | 'replace';
  /** Whether role addresses such as jobs@ are imported */
  roles?: 'drop' | 'keep';
  /** Statement of where and how these people agreed; an admin then decides before confirmation mails go out */
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
  /** What the import would do with the line */
  verdict: 'left_out' | 'new' | 'unchanged' | 'updated';
  /** Why the line is left out, or its marks */
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
  /** The first of the codes as text; null if there is none */
  reason: string | null;
  /** The address that was probably intended */
  suggestion: string | null;
  /** Number of the line in the file, from 1 */
  line: number;
  /** The address as read */
  email: string;
  /** Headings of the columns whose values did not fit */
  misfits: string[];
  /** The row as it is in the file */
  cells: string[];
  /** Whether the user corrected the line's address */
  isCorrected: boolean;
};
export type CorrectLineDto = {
  /** The address */
  email: string;
};
export type MergeTagDto = {
  /** Heading under which a menu shows the tag. */
  group: 'Contact' | 'Custom fields' | 'List' | 'You';
  /** Name of the tag, without the braces */
  tag: string;
  /** Name of the tag on screens */
  label: string;
  /** Whether the value differs between contacts */
  perContact: boolean;
  /** An example of a value */
  example: string;
  /** Number of confirmed contacts of the chosen own lists that have a value; only with counts=true, and absent if there
    are too many to count quickly */
  filled?: number;
  /** Number of all confirmed contacts of the chosen own lists; only with counts=true, and absent if there are too many
    to count quickly */
  total?: number;
};
export type NotificationOptOutDto = {
  /** The kinds to stop mailing. */
  kinds: ('import.finished' | 'reputation.warning' | 'schedule.blocked' | 'send.finished' | 'send.stopped')[];
};
export type KindSettingDto = {
  /** The kind. */
  kind: 'import.finished' | 'reputation.warning' | 'schedule.blocked' | 'send.finished' | 'send.stopped';
  /** When notifications of this kind are mailed: within seconds, once a day with everything unread, or not at all. */
  mail: 'never' | 'now' | 'summary';
  /** Whether notifications of this kind are in the list under the bell */
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
  /** Kind of the notification */
  kind: 'import.finished' | 'mail.off' | 'reputation.warning' | 'schedule.blocked' | 'send.finished' | 'send.stopped';
  /** The notification's id */
  id: string;
  /** What happened */
  text: string;
  /** What the event concerns: the subject of the send or the name of the list; null if `text` says everything */
  detail: string | null;
  /** Path of the screen that the notification links to */
  url: string;
  /** Number of events that the notification reports; can grow until it is read */
  count: number;
  /** When the notification was written */
  createdAt: string;
  /** When the last event was added to the notification */
  updatedAt: string;
  /** When the notification was read; null if it is unread */
  readAt: string | null;
};
export type UnreadDto = {
  /** Number of unread notifications */
  unread: number;
};
export type ReadNotificationsDto = {
  /** true: marks all of the user's notifications as read */
  all?: true;
  /** Ids of the notifications; unknown ones are ignored */
  ids?: string[];
};
export type ReferralStatsDto = {
  /** Number of invites sent by mail */
  totalInvites: number;
  /** Number of unanswered invites */
  pendingInvites: number;
  /** Number of accepted invites */
  acceptedInvites: number;
  /** Number of people who registered through the user, by invite or by link */
  signupConversions: number;
  /** Number of these people who have paid */
  paidConversions: number;
};
export type ReferralInviteDto = {
  /** The invite's id */
  id: string;
  /** The invited address */
  inviteeEmail: string;
  /** Status of the invite */
  status: 'accepted' | 'expired' | 'pending';
  /** When the invite was sent */
  sentAt: string;
  /** When the invited person registered; null if they have not */
  acceptedAt: string | null;
  /** Time until which the invite's link works */
  expiresAt: string;
};
export type ReferralsDto = {
  /** Figures */
  stats: ReferralStatsDto;
  /** The newest 100 invites; GET /api/referrals/invites lists all */
  invites: ReferralInviteDto[];
};
export type ReferralCodeDto = {
  /** The code in the link */
  code: string;
  /** The link to share */
  referralUrl: string;
};
export type InviteDto = {
  /** The colleague's address */
  inviteeEmail: string;
};
export type OptOutDto = {
  /** The token in the link */
  token: string;
};
export type ReferrerDto = {
  /** The referrer's name; null if the link is not valid */
  inviterName: string | null;
};
export type VisitDto = {
  /** A user's code or an invite's token */
  ref: string;
};
export type ComposedRequirementDto = {
  /** The facts as a table, then the description; the client is named only if `isClientHidden` is false */
  document: DocumentDto;
  /** Subject; unknown parts are omitted */
  subject: string;
  /** Names of the hidden client in the job; the post says "our client" instead. Empty if `isClientHidden` is false */
  hiddenNames: string[];
};
export type ComposeRequirementDto = {
  /** The job */
  job: JobDto;
};
export type GuessDto = {
  /** The part of the job; if it has several values, it may have several guesses */
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
  /** sure: needs no review; check: the user should check it */
  confidence: 'check' | 'sure';
  /** Offset of the first character */
  from: number;
  /** Offset after the last character */
  to: number;
};
export type LeftOutTextDto = {
  /** Kind of the part */
  kind: 'disclaimer' | 'email' | 'phone' | 'signature';
  /** Offset of the first character */
  from: number;
  /** Offset after the last character */
  to: number;
};
export type RequirementLeftOutDto = {
  /** Number of distinct email addresses */
  emails: number;
  /** Number of distinct phone numbers */
  phones: number;
  /** The parts of the text that were left out, in the order of the text */
  texts: LeftOutTextDto[];
  /** Whether the text had a signature */
  signature: boolean;
  /** Whether the text had a disclaimer */
  disclaimer: boolean;
};
export type RequirementDto = {
  /** The job as read; unknown parts are absent or empty, never invented */
  job: JobDto;
  /** Where each part was read, and how certain it is */
  guesses: GuessDto[];
  /** The parts of the text that no field contains */
  leftOut: RequirementLeftOutDto;
  /** Names of the hidden client in the job; the post says "our client" instead */
  hiddenNames: string[];
  /** Subject of the post; empty if nothing is known */
  subject: string;
};
export type ReadRequirementDto = {
  /** The text, at most 50,000 characters. It is neither stored nor logged */
  text: string;
};
export type DeliveryCountsDto = {
  /** Waiting, being sent, or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Sent, but the mail server gave no final reply: probably delivered. */
  unconfirmed: number;
  /** Refused permanently. */
  failed: number;
  /** Could no longer be mailed at the time of sending. */
  skipped: number;
  /** Bounced after the mail server had accepted it. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Unsubscribed through this message. */
  unsubscribed: number;
};
export type RunningSendDto = {
  /** Status of the send. */
  status: 'failed' | 'pending' | 'sent';
  /** Set if the sender has paused or cancelled the send. */
  stopped?: 'cancelled' | 'paused';
  /** When it ended; null while it is running */
  endedAt: string | null;
  /** Id of the send */
  id: string;
  /** Subject of the send */
  subject: string;
  /** Number of recipients, as a numeric string */
  recipientCount: string;
  /** Number of recipients by status. */
  counts: DeliveryCountsDto;
};
export type RecentImportDto = {
  /** Why the import failed; null unless it failed */
  message: string | null;
  /** When the import ended; null while it runs */
  endedAt: string | null;
  /** The import's id */
  id: string;
  /** Id of the list that the import adds to */
  listId: string;
  /** Name of that list */
  listName: string;
  /** State of the import */
  status: 'done' | 'failed' | 'queued' | 'running';
  /** Number of lines in the file; while it is read, an estimate from its size */
  total: number;
  /** Number of contacts added */
  added: number;
  /** Number of lines that were not imported */
  skipped: number;
};
export type RunningTasksDto = {
  /** Sends, newest first. */
  sends: RunningSendDto[];
  /** Imports, newest first. */
  imports: RecentImportDto[];
  /** Bulk changes of contacts, newest first. */
  bulk: BulkJobDto[];
};
export type ScheduledListDto = {
  /** Id of the list. */
  id: string;
  /** Name of the list. */
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
  /** On the account's do-not-send list. This number and the following ones are present only if the choice is more than
    plain lists. If it includes the shared network, all numbers are rounded down to tens, and 1 to 9 become 1 */
  doNotSend?: number;
  /** On an excluded list. */
  excludedList?: number;
  /** In an excluded segment. */
  excludedSegment?: number;
  /** Excluded from this send by address or domain. */
  excludedHere?: number;
  /** At a company at which enough other people get the send. */
  companyCap?: number;
};
export type EstimateDto = {
  /** true if the number is an estimate, because an exact count would have taken too long. */
  isAbout?: boolean;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** Numbers of left-out contacts, by reason. */
  excluded: ExcludedDto;
};
export type ScheduledSummaryDto = {
  /** leaving: due and about to be accepted. blocked: needs attention, see reason. */
  state: 'blocked' | 'cancelled' | 'leaving' | 'scheduled' | 'sent';
  /** Why the email is blocked: missed, no_lists, suspended, or the error code of send-email. In state leaving: why the
    email waits. */
  reason: string | null;
  /** The reason as a text for the user. */
  reasonText: string | null;
  /** Type of the email. */
  emailType: 'candidate-list' | 'job-post';
  /** Increases with every change. A change must name the version it is based on. */
  version: number;
  /** Id of the send that the email became; null: it has not left yet. */
  historyId: string | null;
  /** Id of the scheduled email. */
  id: string;
  /** Subject line. */
  subject: string;
  /** The chosen lists that still exist. */
  lists: ScheduledListDto[];
  /** Local time at which the email leaves. */
  at: string;
  /** IANA time zone of the local time. */
  timeZone: string;
  /** true: the second occurrence of a local time that occurs twice because clocks go back. */
  later: boolean;
  /** When the email leaves, in UTC. */
  dueAt: string;
  /** Estimated recipients of the email. */
  estimate: EstimateDto;
  /** When the email leaves, as a sentence for the user. */
  message: string;
};
export type SendEmailDto = {
  /** Cap on the number of people at one company; absent or null means no cap */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text; instead of `content`. */
  document?: DocumentDto;
  /** The job that the message offers. Stored with the send; does not change the message. */
  job?: JobDto;
  /** Whether the message shows the sender's logo and colour. Default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line. Default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, each as a link or attached; at most 10. */
  files?: ChosenFileDto[];
  /** The message as plain text; required if there is no document. */
  content?: string;
  /** Version of the draft that the sender has seen. If another version was saved since, nothing is sent: 412
    `draft_changed`. */
  draftVersion?: number;
  /** Subject, one line of at most 255 characters. */
  subject: string;
  /** Id of the draft to send. A draft is sent only once: sending it again returns the first send. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of the chosen lists, at most 1000. Required unless segments are chosen. */
  emailListIds: string[];
  /** Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists */
  segmentIds?: string[];
  /** Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only, at most 500 */
  excludeAddresses?: string[];
};
export type ScheduledSendDto = {
  /** leaving: due and about to be accepted. blocked: needs attention, see reason. */
  state: 'blocked' | 'cancelled' | 'leaving' | 'scheduled' | 'sent';
  /** Why the email is blocked: missed, no_lists, suspended, or the error code of send-email. In state leaving: why the
    email waits. */
  reason: string | null;
  /** The reason as a text for the user. */
  reasonText: string | null;
  /** Type of the email. */
  emailType: 'candidate-list' | 'job-post';
  /** Increases with every change. A change must name the version it is based on. */
  version: number;
  /** Id of the send that the email became; null: it has not left yet. */
  historyId: string | null;
  /** The email, as the body of `POST /api/send-email`. */
  send: SendEmailDto;
  /** Id of the scheduled email. */
  id: string;
  /** Subject line. */
  subject: string;
  /** The chosen lists that still exist. */
  lists: ScheduledListDto[];
  /** Local time at which the email leaves. */
  at: string;
  /** IANA time zone of the local time. */
  timeZone: string;
  /** true: the second occurrence of a local time that occurs twice because clocks go back. */
  later: boolean;
  /** When the email leaves, in UTC. */
  dueAt: string;
  /** Estimated recipients of the email. */
  estimate: EstimateDto;
  /** When the email leaves, as a sentence for the user. */
  message: string;
};
export type ScheduleSendDto = {
  /** The body of `POST /api/send-email`. Its draft becomes the scheduled email and cannot be sent again. */
  send: SendEmailDto;
  /** Local time at which the email leaves, to the minute; from one minute to 180 days ahead. A time that a clock change
    skips is refused: 400 `time_skipped`. */
  at: string;
  /** IANA time zone of the local time. */
  timeZone: string;
  /** true: the second occurrence of a local time that occurs twice because clocks go back. */
  later?: boolean;
};
export type ChangeScheduledDto = {
  /** The complete changed email, as the body of `POST /api/send-email`. */
  send?: SendEmailDto;
  /** Version that the change is based on. 409 `version_conflict` if a newer version was saved since. */
  version: number;
  /** Local time at which the email leaves. */
  at?: string;
  /** IANA time zone of the local time. */
  timeZone?: string;
  /** true: the second occurrence of a local time that occurs twice because clocks go back. */
  later?: boolean;
};
export type SendAcceptedDto = {
  /** Id of the send in the history. */
  id: string;
  /** `pending` for a new send. A repeated request gets the current status of the first send. */
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
  /** Labels of the filter's fields, and of their values as `field:value`, when the segment was saved */
  labels: {
    [key: string]: string;
  };
  /** Why the segment can no longer be evaluated; null if it can */
  broken: string | null;
  /** Number of people when they were last counted exactly; null if they were not counted yet */
  lastCount: number | null;
  /** When the people were last counted exactly; null if they were not counted yet */
  countedAt: string | null;
  /** When a send to the segment was last accepted; null if never */
  lastUsedAt: string | null;
  /** Id of the segment */
  id: string;
  /** Name of the segment */
  name: string;
  /** Increases with each change */
  version: number;
  /** When the segment was created */
  createdAt: string;
  /** When the segment was last changed */
  updatedAt: string;
};
export type CreateSegmentDto = {
  /** Group {combinator: and, or; not?; rules}, whose rules are {field, operator, value?} or groups: at most three levels, 50 rules, 32 KB. Fields and operators: GET /api/segments/terms */
  filter: {
    [key: string]: unknown;
  };
  /** Name of the segment */
  name: string;
};
export type SegmentSampleDto = {
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** Company */
  company: string | null;
  /** Id of the contact */
  id: string;
  /** Address of the contact */
  email: string;
};
export type SegmentCountDto = {
  /** Number of people that the filter finds */
  count: number;
  /** Number of these people who can be mailed: they confirmed on an own list, for the type that the user sends */
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
  /** Id of a saved segment, instead of a filter; an exact number is stored with the segment */
  segmentId?: string;
  /** true allows up to 5 seconds for an exact count */
  exact?: boolean;
};
export type TermOptionDto = {
  /** Value of the option in a filter */
  value: string;
  /** Label of the option */
  label: string;
};
export type TermOperatorDto = {
  /** Kind of the value: none; one text or several (texts); one number or two (numbers); one date (YYYY-MM-DD) or two
    (dates); a number of days or a count; some of `options`; `listed`: {values: some of `options`, state: one of
    `states`}; the id of a `reference` */
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
  /** Name of the comparison in filters */
  name: string;
  /** Label of the comparison; … stands for the number of days or times */
  label: string;
};
export type SegmentTermDto = {
  /** What a value is called in messages; null if values have no such name */
  noun: string | null;
  /** Name of the term in filters */
  field: string;
  /** Label of the term */
  label: string;
  /** Heading of the term in the filter builder */
  group: string;
  /** Options to choose from */
  options: TermOptionDto[];
  /** States of an option that a rule can ask for, such as confirmed on a list */
  states: TermOptionDto[];
  /** The comparisons that the term offers */
  operators: TermOperatorDto[];
};
export type UpdateSegmentDto = {
  /** Group {combinator: and, or; not?; rules}, whose rules are {field, operator, value?} or groups: at most three levels, 50 rules, 32 KB. Fields and operators: GET /api/segments/terms */
  filter?: {
    [key: string]: unknown;
  };
  /** Version on which the change is based. Answers 409 `segment_changed` if another version was saved since */
  version?: number;
  /** Name of the segment */
  name?: string;
};
export type ForecastReasonDto = {
  /** Code of the reason */
  code: string;
  /** Number of addresses */
  count: number;
  /** The reason as a text that follows the count, as in "150 at the network's daily cap" */
  text: string;
  /** The reason as a sentence */
  explanation: string;
};
export type ForecastDto = {
  /** Reasons why the other addresses do not get the message, in the order in which they are applied. */
  reasons: ForecastReasonDto[];
  /** Number of addresses that the choice names: those that the send reaches, plus those that each reason leaves out */
  total: number;
  /** Number of addresses that would get the message */
  reaches: number;
};
export type CheckPlaceDto = {
  /** Part of the composition in which the finding is. */
  part: 'content' | 'preheader' | 'subject';
  /** Index of the first character. In a document, its texts are counted in reading order. A merge tag counts as it is
    typed; a line break and the end of a paragraph count as one character each */
  from: number;
  /** Index after the last character */
  to: number;
};
export type CheckItemDto = {
  /** error: the server would refuse the send; warning and hint: the send is possible, but something may be wrong;
    passed: the check found nothing. */
  level: 'error' | 'hint' | 'passed' | 'warning';
  /** Position of the first words that the finding is about. */
  where?: CheckPlaceDto;
  /** Fix that a screen can offer. */
  fix?: 'addFallback' | 'show' | 'useHttps';
  /** Code of the check */
  code: string;
  /** What was found, in a sentence */
  text: string;
  /** Words in the message that the finding is about */
  words?: string[];
};
export type LinkCheckDto = {
  /** done: every host was looked up; checking: some are still being looked up, so call again later; unavailable: this
    installation looks up no hosts. */
  state: 'checking' | 'done' | 'unavailable';
  /** Number of hosts that are still being looked up */
  open: number;
};
export type SendCheckDto = {
  /** Whom the send would reach; null if they could not be counted in time. */
  forecast: ForecastDto | null;
  /** Results of the checks, errors first. */
  items: CheckItemDto[];
  /** Progress of looking up the hosts of the message's links. */
  links: LinkCheckDto;
  /** When the check was made */
  checkedAt: string;
};
export type CheckSendDto = {
  /** Cap on the number of people at one company; absent or null means no cap */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text; instead of `content`. */
  document?: DocumentDto;
  /** The job that the message offers. Stored with the send; does not change the message. */
  job?: JobDto;
  /** Whether the message shows the sender's logo and colour. Default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line. Default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, each as a link or attached; at most 10. */
  files?: ChosenFileDto[];
  /** Ids of the chosen lists, at most 1000. Without lists and segments, the check reports that they are missing. */
  emailListIds?: string[];
  /** Subject. The response contains it only if the message is given, too. */
  subject?: string;
  /** The message, as plain text. */
  content?: string;
  /** Id of the draft that is previewed; the draft does not change. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists */
  segmentIds?: string[];
  /** Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only, at most 500 */
  excludeAddresses?: string[];
};
export type LeftOutSampleDto = {
  /** The reason */
  reason: 'companyCap' | 'doNotSend' | 'excludedHere' | 'excludedList' | 'excludedSegment';
  /** The address */
  email: string;
  /** The reason in words */
  detail: string;
};
export type SendPreviewDto = {
  /** true if an exact count would have taken too long. The number is then an upper bound, and left-out contacts are not
    counted */
  isAbout?: boolean;
  /** The numbers of `excluded` with texts, in the order in which the reasons are applied; empty if they were not
    counted. */
  reasons: ForecastReasonDto[];
  /** Up to ten people per reason; only if the choice is more than plain lists. */
  leftOut?: LeftOutSampleDto[];
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** Number of contacts who are left out, by reason. */
  excluded: ExcludedDto;
  /** Maximum total size in bytes of the files attached to a message for this audience. */
  attachmentMaxBytes: number;
  /** HTML part of the message; only if the request has a content or a document. */
  html?: string;
  /** Text part of the message; only if the request has a content or a document. */
  text?: string;
  /** Size of the HTML part in bytes; only if the request has a content or a document. */
  htmlBytes?: number;
  /** The subject as it would be sent; only if the request has a content or a document. */
  subject?: string;
};
export type PreviewSendDto = {
  /** Cap on the number of people at one company; absent or null means no cap */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text; instead of `content`. */
  document?: DocumentDto;
  /** The job that the message offers. Stored with the send; does not change the message. */
  job?: JobDto;
  /** Whether the message shows the sender's logo and colour. Default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line. Default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, each as a link or attached; at most 10. */
  files?: ChosenFileDto[];
  /** Subject. The response contains it only if the message is given, too. */
  subject?: string;
  /** The message, as plain text. */
  content?: string;
  /** Id of the draft that is previewed; the draft does not change. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of the chosen lists, at most 1000. Required unless segments are chosen. */
  emailListIds: string[];
  /** Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists */
  segmentIds?: string[];
  /** Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only, at most 500 */
  excludeAddresses?: string[];
};
export type RenderRecipientDto = {
  /** Shows the recipient after this one; take `next` from the last response */
  after?: string;
  /** Shows the recipient before this one; take `previous` from the last response */
  before?: string;
  /** Shows only recipients whose address contains this text */
  search?: string;
  /** Shows only recipients who lack a value for at least one merge tag of the message */
  onlyEmpty?: boolean;
};
export type RenderSendDto = {
  /** Cap on the number of people at one company; absent or null means no cap */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text; instead of `content`. */
  document?: DocumentDto;
  /** The job that the message offers. Stored with the send; does not change the message. */
  job?: JobDto;
  /** Whether the message shows the sender's logo and colour. Default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line. Default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, each as a link or attached; at most 10. */
  files?: ChosenFileDto[];
  /** Subject. The response contains it only if the message is given, too. */
  subject?: string;
  /** The message, as plain text. */
  content?: string;
  /** Id of the draft that is previewed; the draft does not change. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of the chosen lists, at most 1000. Required unless segments are chosen. */
  emailListIds: string[];
  /** Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists */
  segmentIds?: string[];
  /** Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only, at most 500 */
  excludeAddresses?: string[];
  /** Highlights the filled values in the HTML part */
  marks?: boolean;
  /** Selects the recipient; absent: the first one. */
  recipient?: RenderRecipientDto;
};
export type TestSentDto = {
  /** Number of addresses to which a test mail is sent */
  sent: number;
  /** A sentence to show */
  message: string;
};
export type TestSendDto = {
  /** Cap on the number of people at one company; absent or null means no cap */
  perCompany?: PerCompanyDto | null;
  /** Type of the send, which decides which contacts receive it. */
  emailType: 'candidate-list' | 'job-post';
  /** The message as a rich text; instead of `content`. */
  document?: DocumentDto;
  /** The job that the message offers. Stored with the send; does not change the message. */
  job?: JobDto;
  /** Whether the message shows the sender's logo and colour. Default: true for a document, false for a content. */
  brand?: boolean;
  /** Whether the message has the sender's signature and closing line. Default: true for a document, false for a content. */
  signature?: boolean;
  /** Uploaded files that go with the message, each as a link or attached; at most 10. */
  files?: ChosenFileDto[];
  /** The message as plain text; required if there is no document. */
  content?: string;
  /** Version of the draft that the sender has seen. If another version was saved since, nothing is sent: 412
    `draft_changed`. */
  draftVersion?: number;
  /** Ids of the chosen lists. A test needs none; the footer names the first one. */
  emailListIds?: string[];
  /** The addresses: the caller's own one and confirmed testers */
  to: string[];
  /** Id of a contact whose details replace the merge tags; absent: made-up values */
  asContactId?: string;
  /** Subject, one line of at most 255 characters. */
  subject: string;
  /** Id of the draft to send. A draft is sent only once: sending it again returns the first send. */
  draftId?: string;
  /** Line that inboxes show after the subject, at most 150 characters. */
  preheader?: string;
  /** Ids of segments, at most 100. Reaches only those members who confirmed on one of the account's lists */
  segmentIds?: string[];
  /** Ids of the account's lists whose contacts are left out, at most 100, even if they are also on a chosen list */
  excludeListIds?: string[];
  /** Ids of segments whose members are left out; at most 100 */
  excludeSegmentIds?: string[];
  /** Addresses and domains that are left out of this email only, at most 500 */
  excludeAddresses?: string[];
};
export type TestMailDto = {
  /** The address; null if it is no longer a tester's. */
  address: string | null;
  /** Status of the test mail; `sent`: the mail server has accepted it. */
  status: 'failed' | 'queued' | 'sending' | 'sent';
  /** Why the mail failed or has to wait; null otherwise. */
  reason: string | null;
  /** Id of the test mail */
  id: string;
  /** When the request was accepted */
  createdAt: string;
};
export type SenderProfileDto = {
  /** Version of the profile, also in ETag; the next save sends it in If-Match. 0 if the profile was never saved. */
  version: number;
  /** Job title. */
  title: string | null;
  /** Telephone number. */
  phone: string | null;
  /** Web site. */
  website: string | null;
  /** A page about the user. */
  profileUrl: string | null;
  /** First line of the business address. */
  addressLine1: string | null;
  /** Second line of the business address. */
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
  /** Id of the picture that is the logo. */
  logoFileId: string | null;
  /** Colour of links and buttons. */
  accent: ('blue' | 'brown' | 'gray' | 'green' | 'orange' | 'purple' | 'red' | 'teal') | null;
  /** The business address on one line, as the footer of each message shows it; null if there is none. */
  address: string | null;
  /** Whether messages begin with the logo. */
  showLogo: boolean;
  /** Whether a business address is required for sending. */
  addressRequired: boolean;
};
export type SaveSenderProfileDto = {
  /** Job title */
  title?: string | null;
  /** Telephone number, shown as entered */
  phone?: string | null;
  /** Web site of the agency, an https URL */
  website?: string | null;
  /** A page about the user, an https URL */
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
  /** Closing line below the signature, with the same restrictions as the signature. */
  footer?: DocumentDto | null;
  /** Id of the uploaded picture that is the logo. */
  logoFileId?: string | null;
  /** Colour of links and buttons; null means the default colour. */
  accent?: ('blue' | 'brown' | 'gray' | 'green' | 'orange' | 'purple' | 'red' | 'teal') | null;
  /** Whether messages begin with the logo or, without a logo, with the agency's name. */
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
  /** Whether the plan ends with the paid period */
  cancelAtPeriodEnd: boolean;
};
export type SubscriptionStatusDto = {
  /** The plan in force; null if there is none */
  subscription: PlanInForceDto | null;
  /** Whether the account has a plan in force */
  hasSubscription: boolean;
  /** Number of months of Pro that referrals earned and that are not used yet, as a numeric string */
  referralCreditsMonths: string;
};
export type CancelSubscriptionDto = {
  /** true: immediately; false: at the end of the paid period */
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
  /** A honeypot: the page hides this field, so people leave it empty. A submission with a value gets the same answer,
    but is dropped */
  homepage?: string | null;
  /** No longer read; forms that were opened before an update still send it */
  filledInMs?: number | null;
};
export type ConfirmedDto = {
  /** Text for the person */
  message: string;
  /** The confirmed address */
  email: string;
  /** Name of the list that the address is on */
  listName: string;
};
export type TesterDto = {
  /** waiting: the address is not confirmed yet, so no test is sent to it. */
  state: 'confirmed' | 'waiting';
  /** Id of the tester */
  id: string;
  /** Address of the tester */
  address: string;
  /** When the tester was added */
  createdAt: string;
};
export type AddTesterDto = {
  /** Address of the tester, which gets one confirmation mail */
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
  /** The sender's agency; null if none is given, or the agency is the sender's name. */
  agencyName: string | null;
  /** The sender's id; `network` for the shared network */
  id: string;
  /** The sender's name */
  name: string;
  /** The sender's lists that hold the address */
  lists: string[];
  /** Whether the address has unsubscribed from this sender */
  left: boolean;
};
export type SenderChoicesDto = {
  /** The address */
  email: string;
  /** Whether the address is unsubscribed in at least one scope of the link, or from all senders */
  left: boolean;
  /** The senders, the one with the newest list first. */
  senders: SenderDto[];
};
export type UndoDto = {
  /** The sender from whom the address had unsubscribed */
  sender?: string | null;
};
export type UsageTodayDto = {
  /** Number of sends today, as a numeric string. */
  emailsSent: string;
};
export type ReportReceivedDto = {
  /** counted: its effect is stored; known: a repeated report; ignored: it has no effect; unknown: not about our mail. */
  result: 'counted' | 'ignored' | 'known' | 'unknown';
};
