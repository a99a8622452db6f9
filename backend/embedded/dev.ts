import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { forgetBuild } from '../../scripts/lib/build.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { startApp } from './app.ts';
import { startProcess, type ManagedProcess } from './processes/managed-process.ts';
import { freePort } from './processes/ports.ts';
import type { Run } from './processes/run.ts';
import type { Settings } from './settings.ts';

/**
 * Starts the app with hot reload: compiles and restarts it on every change. Vite's server listens on the public port
 * and forwards requests to the app.
 * @returns the app, and the settings with the app's internal port
 */
export async function startDev(
  run: Run,
  settings: Settings,
  envOf: (settings: Settings) => NodeJS.ProcessEnv,
): Promise<{ app: ManagedProcess; inner: Settings }> {
  const inner = { ...settings, port: await freePort() };
  // The watcher overwrites the output of the last build, so that the next start must build again.
  forgetBuild('backend');
  const folder = join(ROOT, 'backend');
  const sources = ['src', 'migrations', 'seeders'].filter((name) => existsSync(join(folder, name)));
  const compiler = startProcess(run.context, {
    name: 'compiler',
    command: process.execPath,
    cwd: folder,
    passThrough: true,
    args: [
      join(ROOT, 'node_modules/@swc/cli/bin/swc.js'),
      ...sources,
      '-d',
      'dist',
      '--config-file',
      '.swcrc',
      '--copy-files',
      '--watch',
      '--quiet',
    ],
  });
  const app = startApp(run.context, inner, envOf(inner), ['--watch', '--watch-preserve-output']);
  const web = startProcess(run.context, {
    name: 'web',
    command: process.execPath,
    cwd: join(ROOT, 'frontend'),
    passThrough: true,
    args: [join(ROOT, 'scripts/bundled/dev-web.mjs'), String(settings.port), String(inner.port)],
  });
  for (const part of [compiler, web]) run.guard(part);
  return { app, inner };
}
