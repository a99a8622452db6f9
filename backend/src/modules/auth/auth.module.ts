import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { Settings } from '../../shared/config/settings.js';
import { Authenticator } from '../../shared/http/authenticator.js';
import { BodyGuard } from '../../shared/http/body.guard.js';
import { OriginGuard } from '../../shared/http/origin.guard.js';
import { RateLimitGuard } from '../../shared/http/rate-limit.guard.js';
import { accessKeys } from './access-keys.js';
import { AccessGuard } from './access.guard.js';
import { Accounts } from './accounts.service.js';
import { AccountController } from './account.controller.js';
import { AccountDeletion } from './account-deletion.service.js';
import { AccountErasure } from './account-erasure.service.js';
import { AccountExport } from './account-export.service.js';
import { AccountMail } from './account-mail.service.js';
import { AuditTrail } from './audit-trail.service.js';
import { Avatars } from './avatars.service.js';
import { AvatarsController } from './avatars.controller.js';
import { DeviceList } from './device-list.service.js';
import { EraseAccount } from './erase-account.job.js';
import { ErasureSweep } from './erasure-sweep.service.js';
import { OwnTrail } from './own-trail.service.js';
import { PasswordChange } from './password-change.service.js';
import { PasswordConsequences } from './password-consequences.service.js';
import { PasswordController } from './password.controller.js';
import { PasswordReset } from './password-reset.service.js';
import { PasswordRules } from './password-rules.service.js';
import { SessionsController } from './sessions.controller.js';
import { AdminRightsModule } from './admin-rights.js';
import { AuthController } from './auth.controller.js';
import { AuthCookies } from './auth-cookies.service.js';
import { DeviceSessions } from './device-sessions.service.js';
import { IdentifyGuard } from './identify.guard.js';
import { PasswordHasher } from './password-hasher.service.js';
import { PasswordRehash } from './password-rehash.service.js';
import { JwtStrategy } from './jwt.strategy.js';
import { PictureCleanup } from './pictures/picture-cleanup.service.js';
import { PlanFacts } from './plan-facts.service.js';
import { ProfileController } from './profile.controller.js';
import { Profile } from './profile.service.js';
import { ReferralRefs } from './referral-refs.service.js';
import { Registration } from './registration.service.js';
import { SessionAuthenticator } from './session-authenticator.service.js';
import { SessionPurge } from './session-purge.service.js';
import { SignIn } from './sign-in.service.js';
import { SignInAttempts } from './sign-in-attempts.service.js';
import { UnprovenMail } from './unproven-mail.service.js';
import { UserDirectory } from './user-directory.service.js';
import { UserSupervision } from './user-supervision.service.js';
import { VerificationController } from './verification.controller.js';
import { VerificationMail } from './verification-mail.service.js';
import { Verification } from './verification.service.js';
import { VisitorSessions } from './visitor-sessions.service.js';

/** Every route's guards, in the order in which a request meets them. */
const guards = [OriginGuard, IdentifyGuard, RateLimitGuard, AccessGuard, BodyGuard].map((guard) => ({ provide: APP_GUARD, useClass: guard }));

/** Accounts, signing in, and who may come in at all. */
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
  controllers: [AuthController, VerificationController, PasswordController, SessionsController, AccountController, ProfileController, AvatarsController],
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
    OwnTrail,
    PasswordChange,
    PasswordConsequences,
    PasswordHasher,
    PasswordRehash,
    PasswordReset,
    PasswordRules,
    PlanFacts,
    Profile,
    ReferralRefs,
    Registration,
    SessionAuthenticator,
    SignIn,
    SignInAttempts,
    UserDirectory,
    UserSupervision,
    Verification,
    UnprovenMail,
    VerificationMail,
    VisitorSessions,
    { provide: Authenticator, useExisting: SessionAuthenticator },
    ...guards,
  ],
  exports: [AccountErasure, Accounts, AuditTrail, Authenticator, DeviceList, PasswordChange, PasswordHasher, PlanFacts, ReferralRefs, UserDirectory, UserSupervision, VisitorSessions],
})
export class AuthModule {}

/** What a worker does for auth. */
@Module({ imports: [AuthModule], providers: [SessionPurge, EraseAccount, ErasureSweep, PictureCleanup] })
export class AuthWorkerModule {}
