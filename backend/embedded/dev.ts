import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { forgetBuild } from '../../scripts/lib/build.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { startApp } from './app.ts';
import { startPart, type Part } from './part.ts';
import { freePort } from './ports.ts';
import type { Run } from './run.ts';
import type { Settings } from './settings.ts';

/**
 * The app with hot reload: compiled and restarted on change behind Vite's own server, which has the public port.
 * Gives the app and the settings under which it is reached.
 */
export async function startDev(run: Run, settings: Settings, envOf: (settings: Settings) => NodeJS.ProcessEnv): Promise<{ app: Part; inner: Settings }> {
  const inner = { ...settings, port: await freePort() };
  // What the watcher compiles is not what the stamp was made for.
  forgetBuild('backend');
  const folder = join(ROOT, 'backend');
  const sources = ['src', 'migrations', 'seeders'].filter((name) => existsSync(join(folder, name)));
  const compiler = startPart(run.around, {
    name: 'compiler', command: process.execPath, cwd: folder, passThrough: true,
    args: [join(ROOT, 'node_modules/@swc/cli/bin/swc.js'), ...sources, '-d', 'dist', '--config-file', '.swcrc', '--copy-files', '--watch', '--quiet'],
  });
  const app = startApp(run.around, inner, envOf(inner), ['--watch', '--watch-preserve-output']);
  const web = startPart(run.around, {
    name: 'web', command: process.execPath, cwd: join(ROOT, 'frontend'), passThrough: true,
    args: [join(ROOT, 'scripts/second/dev-web.mjs'), String(settings.port), String(inner.port)],
  });
  for (const part of [compiler, web]) run.guard(part);
  return { app, inner };
}
