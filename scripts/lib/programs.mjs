import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** In order of preference: the headless shell draws no window and takes a fifth less processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Path of the Chromium for the browser journeys: CHROMIUM_PATH, or the first one found on PATH. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return existsSync(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const folders = (env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, MAC].find((path) => existsSync(path));
}

/** Path of the nginx for the tests behind a load balancer: NGINX_PATH, the first one on PATH, or Debian's path. */
export function findNginx(env = process.env) {
  if (env.NGINX_PATH) return existsSync(env.NGINX_PATH) ? env.NGINX_PATH : undefined;
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];
  return folders.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path));
}
