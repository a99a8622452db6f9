/**
 * Import rules of the web app: app composes features; features use shared, ui, lib, theme and api, never each other;
 * nothing imports app.
 */
const inFeature = '^src/features/([^/]+)/';

module.exports = {
  forbidden: [
    {
      name: 'features-never-import-features',
      severity: 'error',
      from: { path: inFeature },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'floor-imports-no-feature',
      comment: 'shared knows no feature; ui, theme, lib and api know neither features nor shared.',
      severity: 'error',
      from: { path: '^src/(shared|ui|theme|lib|api)/' },
      to: { path: '^src/features/' },
    },
    {
      name: 'floor-imports-no-shared',
      severity: 'error',
      from: { path: '^src/(ui|theme|lib|api)/' },
      to: { path: '^src/shared/' },
    },
    {
      name: 'nothing-imports-app',
      comment: 'Tests may use the whole app.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/app/', '\\.test\\.tsx?$'] },
      to: { path: '^src/app/' },
    },
    {
      name: 'lib-stands-alone',
      comment: 'lib is plain functions and hooks: no api, no ui, no theme.',
      severity: 'error',
      from: { path: '^src/lib/' },
      to: { path: '^src/(api|ui|theme)/' },
    },
    {
      name: 'theme-and-api-draw-nothing',
      severity: 'error',
      from: { path: '^src/(theme|api)/' },
      to: { path: '^src/ui/' },
    },
    {
      name: 'ui-makes-no-calls',
      comment: 'Components of ui get their data by props; features fetch it.',
      severity: 'error',
      from: { path: '^src/ui/' },
      to: { path: '^src/api/endpoints' },
    },
    {
      name: 'only-the-client-reads-generated-code',
      comment:
        'Everyone else calls through src/api/client.ts, which adds paging and cache tags. Features may import its types.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/api/' },
      to: { path: '^src/api/endpoints\\.gen', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-features-know-wire-types',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/api/', '^src/features/'] },
      to: { path: '^src/api/endpoints\\.gen' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^src/app/main\\.tsx$', '\\.test\\.tsx?$'] },
      to: {},
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['\\.test\\.tsx?$', '^test/', '@testing-library'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'] },
  },
};
