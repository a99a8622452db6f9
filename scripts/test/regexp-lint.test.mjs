import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('../..', import.meta.url));
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ruleId.startsWith('regexp/'),
  // The tested rules need no type information.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

const rulesFor = async (path, pattern) => {
  const [{ messages }] = await eslint.lintText(
    `export const found = (text: string): boolean => ${pattern}.test(text);\n`,
    { filePath: join(root, path) },
  );
  return [...new Set(messages.map(({ ruleId, message }) => ruleId ?? message))];
};

const TREES = [
  'backend/src/planted.ts',
  'backend/embedded/planted.ts',
  'backend/stripe-simulator/planted.ts',
  'frontend/src/planted.tsx',
];

test('a regular expression that trims in quadratic time is refused', async () => {
  for (const tree of TREES) {
    assert.deepEqual(await rulesFor(tree, '/[ \\t]+$/'), ['regexp/no-super-linear-move'], tree);
    assert.deepEqual(await rulesFor(tree, '/^\\s*(.*)\\s*$/'), ['regexp/no-super-linear-backtracking'], tree);
    assert.deepEqual(await rulesFor(tree, '/^(a+)+$/'), ['regexp/no-super-linear-backtracking'], tree);
  }
});

test('a regular expression that starts only at the beginning of a run is accepted', async () => {
  for (const tree of TREES) assert.deepEqual(await rulesFor(tree, '/(?<![ \\t])[ \\t]+$/'), [], tree);
});
