export { Accounts, mailboxHashSql, type SendingAccount, suspendedSql } from './account/accounts.service.js';
export { OnboardingMark } from './account/onboarding-mark.service.js';
export { AccountDto } from './account/current-user.dto.js';
export { type ListedUser, UserDirectory } from './account/user-directory.service.js';
export { ADMIN_VERBS, AdminRights, AdminRightsModule, type AdminVerb } from './admin/admin-rights.js';
export { AdminUserActions } from './admin/admin-user-actions.service.js';
export { AUDIT_KIND_NAMES, type AuditKind } from './audit/audit-kinds.js';
export { type Actor, AuditTrail } from './audit/audit-trail.service.js';
export { describeUserAgent } from './audit/describe-user-agent.js';
export { AuthModule, AuthWorkerModule } from './auth.module.js';
export { TimeZoneField } from './fields.js';
export { AuthCredential } from './entities/auth-credential.entity.js';
export { authEntities } from './entities/index.js';
export { User } from './entities/user.entity.js';
export { stripPicture } from './pictures/strip-picture.js';
export { UnreadablePicture } from './auth.errors.js';
export { PasswordChange } from './passwords/password-change.service.js';
export { type FreeMonthFacts, BillingState } from './plan/billing-state.service.js';
export type { LimitScope } from './plan/entitlements.js';
export {
  type ReferralParty,
  PendingReferrals,
  mintReferralCode,
  referralKey,
} from './plan/pending-referrals.service.js';
export { DeviceList } from './sessions/device-list.service.js';
export { DeviceSessionDto } from './sessions/session.dto.js';
export { VisitorSessions } from './sessions/visitor-sessions.service.js';
export { PasswordHasher } from './sign-in/password-hasher.service.js';
