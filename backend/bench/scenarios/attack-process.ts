import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface AttackOptions {
  url: string;
  headers: Record<string, string>;
  sendId: string;
  /** Lists: where the imports go, and which is searched. */
  target: string;
  searched: string;
  streams: number;
  imports: number;
  megabytes: number;
}

/** One account's attack, in a process of its own that has made its files once this resolves. @returns how to end it; that gives what was answered, by kind */
export async function startAttack(options: AttackOptions): Promise<{ end: () => Promise<Record<string, number>> }> {
  const child: ChildProcess = fork(fileURLToPath(new URL('attack.js', import.meta.url)), [JSON.stringify(options)]);
  await once(child, 'message');
  return {
    end: async () => {
      child.send('end');
      const [answers] = (await once(child, 'message')) as [Record<string, number>];
      child.kill('SIGKILL');
      return answers;
    },
  };
}
