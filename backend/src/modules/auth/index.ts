export { AUDIT_KIND_NAMES, type AuditKind } from './audit-kinds.js';
export { type Audited, type AuditFilter, type AuditLine, AuditTrail } from './audit-trail.service.js';
export { Accounts } from './accounts.service.js';
export { AdminRights, AdminRightsModule } from './admin-rights.js';
export { AuthModule, AuthWorkerModule } from './auth.module.js';
export { User } from './entities/user.entity.js';
export { authEntities } from './entities/index.js';
export { entitlements, type EntitlementFacts, type Entitlements } from './entitlements.js';
