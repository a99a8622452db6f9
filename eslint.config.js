import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import testingLibrary from 'eslint-plugin-testing-library';
import { defineConfig, globalIgnores } from 'eslint/config';
import ts from 'typescript-eslint';
import staffcast from './scripts/lint/index.mjs';

const TESTS = [
  '**/*.{spec,int-spec,fault-spec,cluster-spec}.ts',
  '**/*.test.{ts,tsx,mjs}',
  'frontend/e2e/**/*.journey.ts',
];

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/node_modules/',
    '.data/',
    '.cache/',
    'frontend/src/api/endpoints.gen.ts',
    'backend/src/metadata.ts',
    'backend/test/walls-fixture/',
    'backend/migrations/**/Migration*',
  ]),
  js.configs.recommended,
  ts.configs.recommended,
  {
    files: [
      'backend/{src,test,migrations,bench,load}/**/*.ts',
      'frontend/{src,e2e}/**/*.{ts,tsx}',
      'backend/embedded/**/*.ts',
    ],
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
    // Refuses regular expressions of quadratic time: a long text would block the process.
    files: ['backend/{src,embedded,stripe-simulator}/**/*.{ts,js,mjs}', 'frontend/src/**/*.{ts,tsx}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-move': ['error', { ignoreSticky: false, report: 'potential' }],
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    },
  },
  {
    // A slow machine must not look like a fault: tests judge by what happened, and wait for conditions.
    files: TESTS,
    plugins: { staffcast },
    rules: {
      'staffcast/no-clock-in-expect': ['error', { measures: ['eventLoopBlockedMs'] }],
      'staffcast/no-bare-wait': 'error',
    },
  },
  { files: ['backend/embedded/test/**'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
  { files: ['frontend/src/**/*.{ts,tsx}'], plugins: { 'react-hooks': hooks }, rules: hooks.configs.recommended.rules },
  {
    files: ['frontend/src/**/*.tsx'],
    ...a11y.flatConfigs.recommended,
    // Dialogs focus their first field; the rule concerns fields of a page.
    rules: { ...a11y.flatConfigs.recommended.rules, 'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }] },
  },
  {
    files: ['frontend/src/**/*.test.{ts,tsx}'],
    ...testingLibrary.configs['flat/react'],
    // Some tests query elements without a role (a backdrop, an icon); queries of a helper's `within(…)` are mistaken
    // for those of a render result.
    rules: {
      ...testingLibrary.configs['flat/react'].rules,
      'testing-library/no-node-access': 'off',
      'testing-library/no-container': 'off',
      'testing-library/prefer-screen-queries': 'off',
    },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
        fetch: 'readonly',
        Request: 'readonly',
        document: 'readonly',
        window: 'readonly',
        localStorage: 'readonly',
        matchMedia: 'readonly',
      },
    },
    rules: {
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
      ],
    },
  },
);
