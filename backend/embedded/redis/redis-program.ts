import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../../scripts/lib/files.mjs';
import { CliError } from '../../../scripts/lib/say.mjs';
import { runCommand } from '../processes/command.ts';
import { libraryPath, unpackFromApt } from './apt.ts';

/** A Redis server program found on this machine. */
export interface RedisProgram {
  command: string;
  env: NodeJS.ProcessEnv;
  /** Where the program comes from, for log and error messages. */
  origin: string;
  /** Whether the program runs in a container, which needs other arguments. */
  docker?: boolean;
}

const INSTALL_COMMANDS: [RegExp, string][] = [
  [/debian|ubuntu/, 'sudo apt-get install redis-server'],
  [/fedora|rhel|centos/, 'sudo dnf install valkey'],
  [/arch/, 'sudo pacman -S valkey'],
  [/alpine/, 'sudo apk add redis'],
  [/suse/, 'sudo zypper install redis'],
];

/**
 * Finds a Redis server: on PATH, downloaded earlier, downloaded now with apt, or in a container. Downloads go into the
 * first cache folder.
 */
export async function findRedis(cacheDirs: string[], say: (text: string) => void): Promise<RedisProgram> {
  const found = (await onPath()) ?? (await cached(cacheDirs));
  if (found) return found;
  const target = join(cacheDirs[0] ?? '', 'redis');
  const unpacked = await unpackFromApt(target, say);
  const fresh = unpacked.ok ? await unpackedAt(target) : undefined;
  const last = fresh ?? (await inDocker());
  if (last) return last;
  const reason = unpacked.ok ? 'the one fetched with apt-get does not run here' : unpacked.reason;
  throw new CliError(
    `No Redis server was found, and none could be fetched (${reason}).\n` +
      `Install one with:  ${installCommand()}\nor point REDIS_URL at one that runs, and start again.`,
  );
}

/** Command that installs Redis on this system. */
export function installCommand(
  platform: string = process.platform,
  osRelease = readText('/etc/os-release') ?? '',
): string {
  if (platform === 'darwin') return 'brew install redis';
  const ids = osRelease
    .split('\n')
    .filter((line) => /^ID(_LIKE)?=/.test(line))
    .join(' ');
  return INSTALL_COMMANDS.find(([system]) => system.test(ids))?.[1] ?? "your package manager's redis or valkey package";
}

async function onPath(): Promise<RedisProgram | undefined> {
  for (const command of ['redis-server', 'valkey-server']) {
    const { code, output } = await runCommand(command, ['--version']);
    if (code === 0) return { command, env: process.env, origin: output.trim().slice(0, 60) };
  }
  return undefined;
}

async function cached(cacheDirs: string[]): Promise<RedisProgram | undefined> {
  for (const folder of cacheDirs) {
    const program = await unpackedAt(join(folder, 'redis'));
    if (program) return program;
  }
  return undefined;
}

async function unpackedAt(root: string): Promise<RedisProgram | undefined> {
  const command = join(root, 'usr', 'bin', 'redis-server');
  if (!existsSync(command)) return undefined;
  const env = { ...process.env, LD_LIBRARY_PATH: libraryPath(root) };
  const { code, output } = await runCommand(command, ['--version'], { env });
  return code === 0 ? { command, env, origin: output.trim().slice(0, 60) } : undefined;
}

async function inDocker(): Promise<RedisProgram | undefined> {
  const { code } = await runCommand('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: 5_000 });
  return code === 0
    ? { command: 'docker', env: process.env, origin: 'redis:8-alpine in docker', docker: true }
    : undefined;
}
