import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 15_000;
/** Where Linux starts to take ports for outgoing connections (`ip_local_port_range`). */
const FIRST_OUTGOING = 32_768;

/**
 * A TCP port that another process can listen on. Not one the system hands out itself (`listen(0)`): until that process
 * listens, any outgoing connection of a suite beside this one could get it, and the process ended with EADDRINUSE.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (FIRST_OUTGOING - LOWEST));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
