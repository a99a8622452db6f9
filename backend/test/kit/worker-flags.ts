import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** V8 flags of the worker in docker-compose.yml, so that benchmarks and fault tests use the deployed flags. */
export function workerFlags(): string[] {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'docker-compose.yml'))) folder = dirname(folder);
  const command = /^ {4}command: (\["node", "--.*"backend\/dist\/src\/main\.js"\])$/m.exec(
    readFileSync(join(folder, 'docker-compose.yml'), 'utf8'),
  );
  return (JSON.parse(command![1]!) as string[]).slice(1, -1);
}
