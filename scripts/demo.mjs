// `npm run demo`: `npm start` with demo data, in a separate data folder.
process.env.DEMO_DATA = 'on';
process.env.DATA_DIR ||= '.data/demo';
await import('./start.mjs');
