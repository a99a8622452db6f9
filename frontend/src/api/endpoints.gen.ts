import { baseApi as api } from "./base-api";
export const addTagTypes = [
  "auth",
  "lists",
  "contacts",
  "sending",
  "history",
  "consent",
] as const;
const injectedRtkApi = api
  .enhanceEndpoints({
    addTagTypes,
  })
  .injectEndpoints({
    endpoints: (build) => ({
      getCurrentUser: build.query<
        GetCurrentUserApiResponse,
        GetCurrentUserApiArg
      >({
        query: () => ({ url: `/api/auth/user` }),
        providesTags: ["auth"],
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
      verifyEmail: build.mutation<VerifyEmailApiResponse, VerifyEmailApiArg>({
        query: (queryArg) => ({
          url: `/api/auth/verify-email`,
          method: "POST",
          body: queryArg.tokenDto,
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
      resendVerification: build.mutation<
        ResendVerificationApiResponse,
        ResendVerificationApiArg
      >({
        query: () => ({ url: `/api/auth/resend-verification`, method: "POST" }),
        invalidatesTags: ["auth"],
      }),
      listEmailLists: build.query<
        ListEmailListsApiResponse,
        ListEmailListsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists`,
          params: {
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            search: queryArg.search,
            sort: queryArg.sort,
            sendable: queryArg.sendable,
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
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            search: queryArg.search,
            sort: queryArg.sort,
            status: queryArg.status,
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
      importContacts: build.mutation<
        ImportContactsApiResponse,
        ImportContactsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/import`,
          method: "POST",
          body: queryArg.importContactsDto,
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
      exportContacts: build.query<
        ExportContactsApiResponse,
        ExportContactsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-lists/${encodeURIComponent(String(queryArg.id))}/subscribers/export`,
        }),
        providesTags: ["contacts"],
      }),
      previewSend: build.query<PreviewSendApiResponse, PreviewSendApiArg>({
        query: (queryArg) => ({
          url: `/api/send-email/preview`,
          method: "POST",
          body: queryArg.previewSendDto,
        }),
        providesTags: ["sending"],
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
        invalidatesTags: ["sending"],
      }),
      listHistory: build.query<ListHistoryApiResponse, ListHistoryApiArg>({
        query: (queryArg) => ({
          url: `/api/email-history`,
          params: {
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            search: queryArg.search,
            sort: queryArg.sort,
            type: queryArg["type"],
            status: queryArg.status,
          },
        }),
        providesTags: ["history"],
      }),
      getHistoryEntry: build.query<
        GetHistoryEntryApiResponse,
        GetHistoryEntryApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}`,
        }),
        providesTags: ["history"],
      }),
      listDeliveries: build.query<
        ListDeliveriesApiResponse,
        ListDeliveriesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/deliveries`,
          params: {
            limit: queryArg.limit,
            cursor: queryArg.cursor,
            search: queryArg.search,
            sort: queryArg.sort,
            status: queryArg.status,
          },
        }),
        providesTags: ["history"],
      }),
      exportDeliveries: build.query<
        ExportDeliveriesApiResponse,
        ExportDeliveriesApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/deliveries.csv`,
        }),
        providesTags: ["history"],
      }),
      streamProgress: build.query<
        StreamProgressApiResponse,
        StreamProgressApiArg
      >({
        query: (queryArg) => ({
          url: `/api/email-history/${encodeURIComponent(String(queryArg.id))}/progress`,
        }),
        providesTags: ["history"],
      }),
      getUsageToday: build.query<GetUsageTodayApiResponse, GetUsageTodayApiArg>(
        {
          query: () => ({ url: `/api/usage/today` }),
          providesTags: ["history"],
        },
      ),
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
      undoUnsubscribe: build.mutation<
        UndoUnsubscribeApiResponse,
        UndoUnsubscribeApiArg
      >({
        query: (queryArg) => ({
          url: `/api/unsubscribe/${encodeURIComponent(String(queryArg.token))}/undo`,
          method: "POST",
        }),
        invalidatesTags: ["consent"],
      }),
    }),
    overrideExisting: false,
  });
export { injectedRtkApi as generatedApi };
export type GetCurrentUserApiResponse = /** status 200  */ CurrentUserDto;
export type GetCurrentUserApiArg = void;
export type GetMeApiResponse = /** status 200  */ CurrentUserDto;
export type GetMeApiArg = void;
export type RegisterApiResponse = /** status 201  */ SignedInDto;
export type RegisterApiArg = {
  registerDto: RegisterDto;
};
export type LoginApiResponse = /** status 200  */ SignedInDto;
export type LoginApiArg = {
  loginDto: LoginDto;
};
export type LogoutApiResponse = /** status 200  */ MessageDto;
export type LogoutApiArg = void;
export type VerifyEmailApiResponse = /** status 200  */ MessageDto;
export type VerifyEmailApiArg = {
  tokenDto: TokenDto;
};
export type DisownAccountApiResponse = /** status 200  */ MessageDto;
export type DisownAccountApiArg = {
  tokenDto: TokenDto;
};
export type ResendVerificationApiResponse = /** status 200  */ MessageDto;
export type ResendVerificationApiArg = void;
export type ListEmailListsApiResponse = /** status 200  */ EmailListDto[];
export type ListEmailListsApiArg = {
  limit?: number;
  cursor?: string;
  search?: string;
  sort?: string;
  sendable?: boolean;
};
export type CreateEmailListApiResponse = /** status 201  */ EmailListDto;
export type CreateEmailListApiArg = {
  createEmailListDto: CreateEmailListDto;
};
export type GetEmailListApiResponse = /** status 200  */ EmailListDto;
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
  limit?: number;
  cursor?: string;
  search?: string;
  sort?: string;
  status?: "confirmed" | "pending" | "unsubscribed";
};
export type AddContactApiResponse = /** status 201  */ ContactDto;
export type AddContactApiArg = {
  id: string;
  addContactDto: AddContactDto;
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
export type ImportContactsApiResponse = /** status 202  */ ImportStartedDto;
export type ImportContactsApiArg = {
  id: string;
  importContactsDto: ImportContactsDto;
};
export type GetImportApiResponse = /** status 200  */ ImportDto;
export type GetImportApiArg = {
  id: string;
  jobId: string;
};
export type DownloadRejectedRowsApiResponse = unknown;
export type DownloadRejectedRowsApiArg = {
  id: string;
  jobId: string;
};
export type ExportContactsApiResponse = unknown;
export type ExportContactsApiArg = {
  id: string;
};
export type PreviewSendApiResponse = /** status 200  */ SendPreviewDto;
export type PreviewSendApiArg = {
  previewSendDto: PreviewSendDto;
};
export type SendEmailApiResponse = /** status 202  */ SendAcceptedDto;
export type SendEmailApiArg = {
  "Idempotency-Key"?: string;
  sendEmailDto: SendEmailDto;
};
export type ListHistoryApiResponse = /** status 200  */ HistoryItemDto[];
export type ListHistoryApiArg = {
  limit?: number;
  cursor?: string;
  search?: string;
  sort?: string;
  type?: "job-post" | "candidate-list";
  status?: "sent" | "pending" | "failed";
};
export type GetHistoryEntryApiResponse = /** status 200  */ HistoryEntryDto;
export type GetHistoryEntryApiArg = {
  id: string;
};
export type ListDeliveriesApiResponse = /** status 200  */ DeliveryDto[];
export type ListDeliveriesApiArg = {
  id: string;
  limit?: number;
  cursor?: string;
  search?: string;
  sort?: string;
  status?:
    | "queued"
    | "sending"
    | "deferred"
    | "sent"
    | "unconfirmed"
    | "failed"
    | "skipped"
    | "bounced"
    | "complained";
};
export type ExportDeliveriesApiResponse = unknown;
export type ExportDeliveriesApiArg = {
  id: string;
};
export type StreamProgressApiResponse = unknown;
export type StreamProgressApiArg = {
  id: string;
};
export type GetUsageTodayApiResponse = /** status 200  */ UsageTodayDto;
export type GetUsageTodayApiArg = void;
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
export type UndoUnsubscribeApiResponse = /** status 200  */ UnsubscribedDto;
export type UndoUnsubscribeApiArg = {
  token: string;
};
export type EntitlementsDto = {
  plan: string;
  dailyLimit: number | null;
  sentToday: number;
  remainingToday: number | null;
};
export type CurrentUserDto = {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  agencyName: string | null;
  profileImageUrl: string | null;
  role: ("recruiter" | "bench-sales") | null;
  tier: string;
  customDailyLimit: number | null;
  isAdmin: boolean;
  isVerified: boolean;
  referralCreditsMonths: string;
  timeZone: string;
  createdAt: string;
  entitlements: EntitlementsDto;
};
export type SignedInDto = {
  message: string;
  user: CurrentUserDto;
};
export type RegisterDto = {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role: "recruiter" | "bench-sales";
  agencyName?: string;
  referralCode?: string;
  timeZone?: string;
};
export type LoginDto = {
  email: string;
  password: string;
};
export type MessageDto = {
  message: string;
};
export type TokenDto = {
  token: string;
};
export type EmailListDto = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  agencyName: string | null;
  agencyLogo: string | null;
  ownerName: string | null;
  contactCount: number;
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
};
export type CreateEmailListDto = {
  name: string;
  description?: string;
  agencyName?: string;
  agencyLogo?: string;
  ownerName?: string;
};
export type UpdateEmailListDto = {
  name?: string;
  description?: string;
  agencyName?: string;
  agencyLogo?: string;
  ownerName?: string;
};
export type ContactDto = {
  id: string;
  email: string;
  name: string | null;
  subscriptionType: "job-posts" | "candidate-lists";
  confirmed: boolean;
  suppressed: ("unsubscribed" | "bounced" | "complained") | null;
  createdAt: string;
};
export type AddContactDto = {
  email: string;
  name?: string;
  subscriptionType?: "job-posts" | "candidate-lists";
};
export type UpdateContactDto = {
  email?: string;
  name?: string;
};
export type ImportStartedDto = {
  id: string;
};
export type ImportContactsDto = {
  lines: string[];
  attestation?: string;
};
export type RejectedRowDto = {
  line: number;
  email: string;
  reason: "invalid" | "duplicate" | "exists" | "suppressed" | "limit";
};
export type ImportDto = {
  id: string;
  status: "queued" | "running" | "done" | "failed";
  total: number;
  added: number;
  skipped: number;
  rows: RejectedRowDto[];
};
export type ExcludedDto = {
  pending: number;
  otherType: number;
  suppressed: number;
  duplicates: number;
};
export type SendPreviewDto = {
  recipientCount: string;
  excluded: ExcludedDto;
  html?: string;
  text?: string;
};
export type PreviewSendDto = {
  emailListIds: string[];
  emailType: "job-post" | "candidate-list";
  subject?: string;
  content?: string;
};
export type SendAcceptedDto = {
  id: string;
  status: string;
  recipientCount: string;
  message: string;
};
export type SendEmailDto = {
  emailListIds: string[];
  subject: string;
  content: string;
  emailType: "job-post" | "candidate-list";
};
export type HistoryItemDto = {
  id: string;
  subject: string;
  emailType: "job-post" | "candidate-list";
  recipientCount: string;
  sentAt: string;
  status: "sent" | "pending" | "failed";
};
export type HistoryListDto = {
  id: string | null;
  name: string;
};
export type DeliveryCountsDto = {
  queued: number;
  sent: number;
  unconfirmed: number;
  failed: number;
  skipped: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
};
export type HistoryEntryDto = {
  id: string;
  subject: string;
  emailType: "job-post" | "candidate-list";
  recipientCount: string;
  sentAt: string;
  status: "sent" | "pending" | "failed";
  content: string;
  lists: HistoryListDto[];
  counts: DeliveryCountsDto;
};
export type DeliveryDto = {
  recipientEmail: string;
  status:
    | "queued"
    | "sending"
    | "deferred"
    | "sent"
    | "unconfirmed"
    | "failed"
    | "skipped"
    | "bounced"
    | "complained";
  messageId: string | null;
  sentAt: string | null;
  detail: string | null;
};
export type UsageTodayDto = {
  emailsSent: string;
};
export type ConfirmedDto = {
  message: string;
  email: string;
  listName: string;
};
export type UnsubscribedDto = {
  message: string;
  email: string;
};
export const {
  useGetCurrentUserQuery,
  useLazyGetCurrentUserQuery,
  useGetMeQuery,
  useLazyGetMeQuery,
  useRegisterMutation,
  useLoginMutation,
  useLogoutMutation,
  useVerifyEmailMutation,
  useDisownAccountMutation,
  useResendVerificationMutation,
  useListEmailListsQuery,
  useLazyListEmailListsQuery,
  useCreateEmailListMutation,
  useGetEmailListQuery,
  useLazyGetEmailListQuery,
  useUpdateEmailListMutation,
  useDeleteEmailListMutation,
  useListContactsQuery,
  useLazyListContactsQuery,
  useAddContactMutation,
  useUpdateContactMutation,
  useDeleteContactMutation,
  useResendConfirmationMutation,
  useImportContactsMutation,
  useGetImportQuery,
  useLazyGetImportQuery,
  useDownloadRejectedRowsQuery,
  useLazyDownloadRejectedRowsQuery,
  useExportContactsQuery,
  useLazyExportContactsQuery,
  usePreviewSendQuery,
  useLazyPreviewSendQuery,
  useSendEmailMutation,
  useListHistoryQuery,
  useLazyListHistoryQuery,
  useGetHistoryEntryQuery,
  useLazyGetHistoryEntryQuery,
  useListDeliveriesQuery,
  useLazyListDeliveriesQuery,
  useExportDeliveriesQuery,
  useLazyExportDeliveriesQuery,
  useStreamProgressQuery,
  useLazyStreamProgressQuery,
  useGetUsageTodayQuery,
  useLazyGetUsageTodayQuery,
  useConfirmSubscriptionQuery,
  useLazyConfirmSubscriptionQuery,
  useReadUnsubscribeQuery,
  useLazyReadUnsubscribeQuery,
  useUnsubscribeMutation,
  useUnsubscribeEverythingMutation,
  useUndoUnsubscribeMutation,
} = injectedRtkApi;
