import type {
  AddProviderDto,
  AdminAuditDto,
  AdminImportDto,
  AdminSenderDto,
  AdminUserDetailDto,
  AdminUserDto,
  ChangeUserDto,
  MailSecretDto,
  AdminContactDto,
  AdminListDto,
  AdminSendDto,
  PendingUserDto,
  ProviderBacklogDto,
  ProviderConfigDto,
  ProviderDto,
  ReportedFileDto,
  SuppressionDto,
} from '../../api/endpoints.gen';

export type AdminUser = AdminUserDto;
export type AdminUserDetail = AdminUserDetailDto;
export type { ChangeUserDto };
export type PendingUser = PendingUserDto;
export type AdminContact = AdminContactDto;
export type AdminList = AdminListDto;
export type AttestedImport = AdminImportDto;
export type ImportState = AdminImportDto['state'];
export type ReportedFile = ReportedFileDto;
export type Suppression = SuppressionDto;
export type AdminSend = AdminSendDto;
export type MailSender = AdminSenderDto;
export type AuditEvent = AdminAuditDto;
export type MailAccount = ProviderDto;
export type MailboxProviderRate = ProviderBacklogDto;
export type MailAccountConfig = ProviderConfigDto;
export type NewMailAccount = AddProviderDto;
export type MailSecret = MailSecretDto;

export type UserFilter = { isAdmin?: boolean; isVerified?: boolean; suspended?: boolean };
export type ContactFilter = { confirmed?: boolean; status?: 'unsubscribed'; emailListId?: string };
