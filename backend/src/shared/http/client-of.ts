import type { Request } from 'express';

/** Where a request comes from: the client's address by the trusted hops, and what it says it is. */
export interface Client {
  ip: string;
  userAgent: string | null;
}

/** The client of a request, for consent evidence, device lists and limits. */
export function clientOf(req: Request): Client {
  const ip = (req.ip ?? req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return { ip, userAgent: req.get('user-agent')?.slice(0, 500) ?? null };
}
