import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import ts from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['**/dist/', '**/node_modules/', '.data/', '.cache/', 'frontend/src/api/endpoints.gen.ts', 'backend/src/metadata.ts', 'backend/test/walls-fixture/', 'backend/migrations/Migration*']),
  js.configs.recommended,
  ts.configs.recommended,
  {
    files: ['backend/{src,test,migrations,bench,load}/**/*.ts', 'frontend/{src,e2e}/**/*.{ts,tsx}', 'backend/embedded/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-control-regex': 'off',
    },
  },
  {
    // A pattern of quadratic time on a long text holds a whole process: one that can move on slowly over what it does not match, or step back slowly.
    files: ['backend/{src,embedded,stripe-simulator}/**/*.{ts,js,mjs}', 'frontend/src/**/*.{ts,tsx}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-move': ['error', { ignoreSticky: false, report: 'potential' }],
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    },
  },
  { files: ['backend/embedded/test/**'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
  { files: ['frontend/src/**/*.{ts,tsx}'], plugins: { 'react-hooks': hooks }, rules: hooks.configs.recommended.rules },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', module: 'writable', require: 'readonly', URL: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly', setInterval: 'readonly', clearInterval: 'readonly', Buffer: 'readonly', AbortSignal: 'readonly', AbortController: 'readonly', fetch: 'readonly', Request: 'readonly', document: 'readonly', window: 'readonly', localStorage: 'readonly', matchMedia: 'readonly' } },
    rules: { '@typescript-eslint/no-require-imports': 'off', '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }] },
  },
);
