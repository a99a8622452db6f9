export { Accounts } from './accounts.service.js';
export { AdminRights, AdminRightsModule } from './admin-rights.js';
export { AuthModule, AuthWorkerModule } from './auth.module.js';
export { User } from './entities/user.entity.js';
export { authEntities } from './entities/index.js';
export { referralKey } from './referral-code.js';
export { type ReferralParty, ReferralRefs } from './referral-refs.service.js';
export { VisitorSessions } from './visitor-sessions.service.js';
export { entitlements, type EntitlementFacts, type Entitlements } from './entitlements.js';
