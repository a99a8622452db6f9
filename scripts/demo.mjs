// `npm run demo`: `npm start` with demo data, in a data folder of its own.
process.env.DEMO_DATA = 'on';
process.env.DATA_DIR ||= '.data/demo';
await import('./start.mjs');
