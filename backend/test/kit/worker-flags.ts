import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The flags with which docker-compose.yml starts a worker: what is measured and made to fail runs as what is shipped. */
export function workerFlags(): string[] {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'docker-compose.yml'))) folder = dirname(folder);
  const command = /^ {4}command: (\["node", "--.*"backend\/dist\/src\/main\.js"\])$/m.exec(readFileSync(join(folder, 'docker-compose.yml'), 'utf8'));
  return (JSON.parse(command![1]!) as string[]).slice(1, -1);
}
