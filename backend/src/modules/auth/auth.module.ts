import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { Settings } from '../../shared/config/settings.js';
import { Authenticator } from '../../shared/http/requests/request-user.js';
import { BodyGuard } from '../../shared/http/requests/body.guard.js';
import { OriginGuard } from '../../shared/http/requests/origin.guard.js';
import { RateLimitGuard } from '../../shared/http/rate-limits/rate-limit.guard.js';
import { accessKeys, JwtStrategy } from './sessions/jwt.strategy.js';
import { AccessGuard, IdentifyGuard } from './sessions/access.guard.js';
import { Accounts } from './account/accounts.service.js';
import { AccountController } from './account/account.controller.js';
import { AccountDeletion } from './account/account-deletion.service.js';
import { AccountErasure, EraseAccount, ErasureSweep } from './account/account-erasure.service.js';
import { AccountExport } from './account/account-export.service.js';
import { AccountMail } from './account/account-mail.service.js';
import { AuditTrail } from './audit/audit-trail.service.js';
import { Avatars } from './pictures/avatars.service.js';
import { AvatarsController } from './pictures/avatars.controller.js';
import { DeviceList } from './sessions/device-list.service.js';
import { OnboardingMark } from './account/onboarding-mark.service.js';
import { AccountAuditLog } from './audit/account-audit-log.service.js';
import { PasswordChange } from './passwords/password-change.service.js';
import { PasswordChangeFollowUp } from './passwords/password-change-follow-up.service.js';
import { PasswordController } from './passwords/password.controller.js';
import { PasswordReset } from './passwords/password-reset.service.js';
import { PasswordRules } from './passwords/password-rules.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { AdminRightsModule } from './admin/admin-rights.js';
import { AuthController } from './sign-in/auth.controller.js';
import { AuthCookies } from './sign-in/auth-cookies.service.js';
import { DeviceSessions } from './sessions/device-sessions.service.js';
import { PasswordHasher } from './sign-in/password-hasher.service.js';
import { PasswordRehash } from './sign-in/password-rehash.service.js';
import { PictureCleanup } from './pictures/picture-cleanup.service.js';
import { BillingState } from './plan/billing-state.service.js';
import { ProfileController } from './account/profile.controller.js';
import { Profile } from './account/profile.service.js';
import { PendingReferrals } from './plan/pending-referrals.service.js';
import { Registration } from './sign-in/registration.service.js';
import { SessionAuthenticator } from './sessions/session-authenticator.service.js';
import { SessionPurge } from './sessions/session-purge.service.js';
import { SignIn } from './sign-in/sign-in.service.js';
import { SignInAttempts } from './sign-in/sign-in-attempts.service.js';
import { UnverifiedMailLimit } from './verification/unverified-mail-limit.service.js';
import { UserDirectory } from './account/user-directory.service.js';
import { AdminUserActions } from './admin/admin-user-actions.service.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationMail } from './verification/verification-mail.service.js';
import { Verification } from './verification/verification.service.js';
import { VisitorSessions } from './sessions/visitor-sessions.service.js';

/** Guards of every route, in the order in which they run. */
const guards = [OriginGuard, IdentifyGuard, RateLimitGuard, AccessGuard, BodyGuard].map((guard) => ({
  provide: APP_GUARD,
  useClass: guard,
}));

/** Accounts, sign-in, and access control. */
@Module({
  imports: [
    AdminRightsModule,
    PassportModule,
    JwtModule.registerAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        secret: accessKeys(settings).current,
        signOptions: { algorithm: 'HS256' as const, issuer: 'staffcast', audience: 'access' },
      }),
    }),
  ],
  controllers: [
    AuthController,
    VerificationController,
    PasswordController,
    SessionsController,
    AccountController,
    ProfileController,
    AvatarsController,
  ],
  providers: [
    AccountDeletion,
    AccountErasure,
    AccountExport,
    AccountMail,
    Accounts,
    AuditTrail,
    AuthCookies,
    Avatars,
    DeviceList,
    DeviceSessions,
    JwtStrategy,
    OnboardingMark,
    AccountAuditLog,
    PasswordChange,
    PasswordChangeFollowUp,
    PasswordHasher,
    PasswordRehash,
    PasswordReset,
    PasswordRules,
    BillingState,
    Profile,
    PendingReferrals,
    Registration,
    SessionAuthenticator,
    SignIn,
    SignInAttempts,
    UserDirectory,
    AdminUserActions,
    Verification,
    UnverifiedMailLimit,
    VerificationMail,
    VisitorSessions,
    { provide: Authenticator, useExisting: SessionAuthenticator },
    ...guards,
  ],
  exports: [
    OnboardingMark,
    AccountErasure,
    Accounts,
    AuditTrail,
    Authenticator,
    DeviceList,
    PasswordChange,
    PasswordHasher,
    BillingState,
    PendingReferrals,
    UserDirectory,
    AdminUserActions,
    VisitorSessions,
  ],
})
export class AuthModule {}

/** Scheduled work of auth. Part of workers only. */
@Module({ imports: [AuthModule], providers: [SessionPurge, EraseAccount, ErasureSweep, PictureCleanup] })
export class AuthWorkerModule {}
