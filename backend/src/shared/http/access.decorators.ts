import { applyDecorators, SetMetadata } from '@nestjs/common';

export const PUBLIC = 'http:public';
export const ANONYMOUS = 'http:anonymous';
export const ADMIN_ONLY = 'http:admin-only';
export const CROSS_SITE = 'http:cross-site';

/** Opens a route to people who are not signed in: every route without it answers them 401. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Public, and nobody asks who it is: no session is looked up, so that the answer needs no database. */
export const Anonymous = () => applyDecorators(Public(), SetMetadata(ANONYMOUS, true));

/** Admins only: signed-out people get 401, others 403. */
export const AdminOnly = () => SetMetadata(ADMIN_ONLY, true);

/** No origin check: the one-click unsubscribe and the signed webhooks (decisions.md D4). */
export const CrossSite = () => SetMetadata(CROSS_SITE, true);
