import type { INestApplication } from '@nestjs/common';

/**
 * Maximum number of connections that wait to be accepted; the kernel resets further ones. Many mail programs may send
 * an unsubscribe request at the same moment, more than Node's default of 511. On Linux, `net.core.somaxconn` (4,096)
 * limits the number further.
 */
const BACKLOG = 4_096;

/** @param host address to listen on; default: all interfaces */
export async function listen(app: INestApplication, port: number, host?: string): Promise<void> {
  // Nest passes its arguments on to the server's `listen`, but its types do not include the third one.
  const args = [port, host, BACKLOG] as unknown as [number, string];
  await app.listen(...args);
}
