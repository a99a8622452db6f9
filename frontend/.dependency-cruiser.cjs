/** The walls of the web app: app composes features; features see ui, lib, theme and api, never each other; nothing sees app. */
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
      comment: 'ui, theme, lib and api know no feature.',
      severity: 'error',
      from: { path: '^src/(ui|theme|lib|api)/' },
      to: { path: '^src/features/' },
    },
    {
      name: 'nothing-imports-app',
      comment: 'Tests may stand on the whole app.',
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
      comment: 'Shared pieces take data by props; features fetch it.',
      severity: 'error',
      from: { path: '^src/ui/' },
      to: { path: '^src/api/endpoints' },
    },
    {
      name: 'only-the-client-reads-generated-code',
      comment: 'Everyone else calls through src/api/client.ts, where paging and refresh rules are applied once; its types are open to each feature\'s api.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/api/' },
      to: { path: '^src/api/endpoints\\.gen', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'wire-types-come-through-api-ts',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/api/', '^src/features/[^/]+/api\\.ts$'] },
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
