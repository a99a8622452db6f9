const table = require('./walls.table.cjs');

const modules = Object.keys(table);
const root = process.env.WALLS_ROOT ?? 'src';
const folder = (name) => `^${root}/modules/${name}/`;

const perModule = modules.map((name) => {
  const allowed = [name, ...table[name]].join('|');
  return {
    name: `${name}-imports-only-what-the-table-says`,
    severity: 'error',
    from: { path: folder(name) },
    to: { path: `^${root}/modules/`, pathNot: `^${root}/modules/(${allowed})/` },
  };
});

const faces = modules.map((name) => ({
  name: `${name}-is-entered-by-its-face`,
  severity: 'error',
  from: { pathNot: folder(name) },
  to: { path: folder(name), pathNot: `^${root}/modules/${name}/index\\.ts$` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...perModule,
    ...faces,
    {
      name: 'every-module-is-in-the-table',
      severity: 'error',
      from: {},
      to: { path: `^${root}/modules/`, pathNot: `^${root}/modules/(${modules.join('|')})/` },
    },
    {
      name: 'the-floor-knows-no-feature',
      severity: 'error',
      from: { path: `^${root}/shared/` },
      to: { path: `^${root}/(modules|cli)/` },
    },
    {
      name: 'only-roots-list-features',
      severity: 'error',
      from: { path: `^${root}/[^/]+\\.ts$`, pathNot: `^${root}/(app\\.module|worker\\.module|entities)\\.ts$` },
      to: { path: `^${root}/modules/` },
    },
    {
      name: 'src-knows-no-embedded-part',
      severity: 'error',
      from: { path: `^${root}/` },
      to: { path: '^(embedded|stripe-simulator)/' },
    },
    {
      // A spec beside its source may use the tests' kit.
      name: 'src-knows-no-test',
      severity: 'error',
      from: { path: `^${root}/`, pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/' },
    },
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only-billing-s-gateway-speaks-stripe',
      severity: 'error',
      from: { pathNot: `^${root}/modules/billing/[^/]*gateway[^/]*\\.ts$` },
      to: { path: '(^|/)node_modules/stripe/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    exclude: { path: 'src/metadata\\.ts$' },
  },
};
