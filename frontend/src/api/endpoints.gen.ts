import { baseApi as api } from "./base-api";
export const addTagTypes = [
  "admin",
  "auth",
  "billing",
  "diagnostics",
  "History",
  "lists",
  "contacts",
  "Events",
  "health",
  "consent",
  "referrals",
  "Sending",
  "Webhooks",
] as const;
const injectedRtkApi = api
  .enhanceEndpoints({
    addTagTypes,
  })
  .injectEndpoints({
    endpoints: (build) => ({
      listAllAuditEvents: build.query<
        ListAllAuditEventsApiResponse,
        ListAllAuditEventsApiArg
      >({
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
        providesTags: ["admin"],
      }),
      listAttestedImports: build.query<
        ListAttestedImportsApiResponse,
        ListAttestedImportsApiArg
      >({
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
        providesTags: ["admin"],
      }),
      confirmImport: build.mutation<
        ConfirmImportApiResponse,
        ConfirmImportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/admin/imports/${encodeURIComponent(String(queryArg.jobId))}/confirm`,
          method: "POST",
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ["admin"],
      }),
      declineImport: build.mutation<
        DeclineImportApiResponse,
        DeclineImportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/admin/imports/${encodeURIComponent(String(queryArg.jobId))}/decline`,
          method: "POST",
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ["admin"],
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
        providesTags: ["admin"],
      }),
      getOverview: build.query<GetOverviewApiResponse, GetOverviewApiArg>({
        query: () => ({ url: `/api/admin/overview` }),
        providesTags: ["admin"],
      }),
      listPendingUsers: build.query<
        ListPendingUsersApiResponse,
        ListPendingUsersApiArg
      >({
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
        providesTags: ["admin"],
      }),
      listProviderRates: build.query<
        ListProviderRatesApiResponse,
        ListProviderRatesApiArg
      >({
        query: () => ({ url: `/api/admin/provider-rates` }),
        providesTags: ["admin"],
      }),
      listProviderSecrets: build.query<
        ListProviderSecretsApiResponse,
        ListProviderSecretsApiArg
      >({
        query: () => ({ url: `/api/admin/provider-secrets` }),
        providesTags: ["admin"],
      }),
      listProviders: build.query<ListProvidersApiResponse, ListProvidersApiArg>(
        {
          query: () => ({ url: `/api/admin/providers` }),
          providesTags: ["admin"],
        },
      ),
      addProvider: build.mutation<AddProviderApiResponse, AddProviderApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/providers`,
          method: "POST",
          body: queryArg.addProviderDto,
        }),
        invalidatesTags: ["admin"],
      }),
      changeProvider: build.mutation<
        ChangeProviderApiResponse,
        ChangeProviderApiArg
      >({
        query: (queryArg) => ({
          url: `/api/admin/providers/${encodeURIComponent(String(queryArg.id))}`,
          method: "PATCH",
          body: queryArg.changeProviderDto,
        }),
        invalidatesTags: ["admin"],
      }),
      removeProvider: build.mutation<
        RemoveProviderApiResponse,
        RemoveProviderApiArg
      >({
        query: (queryArg) => ({
          url: `/api/admin/providers/${encodeURIComponent(String(queryArg.id))}`,
          method: "DELETE",
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ["admin"],
      }),
      testProvider: build.mutation<TestProviderApiResponse, TestProviderApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/admin/providers/${encodeURIComponent(String(queryArg.id))}/test`,
            method: "POST",
            body: queryArg.testProviderDto,
          }),
          invalidatesTags: ["admin"],
        },
      ),
      listMailSenders: build.query<
        ListMailSendersApiResponse,
        ListMailSendersApiArg
      >({
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
        providesTags: ["admin"],
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
        providesTags: ["admin"],
      }),
      listSubscriptions: build.query<
        ListSubscriptionsApiResponse,
        ListSubscriptionsApiArg
      >({
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
        providesTags: ["admin"],
      }),
      confirmContact: build.mutation<
        ConfirmContactApiResponse,
        ConfirmContactApiArg
      >({
        query: (queryArg) => ({
          url: `/api/admin/subscriptions/${encodeURIComponent(String(queryArg.id))}/confirm`,
          method: "PATCH",
          body: queryArg.confirmContactDto,
        }),
        invalidatesTags: ["admin"],
      }),
      listSuppressions: build.query<
        ListSuppressionsApiResponse,
        ListSuppressionsApiArg
      >({
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
        providesTags: ["admin"],
      }),
      addSuppression: build.mutation<
        AddSuppressionApiResponse,
        AddSuppressionApiArg
      >({
        query: (queryArg) => ({
          url: `/api/admin/suppressions`,
          method: "POST",
          body: queryArg.addSuppressionDto,
        }),
        invalidatesTags: ["admin"],
      }),
      liftSuppression: build.mutation<
        LiftSuppressionApiResponse,
        LiftSuppressionApiArg
      >({
        query: (queryArg) => ({
          url: `/api/admin/suppressions/${encodeURIComponent(String(queryArg.id))}`,
          method: "DELETE",
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ["admin"],
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
        providesTags: ["admin"],
      }),
      getUser: build.query<GetUserApiResponse, GetUserApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/users/${encodeURIComponent(String(queryArg.userId))}`,
        }),
        providesTags: ["admin"],
      }),
      changeUser: build.mutation<ChangeUserApiResponse, ChangeUserApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/users/${encodeURIComponent(String(queryArg.userId))}`,
          method: "PATCH",
          body: queryArg.changeUserDto,
        }),
        invalidatesTags: ["admin"],
      }),
      verifyUser: build.mutation<VerifyUserApiResponse, VerifyUserApiArg>({
        query: (queryArg) => ({
          url: `/api/admin/verify-user/${encodeURIComponent(String(queryArg.userId))}`,
          method: "POST",
          body: queryArg.reasonDto,
        }),
        invalidatesTags: ["admin"],
      }),
      listAuditEvents: build.query<
        ListAuditEventsApiResponse,
        ListAuditEventsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth/audit`,
          params: {
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ["auth"],
      }),
      changePassword: build.mutation<
        ChangePasswordApiResponse,
        ChangePasswordApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth/change-password`,
          method: "POST",
          body: queryArg.changePasswordDto,
        }),
        invalidatesTags: ["auth"],
      }),
      deleteAccount: build.mutation<
        DeleteAccountApiResponse,
        DeleteAccountApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth/delete-account`,
          method: "POST",
          body: queryArg.deleteAccountDto,
        }),
        invalidatesTags: ["auth"],
      }),
      disownAccount: build.mutation<
        DisownAccountApiResponse,
        DisownAccountApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth/disown`,
          method: "POST",
          body: queryArg.tokenDto,
        }),
        invalidatesTags: ["auth"],
      }),
      exportAccount: build.query<ExportAccountApiResponse, ExportAccountApiArg>(
        {
          query: () => ({ url: `/api/auth/export` }),
          providesTags: ["auth"],
        },
      ),
      forgotPassword: build.mutation<
        ForgotPasswordApiResponse,
        ForgotPasswordApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth/forgot-password`,
          method: "POST",
          body: queryArg.forgotPasswordDto,
        }),
        invalidatesTags: ["auth"],
      }),
      login: build.mutation<LoginApiResponse, LoginApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/login`,
          method: "POST",
          body: queryArg.loginDto,
        }),
        invalidatesTags: ["auth"],
      }),
      logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
        query: () => ({ url: `/api/auth/logout`, method: "POST" }),
        invalidatesTags: ["auth"],
      }),
      getMe: build.query<GetMeApiResponse, GetMeApiArg>({
        query: () => ({ url: `/api/auth/me` }),
        providesTags: ["auth"],
      }),
      register: build.mutation<RegisterApiResponse, RegisterApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/register`,
          method: "POST",
          body: queryArg.registerDto,
        }),
        invalidatesTags: ["auth"],
      }),
      resendVerification: build.mutation<
        ResendVerificationApiResponse,
        ResendVerificationApiArg
      >({
        query: () => ({ url: `/api/auth/resend-verification`, method: "POST" }),
        invalidatesTags: ["auth"],
      }),
      resetPassword: build.mutation<
        ResetPasswordApiResponse,
        ResetPasswordApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth/reset-password`,
          method: "POST",
          body: queryArg.resetPasswordDto,
        }),
        invalidatesTags: ["auth"],
      }),
      listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
        query: () => ({ url: `/api/auth/sessions` }),
        providesTags: ["auth"],
      }),
      endOtherSessions: build.mutation<
        EndOtherSessionsApiResponse,
        EndOtherSessionsApiArg
      >({
        query: () => ({ url: `/api/auth/sessions`, method: "DELETE" }),
        invalidatesTags: ["auth"],
      }),
      endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/sessions/${encodeURIComponent(String(queryArg.id))}`,
          method: "DELETE",
        }),
        invalidatesTags: ["auth"],
      }),
      createToken: build.mutation<CreateTokenApiResponse, CreateTokenApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/token`,
          method: "POST",
          body: queryArg.loginDto,
        }),
        invalidatesTags: ["auth"],
      }),
      getCurrentUser: build.query<
        GetCurrentUserApiResponse,
        GetCurrentUserApiArg
      >({
        query: () => ({ url: `/api/auth/user` }),
        providesTags: ["auth"],
      }),
      setAvatar: build.mutation<SetAvatarApiResponse, SetAvatarApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/user/avatar`,
          method: "PUT",
          body: queryArg.body,
        }),
        invalidatesTags: ["auth"],
      }),
      removeAvatar: build.mutation<RemoveAvatarApiResponse, RemoveAvatarApiArg>(
        {
          query: () => ({ url: `/api/auth/user/avatar`, method: "DELETE" }),
          invalidatesTags: ["auth"],
        },
      ),
      changeName: build.mutation<ChangeNameApiResponse, ChangeNameApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/user/name`,
          method: "PATCH",
          body: queryArg.changeNameDto,
        }),
        invalidatesTags: ["auth"],
      }),
      changeRole: build.mutation<ChangeRoleApiResponse, ChangeRoleApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/user/role`,
          method: "PATCH",
          body: queryArg.changeRoleDto,
        }),
        invalidatesTags: ["auth"],
      }),
      changeSettings: build.mutation<
        ChangeSettingsApiResponse,
        ChangeSettingsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/auth/user/settings`,
          method: "PATCH",
          body: queryArg.changeSettingsDto,
        }),
        invalidatesTags: ["auth"],
      }),
      verifyEmail: build.mutation<VerifyEmailApiResponse, VerifyEmailApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/verify-email`,
          method: "POST",
          body: queryArg.tokenDto,
        }),
        invalidatesTags: ["auth"],
      }),
      getAvatar: build.query<GetAvatarApiResponse, GetAvatarApiArg>({
        query: (queryArg) => ({
          url: `/api/avatars/${encodeURIComponent(String(queryArg.id))}`,
        }),
        providesTags: ["auth"],
      }),
      listPlans: build.query<ListPlansApiResponse, ListPlansApiArg>({
        query: () => ({ url: `/api/billing/plans` }),
        providesTags: ["billing"],
      }),
      reportClientError: build.mutation<
        ReportClientErrorApiResponse,
        ReportClientErrorApiArg
      >({
        query: (queryArg) => ({
          url: `/api/client-errors`,
          method: "POST",
          body: queryArg.clientErrorDto,
        }),
        invalidatesTags: ["diagnostics"],
      }),
      getDashboardOutcomes: build.query<
        GetDashboardOutcomesApiResponse,
        GetDashboardOutcomesApiArg
      >({
        query: () => ({ url: `/api/dashboard/outcomes` }),
        providesTags: ["History"],
      }),
      getDashboardStats: build.query<
        GetDashboardStatsApiResponse,
        GetDashboardStatsApiArg
      >({
        query: () => ({ url: `/api/dashboard/stats` }),
        providesTags: ["History"],
      }),
      getDashboardTrends: build.query<
        GetDashboardTrendsApiResponse,
        GetDashboardTrendsApiArg
      >({
        query: () => ({ url: `/api/dashboard/trends` }),
        providesTags: ["History"],
      }),
      listHistory: build.query<ListHistoryApiResponse, ListHistoryApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history`,
          params: {
            type: queryArg["type"],
            status: queryArg.status,
            outcome: queryArg.outcome,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ["History"],
      }),
      getHistoryEntry: build.query<
        GetHistoryEntryApiResponse,
        GetHistoryEntryApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}`,
        }),
        providesTags: ["History"],
      }),
      cancelSend: build.mutation<CancelSendApiResponse, CancelSendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/cancel`,
          method: "POST",
        }),
        invalidatesTags: ["History"],
      }),
      listDeliveries: build.query<
        ListDeliveriesApiResponse,
        ListDeliveriesApiArg
      >({
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
        providesTags: ["History"],
      }),
      exportDeliveries: build.query<
        ExportDeliveriesApiResponse,
        ExportDeliveriesApiArg
      >({
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
        providesTags: ["History"],
      }),
      pauseSend: build.mutation<PauseSendApiResponse, PauseSendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/pause`,
          method: "POST",
        }),
        invalidatesTags: ["History"],
      }),
      streamProgress: build.query<
        StreamProgressApiResponse,
        StreamProgressApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/progress`,
        }),
        providesTags: ["History"],
      }),
      resumeSend: build.mutation<ResumeSendApiResponse, ResumeSendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/resume`,
          method: "POST",
        }),
        invalidatesTags: ["History"],
      }),
      retrySend: build.mutation<RetrySendApiResponse, RetrySendApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/retry`,
          method: "POST",
        }),
        invalidatesTags: ["History"],
      }),
      listEmailLists: build.query<
        ListEmailListsApiResponse,
        ListEmailListsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists`,
          params: {
            sendable: queryArg.sendable,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ["lists"],
      }),
      createEmailList: build.mutation<
        CreateEmailListApiResponse,
        CreateEmailListApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists`,
          method: "POST",
          body: queryArg.createEmailListDto,
        }),
        invalidatesTags: ["lists"],
      }),
      getPublicList: build.query<GetPublicListApiResponse, GetPublicListApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/email-lists/slug/${encodeURIComponent(String(queryArg.slug))}`,
          }),
          providesTags: ["lists"],
        },
      ),
      getEmailList: build.query<GetEmailListApiResponse, GetEmailListApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}`,
        }),
        providesTags: ["lists"],
      }),
      updateEmailList: build.mutation<
        UpdateEmailListApiResponse,
        UpdateEmailListApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}`,
          method: "PATCH",
          body: queryArg.updateEmailListDto,
        }),
        invalidatesTags: ["lists"],
      }),
      deleteEmailList: build.mutation<
        DeleteEmailListApiResponse,
        DeleteEmailListApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}`,
          method: "DELETE",
        }),
        invalidatesTags: ["lists"],
      }),
      listContacts: build.query<ListContactsApiResponse, ListContactsApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers`,
          params: {
            status: queryArg.status,
            search: queryArg.search,
            sort: queryArg.sort,
            limit: queryArg.limit,
            cursor: queryArg.cursor,
          },
        }),
        providesTags: ["contacts"],
      }),
      addContact: build.mutation<AddContactApiResponse, AddContactApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers`,
          method: "POST",
          body: queryArg.addContactDto,
        }),
        invalidatesTags: ["contacts"],
      }),
      exportContacts: build.query<
        ExportContactsApiResponse,
        ExportContactsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/export`,
        }),
        providesTags: ["contacts"],
      }),
      importContacts: build.mutation<
        ImportContactsApiResponse,
        ImportContactsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/import`,
          method: "POST",
          body: queryArg.importContactsDto,
          headers: {
            "X-Import-Attestation": queryArg["X-Import-Attestation"],
          },
        }),
        invalidatesTags: ["contacts"],
      }),
      getImport: build.query<GetImportApiResponse, GetImportApiArg>({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/import/${encodeURIComponent(String(queryArg.jobId))}`,
        }),
        providesTags: ["contacts"],
      }),
      downloadRejectedRows: build.query<
        DownloadRejectedRowsApiResponse,
        DownloadRejectedRowsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/import/${encodeURIComponent(String(queryArg.jobId))}/rejected.csv`,
        }),
        providesTags: ["contacts"],
      }),
      updateContact: build.mutation<
        UpdateContactApiResponse,
        UpdateContactApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/${encodeURIComponent(String(queryArg.contactId))}`,
          method: "PATCH",
          body: queryArg.updateContactDto,
        }),
        invalidatesTags: ["contacts"],
      }),
      deleteContact: build.mutation<
        DeleteContactApiResponse,
        DeleteContactApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/${encodeURIComponent(String(queryArg.contactId))}`,
          method: "DELETE",
        }),
        invalidatesTags: ["contacts"],
      }),
      resendConfirmation: build.mutation<
        ResendConfirmationApiResponse,
        ResendConfirmationApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/${encodeURIComponent(String(queryArg.contactId))}/resend-confirmation`,
          method: "POST",
        }),
        invalidatesTags: ["contacts"],
      }),
      streamEvents: build.query<StreamEventsApiResponse, StreamEventsApiArg>({
        query: (queryArg) => ({
          url: `/api/events`,
          params: {
            age: queryArg.age,
          },
        }),
        providesTags: ["Events"],
      }),
      getLive: build.query<GetLiveApiResponse, GetLiveApiArg>({
        query: () => ({ url: `/api/health/live` }),
        providesTags: ["health"],
      }),
      getReady: build.query<GetReadyApiResponse, GetReadyApiArg>({
        query: () => ({ url: `/api/health/ready` }),
        providesTags: ["health"],
      }),
      neverAsk: build.mutation<NeverAskApiResponse, NeverAskApiArg>({
        query: (queryArg) => ({
          url: `/api/never-ask/${encodeURIComponent(String(queryArg.token))}`,
          method: "POST",
        }),
        invalidatesTags: ["consent"],
      }),
      getReferrals: build.query<GetReferralsApiResponse, GetReferralsApiArg>({
        query: () => ({ url: `/api/referrals` }),
        providesTags: ["referrals"],
      }),
      getReferralCode: build.query<
        GetReferralCodeApiResponse,
        GetReferralCodeApiArg
      >({
        query: () => ({ url: `/api/referrals/code` }),
        providesTags: ["referrals"],
      }),
      sendInvite: build.mutation<SendInviteApiResponse, SendInviteApiArg>({
        query: (queryArg) => ({
          url: `/api/referrals/invite`,
          method: "POST",
          body: queryArg.inviteDto,
        }),
        invalidatesTags: ["referrals"],
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
        providesTags: ["referrals"],
      }),
      optOutOfInvites: build.mutation<
        OptOutOfInvitesApiResponse,
        OptOutOfInvitesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/referrals/opt-out`,
          method: "POST",
          body: queryArg.optOutDto,
        }),
        invalidatesTags: ["referrals"],
      }),
      noteVisit: build.mutation<NoteVisitApiResponse, NoteVisitApiArg>({
        query: (queryArg) => ({
          url: `/api/referrals/visit`,
          method: "POST",
          body: queryArg.visitDto,
        }),
        invalidatesTags: ["referrals"],
      }),
      getRunningTasks: build.query<
        GetRunningTasksApiResponse,
        GetRunningTasksApiArg
      >({
        query: () => ({ url: `/api/running-tasks` }),
        providesTags: ["Events"],
      }),
      sendEmail: build.mutation<SendEmailApiResponse, SendEmailApiArg>({
        query: (queryArg) => ({
          url: `/api/send-email`,
          method: "POST",
          body: queryArg.sendEmailDto,
          headers: {
            "Idempotency-Key": queryArg["Idempotency-Key"],
          },
        }),
        invalidatesTags: ["Sending"],
      }),
      previewSend: build.query<PreviewSendApiResponse, PreviewSendApiArg>({
        query: (queryArg) => ({
          url: `/api/send-email/preview`,
          method: "POST",
          body: queryArg.previewSendDto,
        }),
        providesTags: ["Sending"],
      }),
      cancelSubscription: build.mutation<
        CancelSubscriptionApiResponse,
        CancelSubscriptionApiArg
      >({
        query: (queryArg) => ({
          url: `/api/stripe/cancel-subscription`,
          method: "POST",
          body: queryArg.cancelSubscriptionDto,
        }),
        invalidatesTags: ["billing"],
      }),
      stripeConfig: build.query<StripeConfigApiResponse, StripeConfigApiArg>({
        query: () => ({ url: `/api/stripe/config` }),
        providesTags: ["billing"],
      }),
      createPortalSession: build.mutation<
        CreatePortalSessionApiResponse,
        CreatePortalSessionApiArg
      >({
        query: () => ({
          url: `/api/stripe/create-portal-session`,
          method: "POST",
        }),
        invalidatesTags: ["billing"],
      }),
      createSubscription: build.mutation<
        CreateSubscriptionApiResponse,
        CreateSubscriptionApiArg
      >({
        query: (queryArg) => ({
          url: `/api/stripe/create-subscription`,
          method: "POST",
          body: queryArg.createSubscriptionDto,
        }),
        invalidatesTags: ["billing"],
      }),
      reactivateSubscription: build.mutation<
        ReactivateSubscriptionApiResponse,
        ReactivateSubscriptionApiArg
      >({
        query: () => ({
          url: `/api/stripe/reactivate-subscription`,
          method: "POST",
        }),
        invalidatesTags: ["billing"],
      }),
      subscriptionStatus: build.query<
        SubscriptionStatusApiResponse,
        SubscriptionStatusApiArg
      >({
        query: () => ({ url: `/api/stripe/subscription-status` }),
        providesTags: ["billing"],
      }),
      receiveStripeEvent: build.mutation<
        ReceiveStripeEventApiResponse,
        ReceiveStripeEventApiArg
      >({
        query: (queryArg) => ({
          url: `/api/stripe/webhook`,
          method: "POST",
          headers: {
            "stripe-signature": queryArg["stripe-signature"],
          },
        }),
        invalidatesTags: ["billing"],
      }),
      subscribe: build.mutation<SubscribeApiResponse, SubscribeApiArg>({
        query: (queryArg) => ({
          url: `/api/subscribe`,
          method: "POST",
          body: queryArg.subscribeDto,
        }),
        invalidatesTags: ["consent"],
      }),
      confirmSubscription: build.query<
        ConfirmSubscriptionApiResponse,
        ConfirmSubscriptionApiArg
      >({
        query: (queryArg) => ({
          url: `/api/subscribe/confirm/${encodeURIComponent(String(queryArg.token))}`,
        }),
        providesTags: ["consent"],
      }),
      readUnsubscribe: build.query<
        ReadUnsubscribeApiResponse,
        ReadUnsubscribeApiArg
      >({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}`,
        }),
        providesTags: ["consent"],
      }),
      unsubscribe: build.mutation<UnsubscribeApiResponse, UnsubscribeApiArg>({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}`,
          method: "POST",
        }),
        invalidatesTags: ["consent"],
      }),
      unsubscribeEverything: build.mutation<
        UnsubscribeEverythingApiResponse,
        UnsubscribeEverythingApiArg
      >({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/all`,
          method: "POST",
        }),
        invalidatesTags: ["consent"],
      }),
      leaveSender: build.mutation<LeaveSenderApiResponse, LeaveSenderApiArg>({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/leave`,
          method: "POST",
          body: queryArg.leaveSenderDto,
        }),
        invalidatesTags: ["consent"],
      }),
      listSenders: build.query<ListSendersApiResponse, ListSendersApiArg>({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/senders`,
        }),
        providesTags: ["consent"],
      }),
      undoUnsubscribe: build.mutation<
        UndoUnsubscribeApiResponse,
        UndoUnsubscribeApiArg
      >({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/undo`,
          method: "POST",
          body: queryArg.undoDto,
        }),
        invalidatesTags: ["consent"],
      }),
      getUsageToday: build.query<GetUsageTodayApiResponse, GetUsageTodayApiArg>(
        {
          query: () => ({ url: `/api/usage/today` }),
          providesTags: ["History"],
        },
      ),
      receiveMailReport: build.mutation<
        ReceiveMailReportApiResponse,
        ReceiveMailReportApiArg
      >({
        query: (queryArg) => ({
          url: `/api/webhooks/mail`,
          method: "POST",
          body: queryArg.body,
          headers: {
            "X-Signature": queryArg["X-Signature"],
          },
        }),
        invalidatesTags: ["Webhooks"],
      }),
      neverAskOneClick: build.mutation<
        NeverAskOneClickApiResponse,
        NeverAskOneClickApiArg
      >({
        query: (queryArg) => ({
          url: `/never-ask/${encodeURIComponent(String(queryArg.token))}`,
          method: "POST",
        }),
        invalidatesTags: ["consent"],
      }),
      unsubscribeOneClick: build.mutation<
        UnsubscribeOneClickApiResponse,
        UnsubscribeOneClickApiArg
      >({
        query: (queryArg) => ({
          url: `/unsubscribe/${encodeURIComponent(String(queryArg.token))}`,
          method: "POST",
        }),
        invalidatesTags: ["consent"],
      }),
    }),
    overrideExisting: false,
  });
export { injectedRtkApi as generatedApi };
export type ListAllAuditEventsApiResponse = /** status 200  */ AdminAuditDto[];
export type ListAllAuditEventsApiArg = {
  /** Only acts of this kind */
  kind?:
    | "account.deleted"
    | "account.registered"
    | "account.reinstated"
    | "account.suspended"
    | "account.verified"
    | "admin.granted"
    | "admin.revoked"
    | "contact.confirmed"
    | "contact.unconfirmed"
    | "data.exported"
    | "import.confirmed"
    | "import.declined"
    | "limit.changed"
    | "network.changed"
    | "network.contact_added"
    | "network.contact_changed"
    | "network.contact_removed"
    | "network.imported"
    | "password.changed"
    | "password.reset"
    | "password.reset_requested"
    | "picture.changed"
    | "picture.removed"
    | "profile.changed"
    | "provider.added"
    | "provider.changed"
    | "provider.removed"
    | "provider.tested"
    | "queue.changed"
    | "role.changed"
    | "session.ended"
    | "session.ended_others"
    | "session.opened"
    | "session.refused"
    | "session.reused"
    | "session.signed_out"
    | "suppression.added"
    | "suppression.lifted";
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
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
};
export type ListAttestedImportsApiResponse =
  /** status 200  */ AdminImportDto[];
export type ListAttestedImportsApiArg = {
  /** Only those that stand so */
  state?: "confirmed" | "declined" | "waiting";
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
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
export type FindListsApiResponse = /** status 200  */ OverseenListDto[];
export type FindListsApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
};
export type GetOverviewApiResponse = /** status 200  */ AdminOverviewDto;
export type GetOverviewApiArg = void;
export type ListPendingUsersApiResponse = /** status 200  */ PendingUserDto[];
export type ListPendingUsersApiArg = {
  /** Only people in this role */
  role?: "bench-sales" | "recruiter";
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
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
};
export type ListProviderRatesApiResponse =
  /** status 200  */ ProviderBacklogDto[];
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
  only?: "flagged";
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
};
export type ListSendsApiResponse = /** status 200  */ OverseenSendDto[];
export type ListSendsApiArg = {
  /** Only those with this status */
  status?: "failed" | "pending" | "sent";
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
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
};
export type ListSubscriptionsApiResponse =
  /** status 200  */ OverseenContactDto[];
export type ListSubscriptionsApiArg = {
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
  /** Only contacts of this list */
  emailListId?: string;
  /** Only confirmed ones, or only pending ones */
  confirmed?: boolean;
  /** Those who have left; they stand in no list's table */
  status?: "unsubscribed";
};
export type ConfirmContactApiResponse = /** status 200  */ OverseenContactDto;
export type ConfirmContactApiArg = {
  id: string;
  confirmContactDto: ConfirmContactDto;
};
export type ListSuppressionsApiResponse = /** status 200  */ SuppressionDto[];
export type ListSuppressionsApiArg = {
  /** Only those for this cause */
  cause?: "bounced" | "complained" | "unsubscribed";
  /** Only those of this reach */
  scope?: "all" | "network" | "owner";
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
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
  role?: "bench-sales" | "recruiter";
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
  /** Where to go on, from the Link header of the page before */
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
  /** Where to go on, from the Link header of the page before */
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
export type GetDashboardOutcomesApiResponse =
  /** status 200  */ SendOutcomeDto[];
export type GetDashboardOutcomesApiArg = void;
export type GetDashboardStatsApiResponse = /** status 200  */ DashboardStatsDto;
export type GetDashboardStatsApiArg = void;
export type GetDashboardTrendsApiResponse = /** status 200  */ TrendDayDto[];
export type GetDashboardTrendsApiArg = void;
export type ListHistoryApiResponse = /** status 200  */ HistoryRowDto[];
export type ListHistoryApiArg = {
  /** Only sends of this type. */
  type?: "candidate-list" | "job-post";
  /** Only sends with this status. */
  status?: "failed" | "pending" | "sent";
  /** true adds to each send what became of its messages so far. */
  outcome?: "true";
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
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
  /** Only deliveries with this status; unsubscribed: those who left because of this message. */
  status?:
    | "bounced"
    | "complained"
    | "deferred"
    | "failed"
    | "queued"
    | "sending"
    | "sent"
    | "skipped"
    | "unconfirmed"
    | "unsubscribed";
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
};
export type ExportDeliveriesApiResponse = /** status 200  */ string;
export type ExportDeliveriesApiArg = {
  id: string;
  /** Only deliveries with this status; unsubscribed: those who left because of this message. */
  status?:
    | "bounced"
    | "complained"
    | "deferred"
    | "failed"
    | "queued"
    | "sending"
    | "sent"
    | "skipped"
    | "unconfirmed"
    | "unsubscribed";
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
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
  /** Adds the shared network, which everybody may send to */
  sendable?: boolean;
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
};
export type CreateEmailListApiResponse = /** status 201  */ EmailListDto;
export type CreateEmailListApiArg = {
  createEmailListDto: CreateEmailListDto;
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
export type ListContactsApiResponse = /** status 200  */ ContactDto[];
export type ListContactsApiArg = {
  id: string;
  /** Only contacts of this status; without it Pending and Confirmed ones */
  status?: "confirmed" | "pending" | "unsubscribed";
  /** Text that the rows contain */
  search?: string;
  /** Field to sort by, with a leading minus for descending, such as -createdAt */
  sort?: string;
  /** Rows of one page; absent: all of them */
  limit?: number;
  /** Where to go on, from the Link header of the page before */
  cursor?: string;
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
  "X-Import-Attestation"?: string;
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
export type StreamEventsApiResponse = /** status 200  */ ChangeEventDto;
export type StreamEventsApiArg = {
  /** Age of the oldest thing that is shown, in milliseconds: what changed since then is told at once. Absent: nothing is shown yet */
  age?: number;
};
export type GetLiveApiResponse = /** status 200  */ HealthDto;
export type GetLiveApiArg = void;
export type GetReadyApiResponse = /** status 200  */ HealthDto;
export type GetReadyApiArg = void;
export type NeverAskApiResponse = /** status 200  */ MessageDto;
export type NeverAskApiArg = {
  token: string;
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
  /** Where to go on, from the Link header of the page before */
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
export type GetRunningTasksApiResponse = /** status 200  */ RunningTasksDto;
export type GetRunningTasksApiArg = void;
export type SendEmailApiResponse = /** status 202  */ SendAcceptedDto;
export type SendEmailApiArg = {
  /** Any text of up to 255 characters that stands for this press of the button */
  "Idempotency-Key"?: string;
  sendEmailDto: SendEmailDto;
};
export type PreviewSendApiResponse = /** status 200  */ SendPreviewDto;
export type PreviewSendApiArg = {
  previewSendDto: PreviewSendDto;
};
export type CancelSubscriptionApiResponse =
  /** status 200  */ SubscriptionStatusDto;
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
export type ReactivateSubscriptionApiResponse =
  /** status 200  */ SubscriptionStatusDto;
export type ReactivateSubscriptionApiArg = void;
export type SubscriptionStatusApiResponse =
  /** status 200  */ SubscriptionStatusDto;
export type SubscriptionStatusApiArg = void;
export type ReceiveStripeEventApiResponse = /** status 200  */ ReceivedDto;
export type ReceiveStripeEventApiArg = {
  "stripe-signature": string;
};
export type SubscribeApiResponse = /** status 200  */ MessageDto;
export type SubscribeApiArg = {
  subscribeDto: SubscribeDto;
};
export type ConfirmSubscriptionApiResponse = /** status 200  */ ConfirmedDto;
export type ConfirmSubscriptionApiArg = {
  token: string;
};
export type ReadUnsubscribeApiResponse = /** status 200  */ UnsubscribedDto;
export type ReadUnsubscribeApiArg = {
  token: string;
};
export type UnsubscribeApiResponse = /** status 200  */ UnsubscribedDto;
export type UnsubscribeApiArg = {
  token: string;
};
export type UnsubscribeEverythingApiResponse =
  /** status 200  */ UnsubscribedDto;
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
  "X-Signature"?: string;
  /** The report, as a raw message */
  body: Blob;
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
  /** What was done */
  kind:
    | "account.deleted"
    | "account.registered"
    | "account.reinstated"
    | "account.suspended"
    | "account.verified"
    | "admin.granted"
    | "admin.revoked"
    | "contact.confirmed"
    | "contact.unconfirmed"
    | "data.exported"
    | "import.confirmed"
    | "import.declined"
    | "limit.changed"
    | "network.changed"
    | "network.contact_added"
    | "network.contact_changed"
    | "network.contact_removed"
    | "network.imported"
    | "password.changed"
    | "password.reset"
    | "password.reset_requested"
    | "picture.changed"
    | "picture.removed"
    | "profile.changed"
    | "provider.added"
    | "provider.changed"
    | "provider.removed"
    | "provider.tested"
    | "queue.changed"
    | "role.changed"
    | "session.ended"
    | "session.ended_others"
    | "session.opened"
    | "session.refused"
    | "session.reused"
    | "session.signed_out"
    | "suppression.added"
    | "suppression.lifted";
  /** Who did it, or 'deleted account'; null: nobody who was signed in, or the command line */
  actorEmail: string | null;
  /** To what, and why */
  reason: string | null;
  /** Where from */
  ipAddress: string | null;
  /** Its id */
  id: string;
  /** What was done, for people */
  description: string;
  /** The account it is about; of a deleted one a pseudonym, the same in all of its lines */
  userId: string;
  /** That account's address, or 'deleted account' */
  userEmail: string;
  /** When */
  at: string;
};
export type FieldFault = {
  /** Its name; nested ones with dots */
  field: string;
  /** What is wrong, for people */
  message: string;
};
export type ErrorBody = {
  /** The HTTP status */
  statusCode: number;
  /** Stable, for programs */
  code: string;
  /** For people */
  message: string;
  /** Equal to message */
  error: string;
  /** The fields at fault */
  details?: FieldFault[];
};
export type ImportOwnerDto = {
  /** Whom the person works for */
  agencyName: string | null;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** Full name */
  name: string;
  /** Since when the account is there */
  memberSince: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** Imports of this person that were confirmed */
  confirmedImports: number;
  /** Imports of this person that were declined */
  declinedImports: number;
};
export type SampleContactDto = {
  /** Name, where one was given */
  name: string | null;
  /** The address */
  email: string;
};
export type AdminImportDto = {
  /** Where it stands */
  state: "confirmed" | "declined" | "waiting";
  /** When it was decided */
  decidedAt: string | null;
  /** Who vouches */
  owner: ImportOwnerDto;
  /** The import */
  id: string;
  /** The list it went into */
  listId: string;
  /** That list's name */
  listName: string;
  /** Where and how these people agreed, in the owner's words */
  attestation: string;
  /** Contacts that it brought */
  total: number;
  /** The first few of them */
  sample: SampleContactDto[];
  /** Whether all of its file is read; before that nobody can decide */
  isComplete: boolean;
  /** When it came */
  createdAt: string;
};
export type ImportConfirmedDto = {
  /** Contacts that are confirmed by it */
  confirmed: number;
};
export type ReasonDto = {
  /** Why, for the record */
  reason?: string;
};
export type ImportDeclinedDto = {
  /** Contacts that get a confirmation mail now */
  declined: number;
};
export type OverseenListDto = {
  /** Whose it is; null: the default list */
  ownerEmail: string | null;
  /** Its id */
  id: string;
  /** Its name */
  name: string;
  /** Pending and confirmed contacts */
  contactCount: number;
  /** Whether it is the network that everybody may send to */
  isDefault: boolean;
};
export type SendsTodayDto = {
  /** Sends */
  sends: number;
  /** People who sent */
  senders: number;
  /** Recipients of those sends */
  recipients: number;
  /** Messages that mail servers took, or may have taken */
  sent: number;
  /** Messages that were refused for good */
  failed: number;
  /** Messages that were not sent any more when their turn came */
  skipped: number;
  /** Messages that came back */
  bounced: number;
  /** Messages that were reported as spam */
  complained: number;
};
export type AdminOverviewDto = {
  /** Accounts */
  users: number;
  /** Accounts that wait for verification */
  pendingUsers: number;
  /** Suspended accounts */
  suspendedUsers: number;
  /** Attested imports that wait for a decision */
  waitingImports: number;
  /** Accounts whose mail is complained about above a threshold */
  flaggedUsers: number;
  /** Today's sends over all users, by the caller's time zone */
  today: SendsTodayDto;
};
export type PendingPersonDto = {
  /** What the person does */
  role: "bench-sales" | "recruiter";
  /** The user's id */
  id: string;
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** The plan in force */
  tier: string;
  /** When the account was made */
  createdAt: string;
};
export type PendingCredentialDto = {
  /** The address that is not proved yet */
  email: string;
};
export type PendingUserDto = {
  /** Who */
  user: PendingPersonDto;
  /** How the person signs in */
  credential: PendingCredentialDto;
};
export type ProviderBacklogDto = {
  /** Messages a second that it may be given now; null: no limit. */
  perSecond: number | null;
  /** When all that waits is through at the present rate; null: nothing waits, or nothing limits it. */
  expectedEnd: string | null;
  /** Nothing goes to it before: it refused our mail as such; null: it is not paused. */
  pausedUntil: string | null;
  /** What it said when it last asked for less. */
  lastAnswer: string | null;
  /** Name of the mail account. */
  account: string;
  /** A large provider (google, microsoft, yahoo, apple), else the recipients' domain. */
  provider: string;
  /** Messages a second that it took in the last whole minute. */
  rateNow: number;
  /** Its answers within an hour that asked for less mail. */
  refusedLastHour: number;
  /** Messages that wait for it. */
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
  /** relay (where left out): a provider or relay host that takes mail for all domains. direct: an own mail server that speaks to the recipients' servers; it starts with low limits per mailbox provider. */
  kind?: "direct" | "relay";
  /** Host name of the SMTP server. Not needed where the configuration binds the secret to a server (SMTP_URL_…, or SMTP_HOST_… beside
    SMTP_PASSWORD_…); another one is then refused. Private addresses are refused. */
  host?: string;
  /** Port: 25, 465, 587 or 2525, or the one that the configuration names; 587, or 465 with `secure`, where left out. */
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
  /** Messages after which a connection is closed and another opened; left out: as many as the server takes, 50 during a slow start. */
  messagesPerConnection?: number;
  /** Messages a second to one mailbox provider or recipient domain, over all workers; left out: no limit for a relay, 10 for a direct account and during a slow start. */
  domainMessagesPerSecond?: number;
  /** Messages on their way to one mailbox provider or recipient domain at a time, by each worker; left out: no limit for a relay, 5 (Yahoo 20, Microsoft 50) for a direct account and during a slow start. */
  domainConnections?: number;
  /** First day of a slow start, in UTC: from then on a little more each day goes out by it. Left out: no slow start. */
  warmUp?: string;
};
export type ProviderDto = {
  /** unknown: not used yet; ok: it took the last message; failing: it refused us or could not be reached. */
  state: "failing" | "ok" | "unknown";
  /** When it last took a message. */
  lastOkAt: string | null;
  /** When it last failed. */
  lastErrorAt: string | null;
  /** What it said then. */
  lastError: string | null;
  /** Until then others go first. */
  heldUntil: string | null;
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** Setting that holds its secret. */
  apiKeyRef: string;
  /** Whether that setting is there and names a server. */
  isConfigured: boolean;
  /** How it is reached. */
  config: ProviderConfigDto;
  /** Tried first. */
  isDefault: boolean;
  /** Whether mail may go out by it. */
  isActive: boolean;
};
export type AddProviderDto = {
  /** Why, for the record */
  reason?: string;
  /** Its name among the others. */
  name: string;
  /** Setting that holds its secret: SMTP_URL_… (a whole address) or SMTP_PASSWORD_…. */
  apiKeyRef: string;
  /** Whether mail may go out by it at once; true where left out. */
  isActive?: boolean;
  /** How it is reached. */
  config?: ProviderConfigDto;
  /** The admin's own password; required. */
  currentPassword?: string;
};
export type ChangeProviderDto = {
  /** Why, for the record */
  reason?: string;
  /** Whether mail may go out by it. */
  isActive?: boolean;
  /** true makes it the one that is tried first. */
  isDefault?: boolean;
  /** How it is reached; replaces what was there. */
  config?: ProviderConfigDto;
  /** The admin's own password; required where the config names another host, port, encryption or user. */
  currentPassword?: string;
};
export type ProviderTestDto = {
  /** Whether the server took it. */
  ok: boolean;
  /** The server's answer where it took the mail; the same words for every failure. */
  answer: string;
};
export type TestProviderDto = {
  /** Address of the test mail. */
  to: string;
};
export type SenderRatesDto = {
  /** Messages that mail servers took or refused for an unknown mailbox. */
  mails: number;
  /** Came back, or refused for an unknown mailbox. */
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
  flag: "alert" | "none" | "watch";
  /** Whose mail. */
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
export type OverseenSendDto = {
  /** What was sent. */
  emailType: "candidate-list" | "job-post";
  /** pending until the last recipient is settled; sent when the mail server accepted at least one; failed when it accepted none. */
  status: "failed" | "pending" | "sent";
  /** Who sent it */
  userId: string;
  /** The sender's name as it was */
  senderName: string;
  /** The sender's address */
  senderEmail: string;
  /** Messages that mail servers took, or may have taken */
  sent: number;
  /** Messages that were refused for good */
  failed: number;
  /** Messages that came back */
  bounced: number;
  /** Messages that were reported as spam */
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
export type OverseenContactDto = {
  /** Whose list that is; null: the default list */
  ownerEmail: string | null;
  /** The list it is on */
  emailListId: string;
  /** That list's name */
  listName: string;
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Name, where one was given */
  name: string | null;
  /** What the person agreed to receive */
  subscriptionType: "candidate-lists" | "job-posts";
  /** Whether the address was confirmed; only then it is mailed */
  confirmed: boolean;
  /** Why it is not mailed, where that is so */
  suppressed: ("bounced" | "complained" | "unsubscribed") | null;
  /** When it was added */
  createdAt: string;
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
  cause: "bounced" | "complained" | "unsubscribed";
  /** How far: one owner's lists, the network for every sender, or all mail */
  scope: "all" | "network" | "owner";
  /** Whose lists, of scope owner; null where the account is gone */
  ownerEmail: string | null;
  /** Until when; null: for good */
  expiresAt: string | null;
  /** Its id */
  id: string;
  /** Since when */
  createdAt: string;
};
export type AddSuppressionDto = {
  /** For all mail, or for the network of every sender; all where left out */
  scope?: "all" | "network";
  /** The person asked to be left alone, or complained; unsubscribed where left out */
  cause?: "complained" | "unsubscribed";
  /** The address */
  email: string;
  /** Why, for the record */
  reason?: string | null;
};
export type AdminUserDto = {
  /** Whom the person works for */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Sends a day set for this account; null: the plan's */
  customDailyLimit: number | null;
  /** What the person does */
  role: "bench-sales" | "recruiter";
  /** Since when it is */
  suspendedAt: string | null;
  /** Whether the person's mail is complained about: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  flag: "alert" | "none" | "watch";
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** Sends of the person's present day */
  emailsSentToday: number;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** free, pro or another */
  tier: string;
  /** Whether the person runs the product */
  isAdmin: boolean;
  /** Whether the address is proved */
  isVerified: boolean;
  /** Free months earned, a number in text */
  referralCreditsMonths: string;
  /** IANA zone in which the person's days are counted */
  timeZone: string;
  /** When the account was made */
  createdAt: string;
};
export type AdminPlanDto = {
  /** Where it comes from */
  source: "grace" | "manual" | "none" | "referral" | "subscription";
  /** Until when; null: no end */
  until: string | null;
  /** What the payment provider says of a paid plan */
  subscriptionStatus: string | null;
  /** Sends a day; null: no limit */
  dailyLimit: number | null;
  /** Sends left today; null: no limit */
  remainingToday: number | null;
  /** The plan in force */
  plan: string;
};
export type SenderReputationDto = {
  /** watch: complaints of 0.1 % or more; alert: of 0.3 % or more; on at least 1,000 mails of the 7 or 30 days. */
  flag: "alert" | "none" | "watch";
  /** Whose mail. */
  userId: string;
  /** The last 7 days. */
  last7Days: SenderRatesDto;
  /** The last 30 days. */
  last30Days: SenderRatesDto;
};
export type DeviceSessionDto = {
  /** What it said of itself when it signed in */
  userAgent: string | null;
  /** Where it signed in from */
  ipAddress: string | null;
  /** The session's id */
  id: string;
  /** What it is, in words */
  device: string;
  /** When it signed in */
  createdAt: string;
  /** When it was last used, to within a few minutes */
  lastSeenAt: string;
  /** Whether it is the one that asks */
  current: boolean;
};
export type AdminUserDetailDto = {
  /** Whom the person works for */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Sends a day set for this account; null: the plan's */
  customDailyLimit: number | null;
  /** What the person does */
  role: "bench-sales" | "recruiter";
  /** Since when it is */
  suspendedAt: string | null;
  /** Whether the person's mail is complained about: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  flag: "alert" | "none" | "watch";
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** Whether the account is suspended */
  suspended: boolean;
  /** Sends of the person's present day */
  emailsSentToday: number;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** free, pro or another */
  tier: string;
  /** Whether the person runs the product */
  isAdmin: boolean;
  /** Whether the address is proved */
  isVerified: boolean;
  /** Free months earned, a number in text */
  referralCreditsMonths: string;
  /** IANA zone in which the person's days are counted */
  timeZone: string;
  /** When the account was made */
  createdAt: string;
  /** Plan and limits */
  plan: AdminPlanDto;
  /** Lists of its own */
  totalLists: number;
  /** Contacts on them */
  totalContacts: number;
  /** How the person's mail is received */
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
  /** For people */
  message: string;
};
export type AuditEventDto = {
  /** What happened */
  kind:
    | "account.deleted"
    | "account.registered"
    | "account.reinstated"
    | "account.suspended"
    | "account.verified"
    | "admin.granted"
    | "admin.revoked"
    | "contact.confirmed"
    | "contact.unconfirmed"
    | "data.exported"
    | "import.confirmed"
    | "import.declined"
    | "limit.changed"
    | "network.changed"
    | "network.contact_added"
    | "network.contact_changed"
    | "network.contact_removed"
    | "network.imported"
    | "password.changed"
    | "password.reset"
    | "password.reset_requested"
    | "picture.changed"
    | "picture.removed"
    | "profile.changed"
    | "provider.added"
    | "provider.changed"
    | "provider.removed"
    | "provider.tested"
    | "queue.changed"
    | "role.changed"
    | "session.ended"
    | "session.ended_others"
    | "session.opened"
    | "session.refused"
    | "session.reused"
    | "session.signed_out"
    | "suppression.added"
    | "suppression.lifted";
  /** Who did it: the person, our support team, or nobody who was signed in */
  actor: "support" | "unknown" | "you";
  /** Why, or what exactly */
  reason: string | null;
  /** Where from */
  ipAddress: string | null;
  /** The device, in words */
  device: string | null;
  /** Its id */
  id: string;
  /** What happened, for people */
  description: string;
  /** When */
  at: string;
};
export type ChangePasswordDto = {
  /** The password in use */
  currentPassword: string;
  /** 8 to 256 characters, and none of the commonest passwords */
  newPassword: string;
};
export type DeleteAccountDto = {
  /** The password in use */
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
  /** Sends left today; null: no limit */
  remainingToday: number | null;
  /** The plan in force */
  plan: string;
  /** Sends of the user's present day */
  sentToday: number;
};
export type CurrentUserDto = {
  /** Whom the person works for */
  agencyName: string | null;
  /** Path of the profile picture */
  profileImageUrl: string | null;
  /** Sends a day set for this account; null: the plan's */
  customDailyLimit: number | null;
  /** First name */
  firstName: string | null;
  /** Last name */
  lastName: string | null;
  /** What the person does */
  role: ("bench-sales" | "recruiter") | null;
  /** What the account may do */
  entitlements: EntitlementsDto;
  /** The user's id */
  id: string;
  /** The account's address */
  email: string;
  /** free, pro or another */
  tier: string;
  /** Whether the person runs the product */
  isAdmin: boolean;
  /** Whether the address is proved */
  isVerified: boolean;
  /** Free months earned, a number in text */
  referralCreditsMonths: string;
  /** IANA zone in which the person's days are counted */
  timeZone: string;
  /** When the account was made */
  createdAt: string;
};
export type SignedInDto = {
  /** For people */
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
  /** Where the account's mail goes */
  email: string;
  /** 8 to 256 characters, and none of the commonest passwords */
  password: string;
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** What the person does */
  role: "bench-sales" | "recruiter";
  /** Whom the person works for */
  agencyName?: string;
  /** A user's referral code or an invite's token; a wrong one does no harm */
  referralCode?: string;
  /** IANA zone in which the person's days are counted; UTC when absent */
  timeZone?: string;
};
export type ResentDto = {
  /** For people */
  message: string;
  /** A mail was sent; false: the address is verified already */
  sent: boolean;
};
export type ResetPasswordDto = {
  /** From the link's query */
  token: string;
  /** 8 to 256 characters, and none of the commonest passwords */
  password: string;
};
export type AccessTokenDto = {
  /** Goes into the Authorization header, after "Bearer " */
  accessToken: string;
  /** Seconds until it runs out */
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
  role: "bench-sales" | "recruiter";
};
export type ChangeSettingsDto = {
  /** Whom the person works for; an empty text or null clears it */
  agencyName?: string | null;
  /** IANA zone in which the person's days are counted */
  timeZone?: string;
};
export type PlanDto = {
  /** How often it is paid */
  billingInterval: "month" | "year";
  /** The price's id at Stripe; null while billing is off */
  stripePriceId: string | null;
  /** pro_monthly or pro_yearly */
  code: string;
  /** The plan's name */
  name: string;
  /** The price of one interval, US cents */
  priceCents: number;
  /** What the plan brings */
  features: string[];
};
export type ClientErrorDto = {
  /** The build: the hash in the name of its entry script */
  release: string;
  /** A screen that could not be shown, an error that no one caught, or a promise that no one did */
  kind: "promise" | "screen" | "script";
  /** The screen's pattern, without ids */
  screen: string;
  /** The error's name and text */
  message: string;
  /** Where it broke: lines of our own scripts */
  stack: string;
};
export type SendOutcomeDto = {
  /** Id of the send. */
  id: string;
  /** Subject line. */
  subject: string;
  /** When the send was accepted. */
  sentAt: string;
  /** Messages that the mail servers took. */
  sent: number;
  /** Messages that were refused for good. */
  failed: number;
  /** Messages that came back later. */
  bounced: number;
  /** Addresses that were no longer mailable when their turn came. */
  skipped: number;
};
export type ActivityDto = {
  /** What happened. */
  action:
    | "Contact added"
    | "Contact confirmed"
    | "Contact unsubscribed"
    | "Email sent"
    | "List created";
  /** To what: a subject, a list's name, a contact's address, the size of an import. */
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
  /** The plan in force: free, pro or another. */
  tier: string;
  /** The newest ten, newest first. */
  recentActivity: ActivityDto[];
};
export type TrendDayDto = {
  /** The day. */
  date: string;
  /** Sends accepted on the day. */
  sends: number;
  /** Their messages that the mail servers took. */
  sent: number;
  /** Their messages that were refused for good. */
  failed: number;
  /** Their messages that came back later. */
  bounced: number;
  /** Contacts that came to the own lists on the day. */
  contactsAdded: number;
  /** Contacts that left the own lists on the day. */
  unsubscribed: number;
};
export type HistoryOutcomeDto = {
  /** Taken by the mail server, or most likely so. */
  sent: number;
  /** Refused for good. */
  failed: number;
  /** Came back later. */
  bounced: number;
};
export type HistoryRowDto = {
  /** What was sent. */
  emailType: "candidate-list" | "job-post";
  /** pending until the last recipient is settled; sent when the mail server accepted at least one; failed when it accepted none. */
  status: "failed" | "pending" | "sent";
  /** What its sender did to it: paused for now, or cancelled, so that who had not been mailed by then was skipped. Absent otherwise. */
  stopped?: "cancelled" | "paused";
  /** What became of its messages so far, where asked for. */
  outcome?: HistoryOutcomeDto;
  /** Id of the send. */
  id: string;
  /** Subject line. */
  subject: string;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** When the send was accepted. */
  sentAt: string;
};
export type HistoryListDto = {
  /** Id of the list; null once the list is deleted. */
  id: string | null;
  /** Name of the list as it was. */
  name: string;
};
export type DeliveryCountsDto = {
  /** Waiting, being sent or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Handed over without an answer: most likely arrived. */
  unconfirmed: number;
  /** Refused for good. */
  failed: number;
  /** No longer mailable when their turn came. */
  skipped: number;
  /** Came back later. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Left because of this message. */
  unsubscribed: number;
};
export type HistoryEntryDto = {
  /** What was sent. */
  emailType: "candidate-list" | "job-post";
  /** pending until the last recipient is settled; sent when the mail server accepted at least one; failed when it accepted none. */
  status: "failed" | "pending" | "sent";
  /** What its sender did to it: paused for now, or cancelled, so that who had not been mailed by then was skipped. Absent otherwise. */
  stopped?: "cancelled" | "paused";
  /** The message as it was written. */
  content: string;
  /** The HTML part as recipients got it; its unsubscribe link leads nowhere. */
  html: string;
  /** The lists it went to, with their names as they were. */
  lists: HistoryListDto[];
  /** How many recipients stand where. */
  counts: DeliveryCountsDto;
  /** Recipients that failed for a temporary reason and may be tried again; over 2,000 those who left since are counted too. */
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
  /** Where it stands. */
  status:
    | "bounced"
    | "complained"
    | "deferred"
    | "failed"
    | "queued"
    | "sending"
    | "sent"
    | "skipped"
    | "unconfirmed";
  /** Message-ID of the mail, once it was handed over. */
  messageId: string | null;
  /** When the mail server accepted it. */
  sentAt: string | null;
  /** What happened, in words. */
  detail: string | null;
  /** What the mail server said; its code alone where the address is masked. */
  said: string | null;
  /** When the recipient left because of this message. */
  unsubscribedAt: string | null;
  /** When it is tried again, while it is deferred. */
  nextAttemptAt: string | null;
  /** Address of the recipient; masked when it was reached through the shared network only. */
  recipientEmail: string;
  /** It may have arrived twice: it was sent again after an interruption. */
  possibleDuplicate: boolean;
};
export type SendProgressDto = {
  /** Status of the send. */
  status: "failed" | "pending" | "sent";
  /** What its sender did to it, if anything. */
  stopped?: "cancelled" | "paused";
  /** Waiting, being sent or deferred. */
  queued: number;
  /** Accepted by the mail server. */
  sent: number;
  /** Handed over without an answer: most likely arrived. */
  unconfirmed: number;
  /** Refused for good. */
  failed: number;
  /** No longer mailable when their turn came. */
  skipped: number;
  /** Came back later. */
  bounced: number;
  /** Reported as spam. */
  complained: number;
  /** Left because of this message. */
  unsubscribed: number;
};
export type RetriedDto = {
  /** Recipients that are tried again; of very many those who left meanwhile are counted too. */
  retried: number;
};
export type EmailListDto = {
  /** The list's id */
  id: string;
  /** Its name */
  name: string;
  /** Last part of the public link /subscribe/list/{slug}; stays when the name changes */
  slug: string;
  /** What it is for */
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
  /** When it was made */
  createdAt: string;
  /** When it last changed */
  updatedAt: string;
};
export type CreateEmailListDto = {
  /** Its name */
  name: string;
  /** What it is for */
  description?: string | null;
  /** Agency shown on the public page */
  agencyName?: string | null;
  /** Logo shown on the public page; https only */
  agencyLogo?: string | null;
  /** Name shown on the public page */
  ownerName?: string | null;
};
export type PublicListDto = {
  /** The list's id, sent with POST /api/subscribe */
  id: string;
  /** Its slug */
  slug: string;
  /** Its name */
  name: string;
  /** What it is for */
  description: string | null;
  /** The agency behind it */
  agencyName: string | null;
  /** Its logo */
  agencyLogo: string | null;
  /** Who invites */
  ownerName: string | null;
  /** What a subscriber of this page agrees to receive */
  subscriptionType: "candidate-lists" | "job-posts";
};
export type ConfirmationStatusDto = {
  /** Why they wait: `daily_budget` (the mails to new people of 24 hours are used up), `few_confirmed` or `many_bounced` (stopped), `unverified` (the account's address); null: they are on their way, or none wait */
  hold:
    ("daily_budget" | "few_confirmed" | "many_bounced" | "unverified") | null;
  /** Mails to new people (confirmation mails and invites, over all lists) that the account may cause in 24 hours; null for the network */
  dailyBudget: number | null;
  /** Those that went out in the last 24 hours; null for the network */
  sentIn24Hours: number | null;
  /** When the next ones go out, where the budget is used up */
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
  /** What it is for */
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
  /** When it was made */
  createdAt: string;
  /** When it last changed */
  updatedAt: string;
  /** How its confirmation mails stand. */
  confirmations: ConfirmationStatusDto;
};
export type UpdateEmailListDto = {
  /** Its name; may be absent, not blank */
  name?: string;
  /** What it is for */
  description?: string | null;
  /** Agency shown on the public page */
  agencyName?: string | null;
  /** Logo shown on the public page; https only */
  agencyLogo?: string | null;
  /** Name shown on the public page */
  ownerName?: string | null;
};
export type ContactDto = {
  /** The contact's id */
  id: string;
  /** The address as typed */
  email: string;
  /** Name, where one was given */
  name: string | null;
  /** What the person agreed to receive */
  subscriptionType: "candidate-lists" | "job-posts";
  /** Whether the address was confirmed; only then it is mailed */
  confirmed: boolean;
  /** Why it is not mailed, where that is so */
  suppressed: ("bounced" | "complained" | "unsubscribed") | null;
  /** When it was added */
  createdAt: string;
};
export type AddContactDto = {
  /** The address */
  email: string;
  /** Name */
  name?: string | null;
  /** What the person agreed to receive; by default what the list's owner sends */
  subscriptionType?: "candidate-lists" | "job-posts";
};
export type ImportStartedDto = {
  /** The job to follow */
  id: string;
};
export type ImportContactsDto = {
  /** `email` or `email, name`, one contact each */
  lines: string[];
  /** Where and how these people agreed; then an admin decides before confirmation mails go out */
  attestation?: string | null;
};
export type RejectedRowDto = {
  /** Its number in the file, from 1 */
  line: number;
  /** What stood there for an address */
  email: string;
  /** Why it did not go in */
  reason: "duplicate" | "exists" | "invalid" | "limit" | "suppressed";
};
export type ImportDto = {
  /** Why it failed, for people; null unless it did */
  message: string | null;
  /** The job */
  id: string;
  /** Where it stands */
  status: "done" | "failed" | "queued" | "running";
  /** Lines of the whole file; while it runs, an estimate from its size */
  total: number;
  /** Lines that went in */
  added: number;
  /** Lines that did not */
  skipped: number;
  /** The first 100 lines that did not go in */
  rows: RejectedRowDto[];
};
export type UpdateContactDto = {
  /** The address */
  email?: string;
  /** Name */
  name?: string | null;
};
export type ChangeEventDto = {
  /** What changed. */
  kind:
    | "admin"
    | "contacts"
    | "import"
    | "list"
    | "me"
    | "plan"
    | "progress"
    | "referral"
    | "send"
    | "session"
    | "usage";
  /** The lists, imports or sends that did; absent: all of them may have */
  ids?: string[];
};
export type HealthDto = {
  /** Each part that was looked at */
  parts: {
    [key: string]: string;
  };
  /** ok, or the answer is a 503 */
  status: string;
};
export type ReferralStatsDto = {
  /** Invites sent by mail */
  totalInvites: number;
  /** Those nobody has answered yet */
  pendingInvites: number;
  /** Those that led to an account */
  acceptedInvites: number;
  /** People who registered through the user, by invite or by link */
  signupConversions: number;
  /** Those of them who have paid */
  paidConversions: number;
};
export type ReferralInviteDto = {
  /** The invite's id */
  id: string;
  /** The invited address */
  inviteeEmail: string;
  /** What became of it */
  status: "accepted" | "expired" | "pending";
  /** When it was sent */
  sentAt: string;
  /** When the invited person registered */
  acceptedAt: string | null;
  /** Until when its link works */
  expiresAt: string;
};
export type ReferralsDto = {
  /** In figures */
  stats: ReferralStatsDto;
  /** The newest hundred invites; all of them: GET /api/referrals/invites */
  invites: ReferralInviteDto[];
};
export type ReferralCodeDto = {
  /** The code in it */
  code: string;
  /** The link to hand on */
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
export type RunningSendDto = {
  /** Status of the send. */
  status: "failed" | "pending" | "sent";
  /** What its sender did to it, if anything. */
  stopped?: "cancelled" | "paused";
  /** When it ended; null while it is under way */
  endedAt: string | null;
  /** The send */
  id: string;
  /** Its subject */
  subject: string;
  /** Recipients, as a numeric string */
  recipientCount: string;
  /** How many recipients stand where. */
  counts: DeliveryCountsDto;
};
export type RecentImportDto = {
  /** Why it failed, for people; null unless it did */
  message: string | null;
  /** When it ended; null while it runs */
  endedAt: string | null;
  /** The job */
  id: string;
  /** The list that it fills */
  listId: string;
  /** Name of the list */
  listName: string;
  /** Where it stands */
  status: "done" | "failed" | "queued" | "running";
  /** Lines of the whole file; while it runs, an estimate from its size */
  total: number;
  /** Lines that went in */
  added: number;
  /** Lines that did not */
  skipped: number;
};
export type RunningTasksDto = {
  /** Sends. */
  sends: RunningSendDto[];
  /** Imports. */
  imports: RecentImportDto[];
};
export type SendAcceptedDto = {
  /** Id of the send, as in the history. */
  id: string;
  /** pending: the messages go out now. */
  status: string;
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** Text for people. */
  message: string;
};
export type SendEmailDto = {
  /** What is sent: it decides which contacts receive it. */
  emailType: "candidate-list" | "job-post";
  /** Subject line, one line of at most 255 characters. */
  subject: string;
  /** The message, as plain text. */
  content: string;
  /** Ids of the chosen lists, 1 to 1000. */
  emailListIds: string[];
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
};
export type SendPreviewDto = {
  /** Number of recipients, as a numeric string. */
  recipientCount: string;
  /** Who is left out, and why. */
  excluded: ExcludedDto;
  /** HTML part of the message; only with a subject and a content. */
  html?: string;
  /** Text part of the message; only with a subject and a content. */
  text?: string;
};
export type PreviewSendDto = {
  /** What is sent: it decides which contacts receive it. */
  emailType: "candidate-list" | "job-post";
  /** Subject line; with a content the message is rendered as well. */
  subject?: string;
  /** The message, as plain text. */
  content?: string;
  /** Ids of the chosen lists, 1 to 1000. */
  emailListIds: string[];
};
export type PlanInForceDto = {
  /** Stripe's word: active, trialing, past_due, unpaid or paused */
  status: string;
  /** When the period that is paid ends, epoch seconds */
  currentPeriodEnd: number;
  /** Whether the plan ends then */
  cancelAtPeriodEnd: boolean;
};
export type SubscriptionStatusDto = {
  /** The plan; null: there is none */
  subscription: PlanInForceDto | null;
  /** Whether there is a plan */
  hasSubscription: boolean;
  /** Free months earned and not used up, a number in text */
  referralCreditsMonths: string;
};
export type CancelSubscriptionDto = {
  /** True: at once. False: with the period that is paid */
  immediately?: boolean;
};
export type StripeConfigDto = {
  /** live, test, demo (the simulator) or off */
  mode: "demo" | "live" | "off" | "test";
  /** The key with which the browser speaks to Stripe; null while billing is off */
  publishableKey: string | null;
};
export type PortalDto = {
  /** The portal's address: the browser goes there */
  url: string;
};
export type CreatedDto = {
  /** incomplete or past_due: pay with the secret. active: there is a plan already */
  status: string;
  /** The secret with which the browser pays; absent where nothing is due */
  clientSecret?: string;
};
export type CreateSubscriptionDto = {
  /** How often it is paid; must fit the price */
  billingPeriod: "monthly" | "yearly";
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
  subscriptionType: "candidate-lists" | "job-posts";
  /** The list of the public page; without one the visitor joins the network */
  emailListId?: string | null;
  /** A honeypot: the page's form hides this field, people leave it empty. What is sent with it filled in is answered the same and dropped */
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
export type UnsubscribedDto = {
  /** Text for the person */
  message: string;
  /** The address */
  email: string;
};
export type LeaveSenderDto = {
  /** The sender's id, as the list of senders has it */
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
  /** Whether the address has left this sender */
  left: boolean;
};
export type SenderChoicesDto = {
  /** The address */
  email: string;
  /** Whether what the link does still holds, or a part of it: it has not all been taken back */
  left: boolean;
  /** The senders, the latest first. */
  senders: SenderDto[];
};
export type UndoDto = {
  /** A sender left by itself */
  sender?: string | null;
};
export type UsageTodayDto = {
  /** Sends of today, as a numeric string. */
  emailsSent: string;
};
export type ReportReceivedDto = {
  /** counted: its effect is stored; known: it was before; ignored: it changes nothing; unknown: it is about no mail of ours. */
  result: "counted" | "ignored" | "known" | "unknown";
};
export const {
  useListAllAuditEventsQuery,
  useLazyListAllAuditEventsQuery,
  useListAttestedImportsQuery,
  useLazyListAttestedImportsQuery,
  useConfirmImportMutation,
  useDeclineImportMutation,
  useFindListsQuery,
  useLazyFindListsQuery,
  useGetOverviewQuery,
  useLazyGetOverviewQuery,
  useListPendingUsersQuery,
  useLazyListPendingUsersQuery,
  useListProviderRatesQuery,
  useLazyListProviderRatesQuery,
  useListProviderSecretsQuery,
  useLazyListProviderSecretsQuery,
  useListProvidersQuery,
  useLazyListProvidersQuery,
  useAddProviderMutation,
  useChangeProviderMutation,
  useRemoveProviderMutation,
  useTestProviderMutation,
  useListMailSendersQuery,
  useLazyListMailSendersQuery,
  useListSendsQuery,
  useLazyListSendsQuery,
  useListSubscriptionsQuery,
  useLazyListSubscriptionsQuery,
  useConfirmContactMutation,
  useListSuppressionsQuery,
  useLazyListSuppressionsQuery,
  useAddSuppressionMutation,
  useLiftSuppressionMutation,
  useListUsersQuery,
  useLazyListUsersQuery,
  useGetUserQuery,
  useLazyGetUserQuery,
  useChangeUserMutation,
  useVerifyUserMutation,
  useListAuditEventsQuery,
  useLazyListAuditEventsQuery,
  useChangePasswordMutation,
  useDeleteAccountMutation,
  useDisownAccountMutation,
  useExportAccountQuery,
  useLazyExportAccountQuery,
  useForgotPasswordMutation,
  useLoginMutation,
  useLogoutMutation,
  useGetMeQuery,
  useLazyGetMeQuery,
  useRegisterMutation,
  useResendVerificationMutation,
  useResetPasswordMutation,
  useListSessionsQuery,
  useLazyListSessionsQuery,
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useCreateTokenMutation,
  useGetCurrentUserQuery,
  useLazyGetCurrentUserQuery,
  useSetAvatarMutation,
  useRemoveAvatarMutation,
  useChangeNameMutation,
  useChangeRoleMutation,
  useChangeSettingsMutation,
  useVerifyEmailMutation,
  useGetAvatarQuery,
  useLazyGetAvatarQuery,
  useListPlansQuery,
  useLazyListPlansQuery,
  useReportClientErrorMutation,
  useGetDashboardOutcomesQuery,
  useLazyGetDashboardOutcomesQuery,
  useGetDashboardStatsQuery,
  useLazyGetDashboardStatsQuery,
  useGetDashboardTrendsQuery,
  useLazyGetDashboardTrendsQuery,
  useListHistoryQuery,
  useLazyListHistoryQuery,
  useGetHistoryEntryQuery,
  useLazyGetHistoryEntryQuery,
  useCancelSendMutation,
  useListDeliveriesQuery,
  useLazyListDeliveriesQuery,
  useExportDeliveriesQuery,
  useLazyExportDeliveriesQuery,
  usePauseSendMutation,
  useStreamProgressQuery,
  useLazyStreamProgressQuery,
  useResumeSendMutation,
  useRetrySendMutation,
  useListEmailListsQuery,
  useLazyListEmailListsQuery,
  useCreateEmailListMutation,
  useGetPublicListQuery,
  useLazyGetPublicListQuery,
  useGetEmailListQuery,
  useLazyGetEmailListQuery,
  useUpdateEmailListMutation,
  useDeleteEmailListMutation,
  useListContactsQuery,
  useLazyListContactsQuery,
  useAddContactMutation,
  useExportContactsQuery,
  useLazyExportContactsQuery,
  useImportContactsMutation,
  useGetImportQuery,
  useLazyGetImportQuery,
  useDownloadRejectedRowsQuery,
  useLazyDownloadRejectedRowsQuery,
  useUpdateContactMutation,
  useDeleteContactMutation,
  useResendConfirmationMutation,
  useStreamEventsQuery,
  useLazyStreamEventsQuery,
  useGetLiveQuery,
  useLazyGetLiveQuery,
  useGetReadyQuery,
  useLazyGetReadyQuery,
  useNeverAskMutation,
  useGetReferralsQuery,
  useLazyGetReferralsQuery,
  useGetReferralCodeQuery,
  useLazyGetReferralCodeQuery,
  useSendInviteMutation,
  useListInvitesQuery,
  useLazyListInvitesQuery,
  useOptOutOfInvitesMutation,
  useNoteVisitMutation,
  useGetRunningTasksQuery,
  useLazyGetRunningTasksQuery,
  useSendEmailMutation,
  usePreviewSendQuery,
  useLazyPreviewSendQuery,
  useCancelSubscriptionMutation,
  useStripeConfigQuery,
  useLazyStripeConfigQuery,
  useCreatePortalSessionMutation,
  useCreateSubscriptionMutation,
  useReactivateSubscriptionMutation,
  useSubscriptionStatusQuery,
  useLazySubscriptionStatusQuery,
  useReceiveStripeEventMutation,
  useSubscribeMutation,
  useConfirmSubscriptionQuery,
  useLazyConfirmSubscriptionQuery,
  useReadUnsubscribeQuery,
  useLazyReadUnsubscribeQuery,
  useUnsubscribeMutation,
  useUnsubscribeEverythingMutation,
  useLeaveSenderMutation,
  useListSendersQuery,
  useLazyListSendersQuery,
  useUndoUnsubscribeMutation,
  useGetUsageTodayQuery,
  useLazyGetUsageTodayQuery,
  useReceiveMailReportMutation,
  useNeverAskOneClickMutation,
  useUnsubscribeOneClickMutation,
} = injectedRtkApi;
