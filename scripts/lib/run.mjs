import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { onLauncherGone } from './launcher.mjs';
import { BIN_DIR } from './paths.mjs';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The environment with the installed commands on PATH, the bundled Node first. */
export function withBin(env = process.env) {
  return { ...env, PATH: `${BIN_DIR}${delimiter}${env.PATH ?? ''}` };
}

/**
 * Runs a command with inherited streams, forwards signals and returns its exit code. While a command without a terminal
 * prints nothing, `heartbeat` (a sentence) is printed with the elapsed seconds.
 */
export function run(command, args, { heartbeat, onSpawn, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    onSpawn?.(child);
    const unwatch = onLauncherGone(() => child.kill('SIGTERM'));
    const timer = heartbeat && !process.stdout.isTTY ? beat(heartbeat) : undefined;
    const forward = (signal) => child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    const done = () => {
      clearInterval(timer);
      unwatch();
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      done();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

function beat(sentence) {
  const started = Date.now();
  return setInterval(() => {
    process.stdout.write(`${sentence} (${Math.round((Date.now() - started) / 1000)} s)\n`);
  }, 10_000);
}
