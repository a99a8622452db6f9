import { applyDecorators, SetMetadata } from '@nestjs/common';

export const PUBLIC = 'http:public';
export const ANONYMOUS = 'http:anonymous';
export const ADMIN_ONLY = 'http:admin-only';
export const CROSS_SITE = 'http:cross-site';

/** Opens a route to signed-out callers; every other route answers them 401. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Public without a session lookup, so that the answer needs no database. */
export const Anonymous = () => applyDecorators(Public(), SetMetadata(ANONYMOUS, true));

/** Admins only: 401 when signed out, 403 for other users. */
export const AdminOnly = () => SetMetadata(ADMIN_ONLY, true);

/** Skips the origin check, for the one-click unsubscribe and for signed webhooks only. */
export const CrossSite = () => SetMetadata(CROSS_SITE, true);
