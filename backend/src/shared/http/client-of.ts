import type { Request } from 'express';
import { plainAddress } from './client-network.js';

/** Where a request comes from: the client's address by the trusted hops, and what it says it is. */
export interface Client {
  ip: string;
  userAgent: string | null;
}

/** The client of a request, for consent evidence and device lists; limits count its network (`networkOf`), not its address. */
export function clientOf(req: Request): Client {
  return { ip: plainAddress(req.ip ?? req.socket.remoteAddress ?? ''), userAgent: req.get('user-agent')?.slice(0, 500) ?? null };
}
