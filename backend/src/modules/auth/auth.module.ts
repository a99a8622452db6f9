import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { Settings } from '../../shared/config/settings.js';
import { Authenticator } from '../../shared/http/authenticator.js';
import { OriginGuard } from '../../shared/http/origin.guard.js';
import { RateLimitGuard } from '../../shared/http/rate-limit.guard.js';
import { AccessGuard } from './access.guard.js';
import { Accounts } from './accounts.service.js';
import { AdminRightsModule } from './admin-rights.js';
import { AuthController } from './auth.controller.js';
import { AuthCookies } from './auth-cookies.service.js';
import { DeviceSessions } from './device-sessions.service.js';
import { IdentifyGuard } from './identify.guard.js';
import { PasswordHasher } from './password-hasher.service.js';
import { JwtStrategy } from './jwt.strategy.js';
import { PlanFacts } from './plan-facts.service.js';
import { ProfileController } from './profile.controller.js';
import { Profile } from './profile.service.js';
import { ReferralRefs } from './referral-refs.service.js';
import { Registration } from './registration.service.js';
import { SessionAuthenticator } from './session-authenticator.service.js';
import { SessionPurge } from './session-purge.service.js';
import { SignIn } from './sign-in.service.js';
import { VerificationController } from './verification.controller.js';
import { VerificationMail } from './verification-mail.service.js';
import { Verification } from './verification.service.js';
import { VisitorSessions } from './visitor-sessions.service.js';

/** Every route's guards, in the order in which a request meets them. */
const guards = [OriginGuard, IdentifyGuard, RateLimitGuard, AccessGuard].map((guard) => ({ provide: APP_GUARD, useClass: guard }));

/** Accounts, signing in, and who may come in at all. */
@Module({
  imports: [
    AdminRightsModule,
    PassportModule,
    JwtModule.registerAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        secret: settings.jwtSecret,
        signOptions: { algorithm: 'HS256' as const, issuer: 'staffcast', audience: 'access' },
      }),
    }),
  ],
  controllers: [AuthController, VerificationController, ProfileController],
  providers: [
    Accounts, AuthCookies, DeviceSessions, JwtStrategy, PasswordHasher, PlanFacts, Profile, ReferralRefs, Registration, SessionAuthenticator, SignIn, Verification, VerificationMail, VisitorSessions,
    { provide: Authenticator, useExisting: SessionAuthenticator },
    ...guards,
  ],
  exports: [Accounts, PlanFacts, Authenticator, ReferralRefs, VisitorSessions],
})
export class AuthModule {}

/** What a worker does for auth. */
@Module({ providers: [SessionPurge] })
export class AuthWorkerModule {}
