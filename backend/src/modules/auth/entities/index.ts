import { AuditEvent } from './audit-event.entity.js';
import { AuthCredential } from './auth-credential.entity.js';
import { AuthSession } from './auth-session.entity.js';
import { UserAvatar } from './user-avatar.entity.js';
import { User } from './user.entity.js';
import { VisitorSession } from './visitor-session.entity.js';

export const authEntities = [User, AuthCredential, AuthSession, VisitorSession, UserAvatar, AuditEvent];
