import type { Request } from 'express';
import { clientOf, type RequestUser } from '../../shared/http/index.js';
import type { Actor } from '../auth/index.js';

/** Who acts, from where and why: what the audit trail keeps of an admin's act. */
export const actorOf = ({ id }: RequestUser, req: Request, reason?: string | null): Actor => ({ id, client: clientOf(req), reason });
