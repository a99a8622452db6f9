import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The nginx for the tests behind a load balancer: NGINX_PATH, one on PATH, or where Debian puts it. */
export function findNginx(env = process.env) {
  if (env.NGINX_PATH) return existsSync(env.NGINX_PATH) ? env.NGINX_PATH : undefined;
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];
  return folders.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path));
}
