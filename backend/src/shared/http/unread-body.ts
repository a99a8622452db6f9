import type { NextFunction, Request, Response } from 'express';

/**
 * Reads and drops what is left of a body that was refused half read. The next request on the connection stands behind it and would
 * wait for the server's time limit; where nothing was read, Node itself drops the body.
 */
export function dropUnreadBody(req: Request, res: Response, next: NextFunction): void {
  res.once('finish', () => {
    if (!req.complete) req.resume();
  });
  next();
}
