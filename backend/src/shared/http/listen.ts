import type { INestApplication } from '@nestjs/common';

/**
 * Connections that may wait to be accepted. Node's default, 511, is fewer than the mail programs that may unsubscribe in
 * the same moment; the kernel resets connections beyond it. `net.core.somaxconn` (4,096 on Linux) limits it further.
 */
const BACKLOG = 4_096;

/** @param host all interfaces by default */
export async function listen(app: INestApplication, port: number, host?: string): Promise<void> {
  // Nest hands its arguments to the server's `listen`, but its types do not know the third.
  const args = [port, host, BACKLOG] as unknown as [number, string];
  await app.listen(...args);
}
