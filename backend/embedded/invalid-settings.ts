import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { runCommand } from './processes/command.ts';
import type { Settings } from './settings.ts';

const CHECK_TIMEOUT_MS = 20_000;

/**
 * Prints what is wrong with the settings. Prefers the app's message if it covers all problems found here, because the
 * app knows every setting.
 * @returns the exit code
 */
export async function reportInvalidSettings(settings: Settings): Promise<1> {
  const appSays = await settingsCheckOfApp(settings);
  if (appSays && settings.problems.every((problem) => appSays.includes(problem.split(' ')[0] ?? ''))) {
    process.stderr.write(`${appSays.trimEnd()}\n`);
  } else {
    process.stderr.write(
      `\nStaffcast cannot start with these settings:\n${settings.problems.map((problem) => `  - ${problem}\n`).join('')}`,
    );
  }
  return 1;
}

async function settingsCheckOfApp(settings: Settings): Promise<string | undefined> {
  const entry = join(ROOT, 'backend', 'dist', 'src', 'main.js');
  if (!existsSync(entry)) return undefined;
  const env = {
    ...settings.env,
    STAFFCAST_EMBEDDED: settings.production ? '' : settings.embedded.join(','),
    STAFFCAST_CHECK_SETTINGS: '1',
  };
  const { code, output } = await runCommand(process.execPath, ['--enable-source-maps', entry], {
    env,
    cwd: ROOT,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
  return code === 1 ? output : undefined;
}
