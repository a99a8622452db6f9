import { applyDecorators, SetMetadata } from '@nestjs/common';

export const PUBLIC = 'http:public';
export const ANONYMOUS = 'http:anonymous';
export const ADMIN_ONLY = 'http:admin-only';
export const CROSS_SITE = 'http:cross-site';

/** Opens a route to signed-out callers. All other routes answer 401 to them. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Opens a route to everyone and skips the session lookup, so that the answer needs no database. */
export const Anonymous = () => applyDecorators(Public(), SetMetadata(ANONYMOUS, true));

/** Restricts a route to admins: 401 when signed out, 403 for other users. */
export const AdminOnly = () => SetMetadata(ADMIN_ONLY, true);

/**
 * Skips the origin check and the session lookup. Only for one-click requests of mail programs, for signed webhooks, and
 * for the download form of a shared file, whose page sends no referrer.
 */
export const CrossSite = () => SetMetadata(CROSS_SITE, true);
