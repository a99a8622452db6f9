import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface AttackOptions {
  url: string;
  headers: Record<string, string>;
  sendId: string;
  /** Ids of lists: the target of the imports, and the list that is searched. */
  target: string;
  searched: string;
  streams: number;
  imports: number;
  megabytes: number;
}

/**
 * Runs the attack of one account in its own process; resolves once the process has generated its files.
 * @returns a function that ends the attack and gives the answers by kind
 */
export async function startAttack(options: AttackOptions): Promise<{ end: () => Promise<Record<string, number>> }> {
  const script = fileURLToPath(new URL('attack.js', import.meta.url));
  // A session of its own, as another machine would be: it then does not share the processor time of the calls that are measured.
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
