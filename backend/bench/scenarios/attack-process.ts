import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface AttackOptions {
  url: string;
  headers: Record<string, string>;
  sendId: string;
  /** Ids of lists: one for the imports, one to search. */
  target: string;
  searched: string;
  streams: number;
  imports: number;
  megabytes: number;
}

/**
 * Runs the attack of one account in a separate process. Resolves once that process has generated its files.
 * @returns a function that ends the attack and resolves to the number of answers by kind
 */
export async function startAttack(options: AttackOptions): Promise<{ end: () => Promise<Record<string, number>> }> {
  const script = fileURLToPath(new URL('attack.js', import.meta.url));
  // In a separate session, like a process of another machine, so that the attack takes no processor time from the
  // measured calls.
  const child: ChildProcess = fork(script, [JSON.stringify(options)], { detached: true });
  process.once('exit', () => child.kill('SIGKILL'));
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
