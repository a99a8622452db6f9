/** A statement in a migration that would break or block the previous version, which still runs during an update. */
export interface Fault {
  rule: string;
  statement: string;
}

interface Rule {
  name: string;
  broken: (statement: string, created: ReadonlySet<string>) => boolean;
}

const TABLE = String.raw`(?:only )?(?:"?public"?\.)?"?(\w+)"?`;
const target = (statement: string): string | undefined =>
  new RegExp(`^alter table (?:if exists )?${TABLE}`).exec(statement)?.[1];
const isNew = (name: string | undefined, created: ReadonlySet<string>): boolean =>
  name !== undefined && created.has(name);

/** Rules for statements that break the previous version, because it still uses the removed or changed names. */
const BREAKING: Rule[] = [
  {
    name: 'drops what the version before reads',
    broken: (s, created) =>
      /^drop table|^alter table .* drop column|^drop type|^truncate/.test(s) && !isNew(target(s), created),
  },
  {
    name: 'renames what the version before names',
    broken: (s) => /^alter (table|type) .* rename/.test(s) && !/ rename constraint /.test(s),
  },
  {
    name: 'changes a type',
    broken: (s, created) => /^alter table .* alter column .* (set data )?type /.test(s) && !isNew(target(s), created),
  },
  {
    name: 'demands a value that the version before does not give',
    broken: (s, created) =>
      /^alter table .* add (column )?(if not exists )?"?\w+"? .*not null/.test(s) &&
      !/ default /.test(s) &&
      !/generated/.test(s) &&
      !isNew(target(s), created),
  },
];

/** Rules for statements whose lock blocks other users of the table. */
const LOCKING: Rule[] = [
  {
    name: 'builds an index while nobody can write: CONCURRENTLY, in a migration that is not transactional',
    broken: (s, created) =>
      /^create (unique )?index/.test(s) &&
      !/ concurrently /.test(s) &&
      !isNew(new RegExp(` on ${TABLE}`).exec(s)?.[1], created),
  },
  {
    name: 'checks every row under a lock: add it NOT VALID, validate it later',
    broken: (s, created) =>
      /^alter table .* add constraint .* (foreign key|check)/.test(s) &&
      !/ not valid/.test(s) &&
      !isNew(target(s), created),
  },
  {
    name: 'reads every row under a lock: validate a check first',
    broken: (s, created) => /^alter table .* alter column .* set not null/.test(s) && !isNew(target(s), created),
  },
  {
    name: 'builds an index under a lock: ADD CONSTRAINT … USING INDEX',
    broken: (s, created) =>
      /^alter table .* add constraint .* (unique|primary key) \(/.test(s) && !isNew(target(s), created),
  },
  {
    name: 'writes every row anew',
    broken: (s, created) =>
      /^alter table .* add (column )?.* default (gen_random_uuid|random|clock_timestamp)/.test(s) &&
      !isNew(target(s), created),
  },
  { name: 'locks a table', broken: (s) => /^lock table|^vacuum full|^cluster /.test(s) },
];

/**
 * Checks the statements of one migration. A statement with `safe: <reason>` in a comment passes.
 * @param released whether the tables are in use, so that locks are checked too
 */
export function lintMigration(statements: readonly string[], { released }: { released: boolean }): Fault[] {
  const created = new Set<string>();
  const faults: Fault[] = [];
  for (const statement of statements.flatMap(split)) {
    const plain = statement
      .replace(/\/\*.*?\*\/|--[^\n]*/gs, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase();
    const [, table] = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${TABLE}`).exec(plain) ?? [];
    if (table) created.add(table);
    if (/\/\*\s*safe: \S/.test(statement)) continue;
    for (const rule of [...BREAKING, ...(released ? LOCKING : [])])
      if (rule.broken(plain, created)) faults.push({ rule: rule.name, statement: plain.slice(0, 160) });
  }
  return faults;
}

/** Splits statements; semicolons inside function bodies do not count. */
function split(text: string): string[] {
  return /\$\w*\$/.test(text) ? [text] : text.split(/;\s*(?:\n|$)/).filter((part) => part.trim());
}
